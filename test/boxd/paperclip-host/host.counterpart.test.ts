/** The package for hosts, installed by the real Paperclip server, with agents that run on machines of the wire plane. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureBuilt } from "../../../scripts/build.mjs";
import { makeTree } from "../../../scripts/release-tree/paperclip.mjs";
import { FakePlane, realPlaneClock, TEST_KEY, type FakeMachine } from "../../support/boxd-fake/index.ts";
import { NEWEST } from "../../support/boxd-wire/newest.ts";
import { WirePlane } from "../../support/boxd-wire/server.ts";
import { Board } from "./board.ts";
import { findInstallation, type Installation } from "./installation.ts";
import { PaperclipServer, until } from "./paperclip-server.ts";
import { recordedCalls, type HostCall } from "./record.ts";

/** What an agent's program says when it is done, in the form of Claude Code's `stream-json`. */
const SPEECH = [
  { type: "system", subtype: "init", session_id: "s-1", model: "claude-test" },
  { type: "assistant", session_id: "s-1", message: { role: "assistant", content: [{ type: "text", text: "Done." }] } },
  {
    type: "result",
    subtype: "success",
    session_id: "s-1",
    is_error: false,
    result: "Done.",
    total_cost_usd: 0,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
];

/** Closes the agent's issue as agents do: at the host's API, which the host brings into the machine. An issue left open only means one more run. */
const CLOSE = `
const { PAPERCLIP_API_URL, PAPERCLIP_API_KEY, PAPERCLIP_TASK_ID, PAPERCLIP_RUN_ID } = process.env;
const headers = {
  authorization: "Bearer " + PAPERCLIP_API_KEY,
  "content-type": "application/json",
  "x-paperclip-run-id": PAPERCLIP_RUN_ID,
};
const body = JSON.stringify({ status: "done", comment: "Done." });
await fetch(PAPERCLIP_API_URL + "/api/issues/" + PAPERCLIP_TASK_ID, { method: "PATCH", headers, body });
`;

/** An agent's program: it leaves a line in the workspace and one at home, and closes its issue after `work`. */
function agentProgram(work: string): string {
  const lines = SPEECH.map((line) => `echo '${JSON.stringify(line)}'`).join("\n");
  return `#!/bin/sh
case " $* " in *" --version "*) echo "2.1.0 (Claude Code)"; exit 0 ;; esac
cat >/dev/null
echo "a run" | tee -a agent.log >>~/agent.log
${work}
node --input-type=module -e '${CLOSE}' 2>/dev/null
${lines}
`;
}

/**
 * How long this host takes a run for another host's, after that was killed. One that starts again sooner leaves the run to a
 * sweep that comes 5 minutes later.
 */
const CONTROLLER_LEASE_MS = 61_000;
/** Long enough to be caught at work. A cancel waits for it: this host cuts no command short. */
const SLOWLY = "sleep 30";

const TOOLS = {
  claude: agentProgram(":"),
  "claude-slow": agentProgram(SLOWLY),
  // The host installs agents that are not there, and the machine's disk is in part this computer's.
  npm: "#!/bin/sh\necho no registry >&2\nexit 1\n",
};

const installation = findInstallation(process.env);
const skipped = typeof installation === "string";

describe.skipIf(skipped)(`the real Paperclip host${skipped ? ` (skipped: ${installation})` : ""}`, () => {
  let folder: string;
  let record: string;
  let plane: FakePlane;
  let wire: WirePlane;
  let server: PaperclipServer;
  let board: Board;

  beforeAll(async () => {
    await ensureBuilt();
    folder = mkdtempSync(join(tmpdir(), "paperclip-host-"));
    chmodSync(folder, 0o755);
    plane = new FakePlane({ quirks: NEWEST, clock: realPlaneClock, mounts: true, tools: TOOLS });
    wire = await WirePlane.open(plane);
    server = new PaperclipServer(installation as Installation, folder);
    record = join(folder, "home", "record.jsonl");
    await makePackage();
    await server.start();
    const { status, body } = await server.ask("POST", "/plugins/install", {
      packageName: join(folder, "package"),
      isLocalPath: true,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    await server.get("PATCH", "/instance/settings/experimental", { enableIsolatedWorkspaces: true });
    board = await Board.open(server, { apiKey: TEST_KEY, org: plane.org.slug, baseUrl: wire.address });
  }, 400_000);

  afterAll(async () => {
    await server.dispose();
    await wire.close();
    await plane.dispose();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  /** The package as npm packs it, with the SDK that speaks to the plane and a recorder in front. */
  async function makePackage(): Promise<void> {
    await makeTree(join(folder, "tree"));
    const packed = execFileSync("npm", ["pack", "--json", "./tree"], { cwd: folder, encoding: "utf8" });
    const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
    execFileSync("tar", ["xzf", filename], { cwd: folder });
    const makeSdk = join(import.meta.dirname, "../../support/boxd-wire/make-sdk.mjs");
    execFileSync(process.execPath, [makeSdk, join(folder, "package/node_modules/@boxd-sh/sdk")]);
    const worker = join(folder, "package/dist/paperclip/worker.js");
    const recorder = join(import.meta.dirname, "recorder.mjs");
    writeFileSync(worker, `import ${JSON.stringify(`${recorder}?file=${record}`)};\n${readFileSync(worker, "utf8")}`);
  }

  /** The calls about one environment since `from`. */
  function callsOf(environment: string): HostCall[] {
    return recordedCalls(record).filter(({ params }) => params["environmentId"] === environment);
  }

  function methodsOf(environment: string): string[] {
    return callsOf(environment)
      .map(({ method }) => method.replace(/^environment/, ""))
      .filter((method, at, all) => method !== all[at - 1]);
  }

  /** The machines that were made for one environment and are not deleted. */
  function survivorsOf(environment: string): FakeMachine[] {
    return plane.survivors().filter(({ params }) => params.labels?.["paperclip-environment"] === environment);
  }

  /** A git repository that the host may read and write. */
  function repository(name: string): string {
    const path = join(folder, "home", name);
    mkdirSync(path);
    server.own(path);
    const { asUser } = installation as Installation;
    const git = (...args: string[]) => {
      const [program = "", ...rest] = [...asUser, "git", "-C", path, ...args];
      execFileSync(program, rest, { env: { PATH: process.env["PATH"], HOME: server.home }, stdio: "pipe" });
    };
    git("init", "--quiet", "--initial-branch=main");
    git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "--allow-empty", "-m", "first");
    return path;
  }

  /** Waits until an agent's program works in a machine of the environment. */
  async function working(environment: string): Promise<FakeMachine> {
    const isWorking = (machine: FakeMachine) => machine.processes().some(({ argv }) => argv.join(" ") === SLOWLY);
    await until("the agent works", 120_000, async () => survivorsOf(environment).some(isWorking));
    return survivorsOf(environment).find(isWorking) as FakeMachine;
  }

  test("takes the package, and its worker runs", async () => {
    const plugins = await server.get<{ pluginKey: string; status: string }[]>("GET", "/plugins");
    expect(plugins).toMatchObject([{ pluginKey: "paperclip.boxd-sandbox-provider", status: "ready" }]);
  });

  test("probes: a good key works, a bad one is refused and not shown, a wrong size is named", async () => {
    expect(await board.probe({})).toMatchObject({ status: 200, body: { ok: true } });
    const bad = await board.probe({ apiKey: "bxd_wrong-key-of-the-test" });
    expect(bad).toMatchObject({ status: 200, body: { ok: false } });
    expect(JSON.stringify(bad.body)).not.toContain("wrong-key");
    const wrong = await board.tryEnvironment({ vcpu: 3 });
    expect(wrong.status).toBe(422);
    expect(JSON.stringify(wrong.body)).toContain("`vcpu` must be 1, 2, 4 or 8");
    expect(plane.survivors()).toEqual([]);
  });

  test("a run on a machine of its own, which is deleted; files go in and out by boxd's file calls", async () => {
    const environment = await board.environment();
    const agent = await board.agent(environment);
    await board.issue(agent);
    const { runs, leases } = await board.settled(agent, environment);
    await board.pause(agent);
    for (const { status, error } of runs) expect([status, error]).toEqual(["succeeded", null]);
    for (const lease of leases) expect(lease).toMatchObject({ status: "released", cleanupStatus: "success" });
    expect(methodsOf(environment).slice(0, 7).join(" ")).toBe(
      "AcquireLease RealizeWorkspace Execute SyncIn Execute SyncOut Execute",
    );
    const released = callsOf(environment).filter(({ method }) => method === "environmentReleaseLease");
    expect(released.length).toBe(leases.length);
    for (const { result } of released) expect(result).toMatchObject({ state: "destroyed" });
    expect(filesNamed("agent.log", server.home).map((path) => readFileSync(path, "utf8"))).toContain("a run\n");
    expect(survivorsOf(environment)).toEqual([]);
  });

  test("runs of one workspace go on in one machine, which is kept until its environment is deleted", async () => {
    const environment = await board.environment({ reuseLease: true });
    const agent = await board.agent(environment);
    const issue = await board.issue(agent, await board.project(repository("isolated"), "isolated_workspace"));
    const first = await board.settled(agent, environment);
    await board.comment(issue);
    const { runs, leases } = await board.settled(agent, environment, first.runs.length + 1);
    await board.pause(agent);
    for (const { status, error } of runs) expect([status, error]).toEqual(["succeeded", null]);
    expect(new Set(leases.map(({ providerLeaseId }) => providerLeaseId)).size).toBe(1);
    expect(methodsOf(environment)).toContain("ResumeLease");
    const [machine, ...others] = survivorsOf(environment);
    expect(others).toEqual([]);
    expect(machine?.status).toMatch(/^(?:suspended|hibernated)$/);
    expect(readFileSync(join(machine?.disk.home ?? "", "agent.log"), "utf8")).toBe("a run\n".repeat(runs.length));
    expect(machine?.timers.deleteAt).not.toBeNull();
    expect(await board.deleteEnvironment(environment)).toMatchObject({ status: 409 });
    expect(await board.deleteEnvironment(environment, "?destroyReusableSandboxLeases=true")).toMatchObject({
      status: 200,
    });
    await until("the machines are deleted", 60_000, async () => survivorsOf(environment).length === 0);
  });

  test.each(["without a project", "in a shared workspace"])(
    "a run %s keeps nothing, though machines are reused",
    async (where) => {
      const environment = await board.environment({ reuseLease: true });
      const agent = await board.agent(environment);
      const project =
        where === "without a project" ? undefined : await board.project(repository("shared"), "shared_workspace");
      await board.issue(agent, project);
      const { runs } = await board.settled(agent, environment);
      await board.pause(agent);
      for (const { status, error } of runs) expect([status, error]).toEqual(["succeeded", null]);
      expect(survivorsOf(environment)).toEqual([]);
    },
  );

  test("a run that fails leaves no machine; a reused one waits no longer than its idle limit", async () => {
    const [plain, reused] = await Promise.all([
      board.environment(),
      board.environment({ reuseLease: true, reuseIdleSeconds: 60 }),
    ]);
    const agents = await Promise.all([board.agent(plain, "no-such-agent"), board.agent(reused, "no-such-agent")]);
    const project = await board.project(repository("failing"), "isolated_workspace");
    await board.issue(agents[0]);
    await board.issue(agents[1], project);
    const [ended] = await Promise.all([board.settled(agents[0], plain), board.settled(agents[1], reused)]);
    for (const agent of agents) await board.pause(agent);
    for (const lease of ended.leases) expect(lease).toMatchObject({ status: "failed", cleanupStatus: "success" });
    expect(survivorsOf(plain)).toEqual([]);
    // This host does not say that a run has failed. The last test sees that they are gone.
    for (const { status, timers } of survivorsOf(reused)) {
      expect(status).toMatch(/^(?:suspended|hibernated)$/);
      expect(timers.deleteAt?.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
    }
  });

  test("a run that is cancelled leaves neither machine nor process", async () => {
    const environment = await board.environment();
    const agent = await board.agent(environment, "claude-slow");
    await board.issue(agent);
    const machine = await working(environment);
    for (const { id } of await board.runs(agent)) await board.cancel(id);
    const { leases } = await board.settled(agent, environment);
    await board.pause(agent);
    for (const lease of leases) expect(lease).toMatchObject({ status: "expired", cleanupStatus: "success" });
    expect(survivorsOf(environment)).toEqual([]);
    expect(machine.processes()).toEqual([]);
  });

  test("a host that is killed during a run finds the machine again and has it deleted", async () => {
    const environment = await board.environment();
    const agent = await board.agent(environment, "claude-slow");
    await board.issue(agent);
    const machine = await working(environment);
    await server.kill();
    expect(survivorsOf(environment).map(({ id }) => id)).toEqual([machine.id]);
    await setTimeout(CONTROLLER_LEASE_MS);
    await server.start();
    await board.pause(agent);
    await until("the machine is deleted", 120_000, async () => survivorsOf(environment).length === 0);
    expect(machine.processes()).toEqual([]);
  }, 400_000);

  test("P33 nothing is left, and the key is in no file of the host but its secrets store, nor in an answer", async () => {
    const left = () => plane.survivors().length;
    await until("boxd deletes what a failed run has left", 90_000, async () => left() === 0).catch(() => undefined);
    await server.stop();
    expect(plane.survivors().map(({ status, params }) => ({ status, ...params.labels }))).toEqual([]);
    expect(plane.processes()).toEqual([]);
    // But for the settings that the host is handed back to store, which it looks for secrets in itself.
    const told = recordedCalls(record).filter(({ method }) => method !== "environmentValidateConfig");
    expect(JSON.stringify(told.map(({ result, error }) => [result, error]))).not.toContain(TEST_KEY);
    const leaks = filesBelow(server.home).filter((path) => path !== record && readFileSync(path).includes(TEST_KEY));
    expect(leaks).toEqual([]);
  });
});

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function filesNamed(name: string, directory: string): string[] {
  return filesBelow(directory).filter((path) => path.endsWith(`/${name}`));
}
