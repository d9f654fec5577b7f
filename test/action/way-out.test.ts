/** Nothing that the Action prints or writes holds a secret, or text that a log or a page would obey. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runAction } from "../../src/action/run-action.ts";
import { fakeIo } from "../cli/fake-io.ts";
import { soundConfig } from "../cli/deployments.ts";
import { COMMANDS, FORMS, MARK, OBEYED, PHRASE, PLACES, planted } from "../cli/way-out/plants.ts";
import { commitAll, git } from "../support/git.ts";
import { inTurn } from "../support/runs.ts";
import { addFiles, tempDirectory } from "../workspace/temp.ts";
import { readOutputs } from "./runner.ts";

/** A repository with a sound deployment, for each run to copy. */
let sound = "";
beforeAll(() => {
  sound = mkdtempSync(join(tmpdir(), "qm-deploy-sound-"));
  addFiles(sound, { "d/qm.config.jsonc": soundConfig(), "runner/output": "", "runner/summary": "" });
  commitAll(sound);
});
afterAll(() => rmSync(sound, { recursive: true, force: true }));

/** Everything that leaves a run with every option, over a deployment that was sound a commit ago. */
async function leavesOf(files: { readonly [path: string]: string }): Promise<{ [name: string]: string }> {
  const root = tempDirectory();
  cpSync(sound, root, { recursive: true });
  addFiles(join(root, "d"), files);
  git(root, "add", "-A", "-f");
  git(root, "commit", "-q", "-m", "x");
  const io = fakeIo([], {
    cwd: root,
    env: {
      PATH: process.env["PATH"],
      GITHUB_WORKSPACE: root,
      GITHUB_OUTPUT: join(root, "runner/output"),
      GITHUB_STEP_SUMMARY: join(root, "runner/summary"),
      INPUT_PATH: "d",
      "INPUT_RENDER-CHECK": "true",
      "INPUT_DIFF-BASE": "HEAD~1",
      "INPUT_SARIF-FILE": "runner/sarif",
    },
  });
  expect(await runAction(io)).toBeLessThan(2);
  const read = (name: string) => readFileSync(join(root, "runner", name), "utf8");
  const outputs = read("output");
  expect(Object.keys(readOutputs(outputs))).toEqual(["ok", "errors", "warnings", "infos", "sarif-file"]);
  return { log: io.out + io.err, summary: read("summary"), sarif: read("sarif"), outputs };
}

const HIDDEN = new RegExp(`${MARK}|${PHRASE}`);
const ACTS = [
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029\ufeff\ufffe\uffff]/u,
  new RegExp(`^\\s*::[a-z-]+(?: name=x)?::${OBEYED}`, "m"),
  /##[a-z]*\[/i,
];

describe.each(Object.entries(PLACES).map(([name, place], turn) => [name, place, turn] as const))(
  "%s",
  (_, place, turn) => {
    test("shows no secret", async () => {
      for (const text of inTurn(Object.values(FORMS), 3, turn))
        for (const [name, left] of Object.entries(await leavesOf(planted(place, text))))
          expect(left, `${name}: ${text}`).not.toMatch(HIDDEN);
    });

    test("gives no command", async () => {
      for (const [name, left] of Object.entries(await leavesOf(planted(place, COMMANDS))))
        for (const pattern of ACTS) expect(left, name).not.toMatch(pattern);
    });

    test("makes no markup of its own in the summary", async () => {
      const { summary = "" } = await leavesOf(planted(place, "x | <img src=//a.b> @acme ](//a.b) </details> `", "x"));
      // Nothing is markup in a fenced block, nor between runs of backticks of one length.
      const open = summary
        .replaceAll(/^```\w+\n[^`]*^```$/gm, "")
        .replaceAll(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, "");
      expect(open).not.toContain("```");
      expect(open).not.toMatch(/<img|@acme|\]\(\/\/|<\/details> /);
    });
  },
);
