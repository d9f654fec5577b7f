import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { ROOT, runCli } from "../cli/built.ts";
import { tempDirectory } from "../workspace/temp.ts";

const README = readFileSync(join(ROOT, "README.md"), "utf8");

/** The text from a heading to the next one. */
function section(heading: string): string {
  const [, text] = README.split(`\n${heading}\n`);
  if (text === undefined) throw new Error(`README.md has no ${heading}`);
  return text.split(/^#{2,} /m)[0] as string;
}

test.skipIf(process.platform === "win32")(
  "the commands from nothing to a deployment do what is said behind them",
  () => {
    const commands = [...section("## From nothing to a deployment").matchAll(/^ {4}(.+?)(?: {2,}#.*)?$/gm)].map(
      ([, command = ""]) => command,
    );
    let cwd = tempDirectory();
    const missing = new Set<string>();
    for (const command of commands) {
      const [program = "", ...argv] = command.replace(/^npx (?:--no )?/, "").split(" ");
      if (program === "cd") cwd = join(cwd, argv[0] as string);
      else if (program === "cat") expect(readFileSync(join(cwd, argv[0] as string), "utf8")).toContain("```sh");
      else if (program === "qm-deploy") {
        const isSet = argv[0] === "secrets" && argv[1] === "set";
        const value = argv[2] === "PUBLIC_API_URL" ? "https://core.acme.dev\n" : "bx-4f9a1c7e2b8d6035\n";
        const { status, stdout, stderr } = runCli(argv, { cwd, input: isSet ? value : "" });
        const asksForMore = argv.join(" ") === "secrets check";
        expect(status, `${command}: ${stderr}`).toBe(asksForMore ? 1 : 0);
        if (asksForMore)
          for (const [, name = ""] of stderr.concat(stdout).matchAll(/`([A-Z_]+)` is blank/g)) missing.add(name);
        if (isSet) expect(missing.delete(argv[2] as string), command).toBe(true);
      } else if (program !== "npm") throw new Error(`the test knows no ${program}`);
    }
    expect([...missing]).toEqual([]);
    expect(existsSync(join(cwd, "rendered", "docker", "compose.yaml"))).toBe(true);
  },
);

test.skipIf(process.platform === "win32")("the example of the library runs, and prints what check finds", () => {
  const sample = /^```ts\n([\s\S]*?)^```$/m.exec(section("## As a library"))?.[1] ?? "";
  const cwd = tempDirectory();
  expect(runCli(["init", "deployments/acme", "--org", "acme"], { cwd }).status).toBe(0);
  mkdirSync(join(cwd, "node_modules"));
  symlinkSync(ROOT, join(cwd, "node_modules", "qm-deploy"));
  writeFileSync(join(cwd, "sample.mjs"), sample);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["sample.mjs"], { cwd, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^env-file\/missing-secret .*`BOXD_API_KEY`.* \d+$/m);
});

test.skipIf(process.platform === "win32")(
  "the example of docs/library.md runs, and each of its calls has an answer",
  () => {
    const page = readFileSync(join(ROOT, "docs/library.md"), "utf8");
    const cwd = tempDirectory({
      "sample.mjs": /^```ts\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? "",
      "node_modules/x/y": "",
    });
    symlinkSync(ROOT, join(cwd, "node_modules", "qm-deploy"));
    const { status, stdout, stderr } = spawnSync(process.execPath, ["sample.mjs"], { cwd, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    for (const line of [
      /^8 error sandbox\/fly-only-field /m,
      /^false \[ 'remove `sandbox\.app`' \]$/m,
      /^compose\.yaml \d+$/m,
      /^sandbox\.backend: a field of the config$/m,
      /'env-file\/missing-secret'/,
    ])
      expect(stdout).toMatch(line);
  },
);

test("the list of commands has each once", () => {
  const named = [...section("## Commands").matchAll(/`([a-z][a-z-]*)`/g)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
});
