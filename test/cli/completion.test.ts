import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NEWEST } from "../../src/catalog/releases/index.ts";
import { wordsOf } from "../../src/catalog/settings/index.ts";
import { RELEASES } from "../../src/catalog/releases/index.ts";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { INIT } from "../../src/cli/commands/init/init.command.ts";
import { bashCompletion } from "../../src/cli/commands/completion/bash.ts";
import { fishCompletion } from "../../src/cli/commands/completion/fish.ts";
import { zshCompletion } from "../../src/cli/commands/completion/zsh.ts";
import { MODEL_PROVIDER_NAMES, TARGET_NAMES } from "../../src/config/written-config.ts";
import { declarableBackends } from "../../src/catalog/backends/index.ts";
import { tempDirectory } from "../workspace/temp.ts";

function has(shell: string): boolean {
  return spawnSync(shell, ["--version"]).status === 0;
}

/** What bash offers for a command line, the last word of which is being typed. */
function bashOffers(words: readonly string[]): string[] {
  const cwd = tempDirectory({ "some.file": "", "qm-deploy.bash": bashCompletion(COMMANDS) });
  const line = words.map((word) => `'${word}'`).join(" ");
  const script = `source ./qm-deploy.bash; COMP_WORDS=(qm-deploy ${line}); COMP_CWORD=${words.length}; _qm_deploy; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script], { cwd, encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.split("\n").filter(Boolean);
}

describe.skipIf(!has("bash"))("bash (skipped without bash)", () => {
  test.each([
    [[""], ["check", "secrets", "--help"]],
    [["che"], ["check"]],
    [
      ["secrets", ""],
      ["example", "check", "--format="],
    ],
    [["secrets", "check", "--env"], ["--env-file="]],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["check", "--format", "=", "sa"], ["sarif"]],
    [
      ["check", "--format", "="],
      ["pretty", "json", "github", "sarif", "junit"],
    ],
    [["check", "--env-file", "=", "so"], ["some.file"]],
    [["check", "so"], ["some.file"]],
    [["check", "--format", "sa"], ["sarif"]],
    [["check", "--env-file", "so"], ["some.file"]],
    [
      ["init", "--target", ""],
      ["docker", "fly", "aws"],
    ],
    [["init", "--backend", "=", "bo"], ["boxd"]],
    [["upgrade", "0.1.1"], ["0.1.12"]],
    [["diff", "--from-release", ""], RELEASES.map(({ version }) => version)],
    [["check", "--release", "=", "0.1.6"], ["0.1.6"]],
    [["config", "set", "env.core.HARN"], ["env.core.HARNESS"]],
    [
      ["config", "set", "env.core.HARNESS", ""],
      ["pi", "mock"],
    ],
    [
      ["config", "set", "env.core.BOXD_VCPU", ""],
      ["1", "8"],
    ],
    [["config", "get", "env.portal.OIDC_PRIN"], ["env.portal.OIDC_PRINCIPAL_CLAIM"]],
  ])("%j offers %j", (words, offers) => {
    expect(bashOffers(words)).toEqual(expect.arrayContaining(offers));
  });

  test("nothing that does not begin like the word", () => {
    expect(bashOffers(["check", "--str"])).toEqual(["--strict"]);
    expect(bashOffers(["xyz"])).toEqual([]);
    expect(bashOffers(["init", "--target", "f"])).toEqual(["fly"]);
    // Its value is optional and stands behind "=" alone, so that the next word is a path.
    expect(bashOffers(["check", "--fix", "so"])).toEqual(["some.file"]);
    expect(bashOffers(["config", "set", "env.core.HARNESS", "p"])).toEqual(["pi"]);
  });
});

test.skipIf(!has("zsh"))("zsh takes the script (skipped without zsh)", () => {
  const cwd = tempDirectory({ "_qm-deploy": zshCompletion(COMMANDS) });
  const script = `autoload -U compinit; compinit -D -u; source ${join(cwd, "_qm-deploy")}; (( $+functions[_qm_deploy_secrets_check] )) && echo $_comps[qm-deploy]`;
  const { stdout, stderr } = spawnSync("zsh", ["-f", "-c", script], { encoding: "utf8" });
  expect([stdout.trim(), stderr]).toEqual(["_qm_deploy", ""]);
});

test.skipIf(!has("fish"))("fish offers commands and choices (skipped without fish)", () => {
  const cwd = tempDirectory({ "qm.fish": fishCompletion(COMMANDS) });
  const offers = (line: string) =>
    spawnSync("fish", ["--no-config", "-c", `source ${cwd}/qm.fish; complete -C '${line}'`], { encoding: "utf8" })
      .stdout;
  expect(offers("qm-deploy ")).toMatch(/^check\t/m);
  expect(offers("qm-deploy completion ")).toMatch(/^zsh/m);
  expect(offers("qm-deploy check --format=")).toMatch(/sarif/);
  expect(offers("qm-deploy init --target ")).toMatch(/^fly/m);
  expect(offers("qm-deploy config set env.core.HARNESS ")).toMatch(/^codex/m);
});

test("what init offers is what init takes", () => {
  const offered = (name: string) => INIT.options?.find((option) => option.name === name)?.value?.suggests?.toSorted();
  const versions = RELEASES.map(({ version }) => version);
  const backends = TARGET_NAMES.flatMap((target) =>
    RELEASES.flatMap((release) => declarableBackends(target, release).map(({ name }) => name)),
  );
  expect(offered("target")).toEqual(TARGET_NAMES.toSorted());
  expect(offered("backend")).toEqual([...new Set(backends)].toSorted());
  expect(offered("release")).toEqual(versions.toSorted());
  expect(offered("model-provider")).toEqual(MODEL_PROVIDER_NAMES.toSorted());
  expect(offered("email-transport")).toEqual(wordsOf("auth.emailTransport", NEWEST).toSorted());
});

test.each([
  ["bash", bashCompletion],
  ["zsh", zshCompletion],
  ["fish", fishCompletion],
])("%s: every command and option is in the script, and text of ours cannot end a quote", (_shell, make) => {
  const script = make(COMMANDS);
  for (const command of COMMANDS) expect(script).toContain(command.name);
  expect(script).toContain("env-file");
  const hostile = make([
    { name: "x", summary: "it's [a] 'test': $(id) `id`", options: [{ name: "o", description: "it's $(id)" }] },
  ]);
  expect(hostile).not.toMatch(/(?<!\\)"[^"\n]*\$\(id\)/);
});
