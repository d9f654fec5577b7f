import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { answers, DEBIAN_PYTHON } from "../support/programs.ts";
import { programNamed } from "./programs.ts";

function help(program: string, args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(program, args, {
    encoding: "utf8",
    env: { ...process.env, CHECKPOINT_DISABLE: "1" },
  });
  return `${stdout}\n${stderr}`;
}

/** Each command of a table with the flags that it takes. */
async function commandsOf(name: string): Promise<(readonly [words: string, flags: readonly string[]])[]> {
  const { commands } = await programNamed(name);
  return Object.entries(commands).map(([words, { flags = {} }]) => [words, Object.keys(flags)]);
}

const isThere = (text: string, flag: string): boolean => new RegExp(`(?<![\\w-])${flag}(?![\\w-])`).test(text);

describe.skipIf(!answers("docker", ["--version"]))("docker's own help (skipped without the client)", () => {
  const hasPlugin = {
    compose: answers("docker", ["compose", "version"]),
    buildx: answers("docker", ["buildx", "version"]),
  };

  test("has every flag of the table, but for plugins that are not there", async () => {
    for (const [words, flags] of await commandsOf("docker")) {
      const [first = ""] = words.split(" ");
      if (first in hasPlugin && !hasPlugin[first as keyof typeof hasPlugin]) continue;
      const text = help("docker", [...words.split(" "), "--help"]) + help("docker", [first, "--help"]);
      expect(text).toContain(`docker ${words}`);
      for (const flag of flags) expect(isThere(text, flag), `docker ${words} ${flag}`).toBe(true);
    }
  });
});

describe.skipIf(!answers("terraform", ["version"]))("terraform's own help (skipped without it)", () => {
  test("has every flag of the table", async () => {
    for (const [words, flags] of await commandsOf("terraform")) {
      // What shapes a plan, `plan` alone lists.
      const text = help("terraform", [words, "-help"]) + help("terraform", ["plan", "-help"]);
      for (const flag of flags) expect(isThere(text, flag), `terraform ${words} ${flag}`).toBe(true);
    }
    expect(help("terraform", ["-help"])).toContain("-chdir=DIR");
  });
});

/** Prints what botocore's models do not have, a line each. */
const ASK_BOTOCORE = `
import json, sys
import botocore.session
from botocore import xform_name
session = botocore.session.get_session()
for words, flags in json.load(sys.stdin):
    parts = words.split(" ")
    service = "s3" if parts[0] == "s3api" else parts[0]
    if words == "ecr get-login-password":
        continue
    model = session.get_service_model(service)
    name = parts[1]
    if name == "wait":
        waiters = session.get_waiter_model(service)
        found = [one for one in waiters.waiter_names if xform_name(one, "-") == parts[2]]
        name = xform_name(waiters.get_waiter(found[0]).operation, "-") if found else None
    operations = {xform_name(one, "-"): one for one in model.operation_names}
    if name not in operations:
        print("no command: " + words)
        continue
    members = {"--" + xform_name(one, "-") for one in model.operation_model(operations[name]).input_shape.members}
    for flag in set(flags) - members - {"--cli-input-json"}:
        print("no flag: " + words + " " + flag)
`;

describe.skipIf(!answers(DEBIAN_PYTHON, ["-c", "import botocore"]))("botocore's models (skipped without them)", () => {
  test("have every command and flag of the aws table", async () => {
    const input = JSON.stringify(await commandsOf("aws"));
    const { stdout, stderr } = spawnSync(DEBIAN_PYTHON, ["-c", ASK_BOTOCORE], { input, encoding: "utf8" });
    expect(`${stdout}${stderr}`).toBe("");
  });
});
