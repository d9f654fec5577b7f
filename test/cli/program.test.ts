import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { main } from "../../src/cli/main.ts";
import { argumentError } from "../../src/cli/argument-error.ts";
import { parseCommandLine } from "../../src/cli/parse-command-line.ts";
import { PASSED, USAGE } from "../../src/cli/exit-status.ts";
import type { CommandDefinition } from "../../src/cli/command-definition.ts";
import manifest from "../../package.json" with { type: "json" };
import { fakeIo } from "./fake-io.ts";

const COMMANDS_OF_TEST: readonly CommandDefinition[] = [
  {
    name: "go",
    summary: "goes",
    args: [{ name: "path", description: "where", many: true }],
    options: [
      { name: "fix", description: "mends", value: { name: "which", choices: ["safe", "all"], preset: "safe" } },
      { name: "env-file", description: "a file", value: { name: "file" } },
      { name: "strict", short: "s", description: "is strict" },
    ],
    commands: [{ name: "deep", summary: "goes deep", load: () => Promise.reject(new Error("not called")) }],
    load: () => Promise.reject(new Error("not called")),
  },
];

function parse(...argv: string[]) {
  const io = fakeIo(argv);
  const parsed = parseCommandLine(io, COMMANDS_OF_TEST, "1.2.3");
  if (typeof parsed === "number") return { io, seen: parsed };
  if (!("refused" in parsed)) return { io, seen: [parsed.command.name, parsed.args, parsed.options] };
  io.stderr.write(argumentError(parsed.refused));
  const seen = USAGE;
  return { io, seen };
}

describe("parsing", () => {
  test.each([
    [["go"], ["go", [], { fix: undefined, "env-file": undefined, strict: undefined }]],
    [
      ["go", "a", "-s", "b"],
      ["go", ["a", "b"], { fix: undefined, "env-file": undefined, strict: true }],
    ],
    [
      ["go", "--fix", "a"],
      ["go", ["a"], { fix: "safe", "env-file": undefined, strict: undefined }],
    ],
    [
      ["go", "--fix=all", "--env-file", "x"],
      ["go", [], { fix: "all", "env-file": "x", strict: undefined }],
    ],
    [
      ["go", "--", "--fix", "-"],
      ["go", ["--fix", "-"], { fix: undefined, "env-file": undefined, strict: undefined }],
    ],
    [
      ["go", "-"],
      ["go", ["-"], { fix: undefined, "env-file": undefined, strict: undefined }],
    ],
    [
      ["go", "deep"],
      ["deep", [], {}],
    ],
  ])("%j", (argv, seen) => {
    expect(parse(...argv).seen).toEqual(seen);
  });

  test.each([
    [["og"], "Did you mean go?"],
    [["go", "--strct"], "Did you mean --strict?"],
    [["go", "--fix=some"], "Allowed choices are safe, all"],
    [["go", "--env-file"], "argument missing"],
    [["go", "deep", "x"], "too many arguments"],
  ])("%j is wrong, and what was meant is suggested on stderr", (argv, says) => {
    const { seen, io } = parse(...argv);
    expect(seen).toBe(USAGE);
    expect(io.err).toContain(says);
    expect(io.out).toBe("");
  });

  test.each([
    [["go", "-----BEGIN PRIVATE KEY-----\nhunter2"]],
    [["go", "-hunter2"]],
    [["go", "--Hunter2"]],
    [["go", "--hunter=hunter2"]],
    [["deep", "--hunter2"]],
    [["--hunter2", "go"]],
  ])("%j is wrong, and a word that may be a value is not repeated", (argv) => {
    const { seen, io } = parse(...argv);
    expect(seen).toBe(USAGE);
    expect(io.err).not.toMatch(/hunter2/i);
    expect(io.err).toContain("--");
  });

  test("a value that begins with a hyphen is told its way", () => {
    expect(parse("go", "-1").io.err).toBe(
      "error: a word begins with `-` and is no option; where it is a value, put `--` before it, and give a secret on stdin\n(run with --help for what is possible)\n",
    );
  });

  test.each([[["--help"]], [["go", "--help"]], [["help", "go"]], [["--version"]], [["-V"]]])(
    "%j is printed on stdout",
    (argv) => {
      const { seen, io } = parse(...argv);
      expect(seen).toBe(PASSED);
      expect(io.out).not.toBe("");
      expect(io.err).toBe("");
    },
  );
});

describe("help", () => {
  const paths = (commands: readonly CommandDefinition[], above: readonly string[] = []): string[][] =>
    commands.flatMap(({ name, commands: below = [] }) => [[...above, name], ...paths(below, [...above, name])]);

  test.each([[[]], ...paths(COMMANDS).map((path) => [path])] as [string[]][])("of %j is as committed", async (path) => {
    const io = fakeIo([...path, "--help"]);
    expect(await main(io)).toBe(0);
    await expect(io.out).toMatchFileSnapshot(`golden/help/${["qm-deploy", ...path].join("-")}.txt`);
  });

  test("every example of every command is a command line that parses", () => {
    const examples = (commands: readonly CommandDefinition[]): string[] =>
      commands.flatMap((command) => [
        ...(command.examples ?? []).map(([line]) => line),
        ...examples(command.commands ?? []),
      ]);
    const all = examples(COMMANDS);
    expect(all.length).toBeGreaterThan(5);
    for (const example of all) {
      const words = (/qm-deploy ([^|<>)"]*)/.exec(example)?.[1] ?? "").trim().split(/\s+/);
      expect(parseCommandLine(fakeIo(words), COMMANDS, "1"), example).toBeTypeOf("object");
    }
  });
});

test("--version prints the version of the package", async () => {
  const io = fakeIo(["--version"]);
  expect(await main(io)).toBe(0);
  expect(io.out).toBe(`${manifest.version}\n`);
});

test("a fault of ours ends with 70, says what to report, and quotes nothing of the input", async () => {
  const stdout = {
    write: () => {
      throw new TypeError("a message with hunter2 in it");
    },
  };
  const io = fakeIo(["version"], { stdout });
  expect(await main(io)).toBe(70);
  expect(io.err).toContain("fault of qm-deploy");
  expect(io.err).toMatch(/TypeError\n\s+at /);
  expect(io.err).not.toContain("hunter2");
});
