/** The server in Neovim, with the client that comes with it. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ensureBuilt } from "../../scripts/build.mjs";
import { BIN, plainEnv, ROOT } from "../cli/built.ts";
import { answers } from "../support/programs.ts";
import { tempDirectory } from "../workspace/temp.ts";

await ensureBuilt();

/** What docs/editors.md has people put into their configuration. */
const SNIPPET = /^```lua\n([\s\S]*?)^```$/m.exec(readFileSync(join(ROOT, "docs/editors.md"), "utf8"))?.[1] ?? "";

/** Opens a config, waits for findings, applies the fix that is offered for one, and hovers; says what it saw as JSON. */
const PROBE = `
local function probe()
local function findings() return vim.diagnostic.get(0) end
local function wait(what, check) if not vim.wait(20000, check, 50) then error("waited in vain for " .. what) end end
vim.cmd("edit qm.config.jsonc")
wait("a finding", function() return #findings() > 0 end)
local seen = {}
for _, one in ipairs(findings()) do table.insert(seen, one.code or (one.user_data and one.user_data.lsp.code)) end
local line = vim.fn.search('"app"')
local client = vim.lsp.get_active_clients()[1]
local function ask(method, params)
  local answer = client.request_sync(method, params, 20000, 0)
  if answer == nil or answer.err then error(method .. ": " .. vim.inspect(answer)) end
  return answer.result
end
local document = vim.lsp.util.make_text_document_params()
local at = { line = line - 1, character = vim.fn.col(".") + 1 }
local hover = ask("textDocument/hover", { textDocument = document, position = at })
local actions = ask("textDocument/codeAction", { textDocument = document, range = { start = at, ["end"] = at }, context = { diagnostics = {} } })
vim.lsp.util.apply_workspace_edit(actions[1].edit, client.offset_encoding)
local function is_gone()
  for _, one in ipairs(findings()) do
    local code = one.code or (one.user_data and one.user_data.lsp.code)
    if code == "sandbox/fly-only-field" then return false end
  end
  return true
end
wait("the finding to go", is_gone)
vim.fn.writefile({ vim.json.encode({ seen = seen, title = actions[1].title, hover = hover.contents.value, text = vim.api.nvim_buf_get_lines(0, 0, -1, true) }) }, "said.json")
end
local went_well, reason = pcall(probe)
if not went_well then vim.fn.writefile({ vim.json.encode({ failed = tostring(reason), messages = vim.fn.execute("messages") }) }, "said.json") end
vim.cmd("qa!")
`;

test.skipIf(!answers("nvim", ["--version"]))(
  "Neovim shows findings, takes a fix and a hover (skipped without nvim)",
  () => {
    const sound = readFileSync(join(ROOT, "examples/docker-boxd/qm.config.jsonc"), "utf8");
    const config = sound.replace('"backend": "boxd"', '"app": "x", "backend": "boxd"');
    const cwd = tempDirectory({
      "qm.config.jsonc": config,
      "package.json": readFileSync(join(ROOT, "examples/docker-boxd/package.json"), "utf8"),
      "init.lua": SNIPPET.replace('cmd = { "qm-deploy"', `cmd = { ${JSON.stringify(BIN)}`),
      "probe.lua": PROBE,
    });
    const { error } = spawnSync("nvim", ["--headless", "--clean", "-u", "init.lua", "-S", "probe.lua"], {
      cwd,
      env: plainEnv({ XDG_STATE_HOME: cwd }),
      encoding: "utf8",
      timeout: 240_000,
    });
    expect(error).toBeUndefined();
    const said = JSON.parse(readFileSync(join(cwd, "said.json"), "utf8")) as {
      readonly [field: string]: string | readonly string[];
    };
    expect(said["failed"]).toBeUndefined();
    expect(said["seen"]).toContain("sandbox/fly-only-field");
    expect(said["title"]).toBe("remove `sandbox.app`");
    expect(said["hover"]).toContain("sandbox.app: a field of the config");
    expect((said["text"] as readonly string[]).join("\n")).toBe(sound.trimEnd());
  },
);
