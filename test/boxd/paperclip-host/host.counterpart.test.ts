/** The package for hosts, installed by the real Paperclip server, with agents that run on machines of the wire plane. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureBuilt } from "../../../scripts/build.mjs";
import { makeTree } from "../../../scripts/release-tree/paperclip.mjs";
import { FakePlane, realPlaneClock, TEST_KEY } from "../../support/boxd-fake/index.ts";
import { NEWEST } from "../../support/boxd-wire/newest.ts";
import { WirePlane } from "../../support/boxd-wire/server.ts";
import { Board, type Lease, type Run } from "./board.ts";
import { findInstallation, type Installation } from "./installation.ts";
import { PaperclipServer, until } from "./paperclip-server.ts";
import { recordedCalls, toldText, type HostCall } from "./record.ts";

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

/** An agent's program: it leaves a line in the workspace and speaks, after `work`. */
function agentProgram(work: string): string {
  const lines = SPEECH.map((line) => `echo '${JSON.stringify(line)}'`).join("\n");
  return `#!/bin/sh
case " $* " in *" --version "*) echo "2.1.0 (Claude Code)"; exit 0 ;; esac
cat >/dev/null
echo "a run" >>agent.log
${work}
${lines}
`;
}

const TOOLS = { claude: agentProgram(":"), "claude-slow": agentProgram("sleep 600") };

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

  function survivors(): string[] {
    return plane.survivors().map(({ name, status }) => `${name} ${status}`);
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
    expect(survivors()).toEqual([]);
  });

  test("one run on a machine of its own, which is deleted", async () => {
    const environment = await board.environment();
    const agent = await board.agent(environment);
    await board.issue(agent, "a run");
    const { runs, leases } = await board.settled(agent, environment);
    console.log(JSON.stringify({ runs, leases }, null, 1), methodsOf(environment).join(" "));
    expect(runs.map(({ status }) => status)).not.toContain("failed");
    await board.pause(agent);
    expect(survivors()).toEqual([]);
  });
});
void until; void readdirSync; void mkdirSync; type _ = Lease | Run;
