import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { STAND_IN_FORMS } from "../../src/base/stand-in-forms.ts";
import type { Deployment } from "../../src/deployment/deployment.ts";
import { createReferenceReader } from "../../src/references/read-references.ts";
import { TOOLS } from "../../src/references/tools/index.ts";
import { loadDeployment } from "../../src/workspace/load-deployment.ts";
import { soundConfig } from "../cli/deployments.ts";
import { hangingProgram } from "../support/hanging-program.ts";
import { addFiles, tempDirectory } from "../workspace/temp.ts";
import { HOSTILE, KEY, NOT_ASKED, type Row, ROWS } from "./rows.ts";
import { type StandIns, standIns } from "./stand-ins/index.ts";

function deploymentIn(root: string, env: string, cwd = root): Deployment {
  addFiles(root, { "qm.config.jsonc": soundConfig(), ".env": env });
  const { deployment } = loadDeployment(root, { cwd });
  return deployment as Deployment;
}

/** The deployment with what its references stand for. */
function read(env: string, tools: Pick<StandIns, "env">, root = tempDirectory()): Promise<Deployment> {
  return createReferenceReader({ cwd: root, env: tools.env })(deploymentIn(root, env));
}

async function outcome({ env, world }: Row): Promise<object> {
  const { env: document, inputs } = await read(`CAPABILITY_SECRET=${env}\n`, standIns(world));
  const reading = inputs.readings?.get("CAPABILITY_SECRET");
  if (reading !== undefined && "problem" in reading) return { problem: reading.problem };
  return { value: document?.values.get("CAPABILITY_SECRET") };
}

describe("the tool that a value is for gives it", () => {
  test.each(ROWS)("$what", async (row) => {
    const expected = row.problem === undefined ? { value: row.value } : { problem: expect.stringMatching(row.problem) };
    expect(await outcome(row)).toEqual(expected);
  });

  test.each(HOSTILE)("or does no harm: $what", async (row) => {
    const expected = row.problem === undefined ? { value: row.value } : { problem: expect.stringMatching(row.problem) };
    expect(await outcome(row)).toEqual(expected);
  });

  test("every form that a tool is named for is tried", () => {
    const tried = [...ROWS, ...HOSTILE].map(({ env }) => env.split("\n")[0]?.replaceAll(/^["']|["']$/g, "") ?? "");
    const untried = STAND_IN_FORMS.filter(
      ({ tool, pattern }) => tool !== undefined && !tried.some((text) => pattern.test(text)),
    );
    expect(untried).toEqual([]);
    expect(Object.keys(TOOLS)).toEqual(expect.arrayContaining(STAND_IN_FORMS.flatMap(({ tool }) => tool ?? [])));
  });
});

test.each(NOT_ASKED)("no tool is asked for %s", async (value) => {
  const tools = standIns();
  const { inputs } = await read(`CAPABILITY_SECRET='${value}'\n`, tools);
  expect([...(inputs.readings ?? [])]).toEqual([]);
  expect(tools.starts()).toEqual([]);
});

test("of what a run needs each reference is read once, and of what it does not need none", async () => {
  const tools = standIns({ op: { "op://a/b/c": KEY, "op://a/b/d": `${KEY}d` } });
  const root = tempDirectory();
  const [one, two] = ["one", "two"].map((name) => {
    mkdirSync(join(root, name));
    return deploymentIn(
      join(root, name),
      "CAPABILITY_SECRET=op://a/b/c\nCORE_SIGNING_SECRET=op://a/b/c\nANTHROPIC_API_KEY=op://a/b/d\nNOBODY=op://a/b/e\n",
      root,
    );
  }) as [Deployment, Deployment];
  const reader = createReferenceReader({ cwd: root, env: tools.env });
  for (const deployment of [await reader(one), await reader(one), await reader(two)])
    expect(deployment.env?.values).toEqual(
      new Map([
        ["CAPABILITY_SECRET", KEY],
        ["CORE_SIGNING_SECRET", KEY],
        ["ANTHROPIC_API_KEY", `${KEY}d`],
        ["NOBODY", "op://a/b/e"],
      ]),
    );
  // Where a tool works may change what it finds, so that another directory is another question.
  expect(
    tools
      .starts()
      .map(({ cwd, args }) => `${cwd.slice(root.length)} ${args.at(-1)}`)
      .sort(),
  ).toEqual(["/one op://a/b/c", "/one op://a/b/d", "/two op://a/b/c", "/two op://a/b/d"]);
});

test("an encrypted file is decrypted once, and what is not in it costs no other value", async () => {
  const cipher = (letter: string): string => `encrypted:B${letter.repeat(40)}=`;
  const tools = standIns({ dotenvx: { [cipher("a")]: KEY } });
  const { env, inputs } = await read(
    `DOTENV_PUBLIC_KEY="02abcdef"\nCAPABILITY_SECRET=${cipher("a")}\nANTHROPIC_API_KEY=${cipher("b")}\n`,
    tools,
  );
  expect(env?.values.get("CAPABILITY_SECRET")).toBe(KEY);
  expect(inputs.readings?.get("ANTHROPIC_API_KEY")).toMatchObject({
    problem: expect.stringContaining("DECRYPTION_FAILED"),
  });
  const [start, ...more] = tools.starts();
  expect(more).toEqual([]);
  // A file in the working directory would be read as well, and what is in it run.
  expect(start).toMatchObject({ cwd: "/", args: expect.arrayContaining(["DOTENV_PUBLIC_KEY='02abcdef'"]) });
});

test("a tool that is not there is looked for once, and how to get it is said", async () => {
  const { inputs } = await read("CAPABILITY_SECRET=op://a/b/c\nANTHROPIC_API_KEY=op://a/b/d\n", {
    env: { PATH: tempDirectory() },
  });
  for (const name of ["CAPABILITY_SECRET", "ANTHROPIC_API_KEY"])
    expect(inputs.readings?.get(name)).toEqual({
      problem: "is for `op`, which is not on PATH",
      help: "install 1Password CLI (https://developer.1password.com/docs/cli)",
    });
});

test("a tool in the working directory is not started, whatever PATH says of it", async () => {
  const tools = standIns({ op: { "op://a/b/c": KEY } });
  // The deployment directory is the one that the tool is in.
  const root = tempDirectory();
  copyFileSync(join(tools.env["PATH"] as string, "op"), join(root, "op"));
  for (const path of [".", "", ":", "./", `.:${join(root, "none")}`]) {
    const { inputs } = await read("CAPABILITY_SECRET=op://a/b/c\n", { env: { ...tools.env, PATH: path } }, root);
    expect(inputs.readings?.get("CAPABILITY_SECRET")).toMatchObject({
      problem: expect.stringContaining("not on PATH"),
    });
  }
  expect(tools.starts()).toEqual([]);
});

test("a tool that hangs is ended with what it started, and not asked again", async () => {
  const tool = hangingProgram("op");
  const root = tempDirectory();
  const reader = createReferenceReader({ cwd: root, env: { PATH: tool.path }, limitMs: 2000 });
  const { inputs } = await reader(deploymentIn(root, "CAPABILITY_SECRET=op://a/b/c\nANTHROPIC_API_KEY=op://a/b/d\n"));
  for (const name of ["CAPABILITY_SECRET", "ANTHROPIC_API_KEY"])
    expect(inputs.readings?.get(name)).toMatchObject({ problem: "was not given by `op` within 2 seconds" });
  await tool.ended();
});

test("an interrupt ends a tool, and is what is thrown", async () => {
  const tool = hangingProgram("op");
  const root = tempDirectory();
  const stop = new AbortController();
  const reader = createReferenceReader({ cwd: root, env: { PATH: tool.path } });
  const reading = reader(
    deploymentIn(root, "CAPABILITY_SECRET=op://a/b/c\nANTHROPIC_API_KEY=op://a/b/d\n"),
    stop.signal,
  );
  await tool.started();
  stop.abort(new Error("stopped"));
  await expect(reading).rejects.toThrow("stopped");
  await tool.ended();
});
