import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CommandDefinition } from "../../../src/cli/command-definition.ts";
import { COMMANDS as ALL } from "../../../src/cli/commands/index.ts";
import { main } from "../../../src/cli/main.ts";
import { inTurn } from "../../support/runs.ts";
import { addFiles, tempDirectory } from "../../workspace/temp.ts";
import { fakeIo } from "../fake-io.ts";
import { COMMANDS, FORMS, MARK, OBEYED, PHRASE, PLACES, planted, surroundings } from "./plants.ts";

const HIDDEN = new RegExp(`${MARK}|${PHRASE}`, "g");
/** Characters and words that act on a terminal or a log. */
const ACTS = [
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029\ufeff\ufffe\uffff]/u,
  new RegExp(`^\\s*::[a-z-]+(?: name=x)?::${OBEYED}`, "m"),
  /##[a-z]*\[/i,
];

/** Runs a command line in a directory; what it prints, and what of it may not be. */
async function leaksOf(argv: readonly string[], cwd: string, hides = true): Promise<string[]> {
  const io = fakeIo(argv, { cwd, env: { PATH: "" }, interrupted: () => Promise.resolve("SIGINT") });
  const status = await main(io);
  const text = io.out + io.err;
  const said = `qm-deploy ${argv.join(" ")}`;
  const near = (at: number) => `${said}: …${text.slice(Math.max(0, at - 60), at + 40)}…`;
  const found = hides ? [...text.matchAll(HIDDEN)].map(({ index }) => near(index)) : [];
  for (const pattern of ACTS) {
    const match = pattern.exec(text);
    if (match !== null) found.push(near(match.index));
  }
  if (status === 70) found.push(`${said}: ${text}`);
  if (argv.includes("json") && io.out !== "") JSON.parse(io.out);
  return found;
}

const FORMATS = ["pretty", "json", "github", "sarif", "junit"];
const BOTH = ["pretty", "json"];

/** Command lines that look and tell, by command; `.` is the deployment. */
const TELLING: { readonly [command: string]: readonly (readonly string[])[] } = {
  check: [...FORMATS.map((format) => ["--format", format]), ["--strict"], ["--watch"]],
  render: [...BOTH.map((format) => ["--check", "--format", format]), ["--only", "x", "--stdout"]],
  secrets: BOTH.map((format) => ["--format", format]),
  "secrets check": FORMATS.map((format) => ["--format", format]),
  "secrets set": [["ANTHROPIC_API_KEY", "--generate"]],
  explain: [
    ...BOTH.map((format) => ["--format", format]),
    ...["env", "core", "FOO", "secretEnv", "sandbox", "plugins", "imageOverrides", "aws", "publicUrl", "boxd"].flatMap(
      (thing) => BOTH.map((format) => [thing, "--format", format]),
    ),
  ],
  status: [[], ["--drift"], ["--format", "json"]],
  drift: [[], ...["json", "markdown"].map((format) => ["--from", "answers.json", "--format", format])],
  diff: ["../plain", "."].flatMap((other) => [...BOTH, "github"].map((format) => [other, "--format", format])),
  upgrade: ["text", "json", "github"].map((format) => ["0.1.6", "--format", format]),
  graph: ["mermaid", "svg", "json"].map((format) => ["--format", format]),
  "config set": [["env.core.ACME_X", "y"]],
  "config unset": [["env.core.NOBODY"]],
  init: [["--dry-run", "--org", "acme", "--target", "docker"]],
  "sandbox build": [["--dry-run"]],
  "sandbox publish": [["--dry-run"]],
  "dev-env": ["shell", "dotenv", "json"].map((format) => ["--sandbox", "boxd", "--format", format]),
  // A request that says nothing: what they print of one is in their own tests, as it asks a network.
  "openenv start": [["--json"]],
  "openenv wait": [["--json"]],
  "openenv stop": [["--json"]],
  schema: [[]],
  completion: ["bash", "zsh", "fish"].map((shell) => [shell]),
  version: BOTH.map((format) => ["--format", format]),
};

/** Command lines that print or write what others go on with, to the letter: no secret that is known may be in it. */
const HANDING_ON: { readonly [command: string]: readonly (readonly string[])[] } = {
  render: [
    ["--force"],
    ...["core.env", "compose.yaml", "qm/qm.config.jsonc", "bring-up.md"].map((name) => [
      "--force",
      "--only",
      name,
      "--stdout",
    ]),
  ],
  upgrade: [["0.1.12", "--write"]],
  "secrets example": [[]],
  "config get": [["env"], ["secretEnv"], ["sandbox"], ["plugins"], ["aws", "--format", "json"]],
};

/** Commands that ask a network or other programs; their own tests look at what they print. */
const ELSEWHERE = ["lsp", "doctor", "boxd smoke", "boxd list", "boxd rm"];

function leaves(commands: readonly CommandDefinition[], above = ""): { name: string; command: CommandDefinition }[] {
  return commands.flatMap((command) => [
    ...(command.load === undefined ? [] : [{ name: `${above}${command.name}`, command }]),
    ...leaves(command.commands ?? [], `${above}${command.name} `),
  ]);
}

test("every command is in one of the walks", () => {
  const walked = [...Object.keys(TELLING), ...Object.keys(HANDING_ON), ...ELSEWHERE];
  expect(leaves(ALL).filter(({ name }) => !walked.includes(name))).toEqual([]);
});

function lines(of: typeof TELLING): string[][] {
  return Object.entries(of).flatMap(([command, all]) => all.map((rest) => [...command.split(" "), ...rest]));
}

const PLAIN = planted(() => ({}), "x")["qm.config.jsonc"] as string;

/** A directory with these files in `d`, and a deployment beside it to compare with; the path of `d`. */
function directoryWith(files: { readonly [path: string]: string }): string {
  const root = tempDirectory({ "plain/qm.config.jsonc": PLAIN });
  addFiles(join(root, "d"), files);
  return join(root, "d");
}

async function walk(all: readonly (readonly string[])[], cwd: string): Promise<string[]> {
  const found: string[] = [];
  for (const argv of all) found.push(...(await leaksOf(argv, cwd)));
  return found;
}

describe.each(Object.entries(PLACES).map(([name, place], turn) => [name, place, turn] as const))(
  "%s",
  (_, place, turn) => {
    /** In the quick tier each place and form takes its turn of the command lines. */
    const telling = (form: number) => inTurn(lines(TELLING), 8, turn + form);

    test.each(Object.entries(FORMS).map(([looks, text], form) => [looks, text, form] as const))(
      "shows no secret that looks %s",
      async (__, text, form) => {
        expect(await walk(telling(form), directoryWith(planted(place, text)))).toEqual([]);
      },
    );

    test.each([FORMS["recognized"] as string, PHRASE])(
      "hands on no secret that can be recognized: %s",
      async (text) => {
        // `config get` looks at the config alone.
        const all = lines(HANDING_ON).filter(([command]) => text !== PHRASE || command !== "config");
        const cwd = directoryWith(planted(place, text, "x"));
        expect(await walk(all, cwd)).toEqual([]);
        expect(existsSync(join(cwd, "rendered/docker/bring-up.md")), "nothing is rendered").toBe(false);
      },
    );

    test("gives no command to a terminal or a log", async () => {
      expect(await walk(telling(3), directoryWith(planted(place, COMMANDS)))).toEqual([]);
    });
  },
);

test.each([...Object.values(FORMS), COMMANDS])("of what runs, nothing secret is shown: %#", async (text) => {
  const { "answers.json": answers = "" } = surroundings(text);
  const cwd = directoryWith({ "answers.json": answers, ".env": `SMTP_PASSWORD=${PHRASE}\n`, "qm.config.jsonc": PLAIN });
  const all = ["pretty", "json", "markdown"].map((format) => ["drift", "--from", "answers.json", "--format", format]);
  const io = fakeIo(all[0] as string[], { cwd });
  expect(await main(io), io.err).toBe(1);
  expect(io.out, "there is something to compare").toContain("core: ");
  expect(await walk(all, cwd)).toEqual([]);
});

test("in colour, nothing acts on a terminal but the colours", async () => {
  for (const argv of lines(TELLING)) {
    const cwd = directoryWith(planted(PLACES["a name of env"] as (text: string) => object, COMMANDS));
    const io = fakeIo(argv, { cwd, env: { PATH: "", FORCE_COLOR: "1" }, interrupted: () => Promise.resolve("SIGINT") });
    await main(io);
    expect((io.out + io.err).replaceAll(/\u001b\[\d{1,2}m/g, ""), argv.join(" ")).not.toMatch(ACTS[0] as RegExp);
  }
});

test("what stands beside a config hands on no secret", async () => {
  const cwd = directoryWith(planted(() => ({}), "x", FORMS["recognized"] as string));
  expect(await walk(lines(HANDING_ON), cwd)).toEqual([]);
});

test("a sound deployment is rendered", async () => {
  const cwd = directoryWith({ "qm.config.jsonc": PLAIN });
  expect(await walk(lines(HANDING_ON), cwd)).toEqual([]);
  expect(existsSync(join(cwd, "rendered/docker/bring-up.md"))).toBe(true);
});

/** Options whose value is a file or directory, which is named as it was given. */
const PATHS = ["in", "env-file", "out", "worktree", "toolkit", "from"];

/** Every way to say a command with a text in the place of a word; where that may be a path as well, `isPath`. */
function misused({ name, command }: ReturnType<typeof leaves>[number], text: string, isPath: boolean): string[][] {
  const words = name.split(" ");
  const options = (command.options ?? []).filter(
    ({ name: option, value }) =>
      value !== undefined && (isPath || (!PATHS.includes(option) && value.preset === undefined)),
  );
  const takesPath = (command.args ?? []).some(({ completes }) => completes !== undefined);
  return [
    ...(takesPath && !isPath
      ? []
      : [
          [...words, text],
          [...words, ".", text],
        ]),
    [...words, `--${text}`],
    ...options.flatMap((option) => [
      [...words, `--${option.name}`, text],
      [...words, ".", `--${option.name}=${text}`],
    ]),
  ];
}

describe("a wrong argument", () => {
  const words = ["", "help", "config", "sandbox", "boxd"];
  test.each([
    ["like an unknown secret", FORMS["unknown"] as string, false],
    ["like a known secret", FORMS["recognized"] as string, true],
    ["like a command", COMMANDS, true],
  ])("%s is repeated by no command", async (_, text, isPath) => {
    const cwd = tempDirectory({ "qm.config.jsonc": PLAIN });
    const all = [
      ...words.map((word) => (word === "" ? [text] : [word, text])),
      // A directory of that name would be made, and programs be asked.
      ...leaves(ALL)
        .filter(({ name }) => name !== "init" && name !== "doctor")
        .flatMap((leaf) => misused(leaf, text, isPath)),
      ...["org", "target", "backend", "public-url", "release", "action"].map((option) => [
        "init",
        "x",
        "--yes",
        "--dry-run",
        `--${option}`,
        text,
      ]),
    ];
    expect(await walk(all, cwd)).toEqual([]);
  });
});

test("names of files, in any place, give no command to a log", async () => {
  const name = COMMANDS.replaceAll("/", "").slice(0, 80);
  const cwd = tempDirectory();
  addFiles(join(cwd, name), { ...surroundings(COMMANDS), "qm.config.jsonc": PLAIN, [`${name}.jsonc`]: "{}" });
  const all = [
    ...FORMATS.map((format) => ["check", ".", name, join(name, `${name}.jsonc`), "--format", format]),
    ["render", "--check", name],
    ["render", name],
    ["secrets", name],
    ["explain", "--in", name],
    ["diff", name, name],
    ["graph", name],
    ["graph", name, "--format", "svg"],
    ["init", name, "--dry-run"],
    ["config", "get", "x", "--in", name],
  ];
  expect(await walk(all, cwd)).toEqual([]);
});
