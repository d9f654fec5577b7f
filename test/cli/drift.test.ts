import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { renderDeployment } from "../../src/render/render.ts";
import { loadDeployment } from "../../src/workspace/load-deployment.ts";
import { type Answers, deployed } from "../live/rig.ts";
import { contextOf } from "../render/support.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { soundConfig } from "./deployments.ts";
import { fakeIo } from "./fake-io.ts";

/** A directory with a sound deployment, rendered, and what docker says of it in `answers.json`. */
async function directory(change: (answers: Answers) => void = () => undefined): Promise<string> {
  const cwd = tempDirectory({ "qm.config.jsonc": soundConfig() });
  await main(fakeIo(["render"], { cwd }));
  const { deployment } = loadDeployment(".", { cwd });
  if (deployment === undefined) throw new Error("no deployment");
  const context = contextOf(deployment);
  const answers: Answers = deployed({
    context,
    rendered: renderDeployment(deployment, context.options),
    directory: cwd,
  });
  change(answers);
  writeFileSync(join(cwd, "answers.json"), JSON.stringify(answers));
  return cwd;
}

async function drift(cwd: string, args: readonly string[], more: Parameters<typeof fakeIo>[1] = {}) {
  const io = fakeIo(["drift", ...args], { cwd, env: { PATH: "" }, ...more });
  const status = await main(io);
  return { status, out: io.out, err: io.err };
}

const FROM = ["--from", "answers.json"];
const CHANGE = ({ containers }: Answers) => {
  containers[1].Config.Env.unshift("SANDBOX_BACKEND=local", "ADDED=by-hand-0123456789abcdef");
  containers[1].Config.Env = containers[1].Config.Env.filter((one: string) => one !== "SANDBOX_BACKEND=boxd");
  containers.pop();
};
const UP = "docker compose -f rendered/docker/compose.yaml up --detach --wait";

describe("from saved answers", () => {
  test("what runs as it is rendered passes, and nothing is written", async () => {
    const cwd = await directory();
    const before = readdirSync(cwd, { recursive: true });
    const io = await drift(cwd, FROM);
    expect(io).toEqual({ status: 0, out: "passed  what runs is what is rendered\n", err: "" });
    expect(readdirSync(cwd, { recursive: true })).toEqual(before);
  });

  test("what differs is told with the commands that settle it", async () => {
    expect(await drift(await directory(CHANGE), FROM)).toEqual({
      status: 1,
      out: [
        "core: `ADDED` is set, and nothing rendered sets it",
        "core: `SANDBOX_BACKEND` is `local`; rendered is `boxd`",
        `  run: ${UP}`,
        "web-ui: does not run: nothing of it is there",
        `  run: ${UP}`,
        "drift  3 differences in 2 workloads\n",
      ].join("\n"),
      err: "",
    });
  });

  test("json", async () => {
    const { out, status } = await drift(await directory(CHANGE), [...FROM, "--format", "json"]);
    expect(status).toBe(1);
    expect(JSON.parse(out)).toEqual({
      version: 1,
      config: "qm.config.jsonc",
      target: "docker",
      release: { pinned: null, resolved: "0.1.12", source: "default" },
      ok: false,
      directory: "rendered/docker",
      rendered: "current",
      findings: [
        expect.objectContaining({
          attribute: "environment",
          kind: "extra",
          name: "ADDED",
          rendered: null,
          running: null,
        }),
        {
          workload: "core",
          attribute: "environment",
          kind: "other",
          name: "SANDBOX_BACKEND",
          rendered: "boxd",
          running: "local",
          units: ["container qm-acme-core"],
          partial: false,
          message: "`SANDBOX_BACKEND` is `local`; rendered is `boxd`",
          commands: [UP],
        },
        expect.objectContaining({ workload: "web-ui", attribute: "workload", kind: "missing", units: [] }),
      ],
      refusals: [],
      diagnostics: [],
    });
  });

  test("markdown", async () => {
    const { out, status } = await drift(await directory(CHANGE), [...FROM, "--format", "markdown"]);
    expect(status).toBe(1);
    expect(out).toContain("### Drift of acme on docker\n\n3 differences in 2 workloads.\n\n| Workload | Difference |");
    expect(out).toContain("| `core` | `SANDBOX_BACKEND` is `local`; rendered is `boxd` |");
    expect(out).toMatch(/```sh\ndocker compose [^\n]+\n```\n$/);
    const clean = await drift(await directory(), [...FROM, "--format", "markdown"]);
    expect(clean.out).toBe("### Drift of acme on docker\n\nWhat runs is what is rendered.\n");
  });

  test("on stdin", async () => {
    const cwd = await directory();
    const stdin = (async function* () {
      yield JSON.stringify({ version: 1, target: "docker", containers: [] });
    })();
    const { out, status } = await drift(cwd, ["--from", "-"], { stdin });
    expect(status).toBe(1);
    expect(out).toContain("core: does not run");
  });

  test("files that are not what the config says: that is said, and they are rendered first", async () => {
    const cwd = await directory(CHANGE);
    writeFileSync(join(cwd, "rendered/docker/core.env"), "A=b\n");
    const { out } = await drift(cwd, FROM);
    expect(out).toContain(`  run: qm-deploy render\n  run: ${UP}\n`);
    expect(out).toContain("info: rendered/docker is not what the config says");
    expect(JSON.parse((await drift(cwd, [...FROM, "--format", "json"])).out)).toMatchObject({ rendered: "stale" });
  });

  test("ports are compared with the address that was rendered for", async () => {
    const cwd = await directory(({ containers }) => {
      for (const { HostConfig } of containers)
        for (const bindings of Object.values(HostConfig.PortBindings) as Answers[]) bindings[0].HostIp = "0.0.0.0";
    });
    expect((await drift(cwd, FROM)).out).toContain("2 differences");
    await main(fakeIo(["render", "--bind", "0.0.0.0"], { cwd }));
    expect(await drift(cwd, [...FROM, "--bind", "0.0.0.0"])).toMatchObject({ status: 0 });
  });
});

describe("what cannot be compared ends with 2 and its reason", () => {
  test.each([
    ["a file that is not there", {}, "nothing.json", "there is no such file"],
    ["no JSON", { "a.json": "{" }, "a.json", "nothing was compared: the file is not JSON"],
    ["another target's", { "a.json": '{"version":1,"target":"fly"}' }, "a.json", '`target` is not "docker"'],
    ["another version", { "a.json": '{"version":2}' }, "a.json", "`version` is not 1"],
    ["no answers", { "a.json": '{"version":1,"target":"docker"}' }, "a.json", "`containers` is not a list"],
  ])("%s", async (_, files, from, says) => {
    const cwd = tempDirectory({ "qm.config.jsonc": soundConfig(), ...files });
    const pretty = await drift(cwd, ["--from", from]);
    expect(pretty).toMatchObject({ status: 2, out: "" });
    expect(pretty.err).toContain(says);
    // Whoever saved the file can mend it; a fault of ours it is not.
    expect(pretty.err).not.toContain("report");
    const json = await drift(cwd, ["--from", from, "--format", "json"]);
    expect(json.status).toBe(2);
    expect(json.out).toContain(JSON.stringify(says).slice(1, -1));
  });

  test("a program that is not there", async () => {
    const { status, err } = await drift(tempDirectory({ "qm.config.jsonc": soundConfig() }), []);
    expect(status).toBe(2);
    expect(err).toContain("`docker` is not on PATH");
  });

  test.each([["-"], [".", "--bind", "everywhere"]])("a wrong command line: %s", async (...args) => {
    const { status } = await drift(tempDirectory({ "qm.config.jsonc": soundConfig() }), [...args, ...FROM]);
    expect(status).toBe(2);
  });
});

test("a deployment that is not rendered is not compared", async () => {
  const cwd = tempDirectory({ "qm.config.jsonc": soundConfig({ orgId: "No Good" }) });
  const { status, out, err } = await drift(cwd, FROM);
  expect({ status, out }).toEqual({ status: 1, out: "" });
  expect(err).toContain("error: nothing was compared");
  const json = JSON.parse((await drift(cwd, [...FROM, "--format", "json"])).out) as {
    findings: unknown;
    diagnostics: object[];
  };
  expect(json).toMatchObject({ ok: false, findings: null, rendered: null });
  expect(json.diagnostics.length).toBeGreaterThan(0);
});

test.skipIf(process.platform === "win32")(
  "the program is asked, and hides no secret in what it complains of",
  async () => {
    const secret = "correct horse battery staple";
    const path = tempDirectory({ docker: `#!/bin/sh\necho "error: ${secret}" >&2\nexit 1\n` });
    chmodSync(join(path, "docker"), 0o755);
    const cwd = tempDirectory({ "qm.config.jsonc": soundConfig(), ".env": `BOXD_API_KEY='${secret}'\n` });
    const { status, err } = await drift(cwd, [], { env: { PATH: path } });
    expect(status).toBe(2);
    expect(err).toMatch(/`docker ps --all --quiet --no-trunc --filter label=\S+` failed: error: \[hidden\]/);
    expect(err).not.toContain(secret);
  },
);
