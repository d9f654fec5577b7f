import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createCommandManagedRuntimeClient } from "@paperclipai/adapter-utils/command-managed-runtime";
import {
  isJsonRpcNotification,
  type PluginEnvironmentExecuteResult,
  type PluginEnvironmentLease,
} from "@paperclipai/plugin-sdk";
import { pluginManifestV1Schema } from "@paperclipai/shared";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ensureBuilt } from "../../../scripts/build.mjs";
import { TEST_KEY } from "../../support/boxd-fake/index.ts";
import {
  makeStandIn,
  type PlainFault,
  type StandIn,
  type StandInSettings,
} from "../../support/boxd-sdk-stand-in/stand-in.ts";
import { continued, needsProcesses, skipWithoutProcesses, OWN_WORKSPACE } from "./rig.ts";
import { WORKER, WorkerProcess } from "./worker-process.ts";

const BASE = {
  driverKey: "boxd",
  companyId: "company-1",
  environmentId: "environment-1",
  config: { apiKey: TEST_KEY, org: "acme", timeoutMs: 60_000, reuseLease: true },
};
const MIB = 1024 * 1024;

describe.skipIf(skipWithoutProcesses)(`the built worker, driven over JSON-RPC${needsProcesses}`, () => {
  let standIn: StandIn;
  let dir: string;
  beforeAll(async () => {
    await ensureBuilt();
    standIn = await makeStandIn();
    dir = mkdtempSync(join(tmpdir(), "paperclip-worker-"));
  }, 120_000);
  afterAll(() => {
    standIn.dispose();
    rmSync(dir, { recursive: true, force: true });
  });

  const start = (
    settings: StandInSettings = {},
    faults: readonly PlainFault[] = [],
    nodeArgs: readonly string[] = [],
    env: Record<string, string> = {},
  ) => WorkerProcess.start(standIn, { ...standIn.env(settings, faults), ...env }, nodeArgs);
  const acquire = (worker: WorkerProcess, config: object = BASE.config) =>
    worker.call("environmentAcquireLease", {
      ...BASE,
      ...OWN_WORKSPACE,
      config,
      runId: "run-1",
    }) as Promise<PluginEnvironmentLease>;

  test("P01 the built manifest passes the host's validator; the worker advertises what the manifest needs", async () => {
    const { default: manifest } = (await import(pathToFileURL(join(WORKER, "../manifest.js")).href)) as {
      default: unknown;
    };
    expect(pluginManifestV1Schema.safeParse(manifest).success).toBe(true);
    const { worker, supportedMethods } = await start();
    await using _ = worker;
    expect(supportedMethods).toEqual(
      expect.arrayContaining([
        "environmentValidateConfig",
        "environmentProbe",
        "environmentAcquireLease",
        "environmentResumeLease",
        "environmentReleaseLease",
        "environmentDestroyLease",
        "environmentRealizeWorkspace",
        "environmentExecute",
      ]),
    );
  });

  test("P01 the worker is one file: it imports nothing but Node's own modules", () => {
    const text = readFileSync(WORKER, "utf8");
    const specifiers = [
      ...text.matchAll(/(?:^|[;}\s])(?:import|export)\s*(?:[\w*{][^;"']*?from\s*)?["']([^"']+)["']/g),
    ].map((match) => match[1]);
    expect(specifiers.length).toBeGreaterThan(0);
    expect(specifiers.filter((specifier) => !specifier?.startsWith("node:"))).toEqual([]);
  });

  test("P02 P33 a whole lease by the host's calls: only protocol on standard output, one client, nothing left", async () => {
    // Somebody prints whenever a message arrives: a dependency, or the SDK of boxd.
    const noisy = join(dir, "noisy.mjs");
    writeFileSync(
      noisy,
      [
        "const parse = JSON.parse;",
        "JSON.parse = (text, ...rest) => {",
        "  if (String(text).includes('jsonrpc')) { console.log('noise'); console.info('noise'); process.stdout.write('noise\\n'); process.stdout.write(Buffer.from('noise\\n')); }",
        "  return parse(text, ...rest);",
        "};",
        "",
      ].join("\n"),
    );
    const { worker } = await start({}, [], ["--import", noisy]);
    await using _ = worker;
    expect(await worker.call("environmentProbe", BASE)).toMatchObject({ ok: true });
    const lease = await acquire(worker);
    const id = lease.providerLeaseId;
    const { cwd } = (await worker.call("environmentRealizeWorkspace", { ...BASE, lease, workspace: {} })) as {
      cwd: string;
    };
    const execute = {
      ...BASE,
      lease,
      command: "sh",
      args: ["-c", "printf '%s:' \"$NAME\"; cat"],
      cwd,
      env: { NAME: "name" },
      stdin: "input",
    };
    expect(await worker.call("environmentExecute", execute)).toMatchObject({ exitCode: 0, stdout: "name:input" });
    expect(
      await worker.call("environmentReleaseLease", { ...BASE, providerLeaseId: id, leaseMetadata: lease.metadata }),
    ).toBeFalsy();
    expect(
      await worker.call("environmentResumeLease", { ...BASE, providerLeaseId: id, leaseMetadata: lease.metadata }),
    ).toEqual(continued(lease));
    expect(
      await worker.call("environmentReleaseLease", {
        ...BASE,
        providerLeaseId: id,
        leaseMetadata: lease.metadata,
        cancelActiveWork: true,
      }),
    ).toEqual({ providerLeaseId: id, state: "stopped" });
    expect(
      await worker.call("environmentDestroyLease", {
        ...BASE,
        environmentId: "",
        providerLeaseId: id,
        leaseMetadata: lease.metadata,
      }),
    ).toEqual({ providerLeaseId: id, state: "destroyed" });
    await worker.shutdown();
    expect(worker.strayLines).toEqual([]);
    expect(worker.stderr.match(/noise/g)?.length).toBeGreaterThanOrEqual(4 * 9);
    expect(standIn.report()).toMatchObject({
      survivors: [],
      processes: [],
      violations: [],
      clients: { opened: 1, closed: 1 },
    });
  }, 60_000);

  test("P37 output of two commands at once comes while they run, each in the host's name for its call, and before its answer", async () => {
    const { worker } = await start();
    await using _ = worker;
    const lease = await acquire(worker);
    const scope = { companyId: BASE.companyId };
    const execute = (id: string, script: string) =>
      worker.call(
        "environmentExecute",
        { ...BASE, lease, command: "sh", args: ["-c", script] },
        { paperclipInvocation: { id, scope } },
      );
    const logOf = (call: string) =>
      worker.received.flatMap((message, at) => {
        if (!isJsonRpcNotification(message) || message.method !== "execute.log") return [];
        return message.paperclipInvocationId === call ? [{ at, ...(message.params as object) }] : [];
      }) as { at: number; stream: "stdout" | "stderr"; chunk: string }[];
    const script = (name: string): string =>
      `printf '${name}\\303'; echo bad >&2; while [ ! -e go ]; do sleep 0.02; done; printf '\\274'; exit 3`;
    const running = [execute("call-a", script("a")), execute("call-b", script("b"))];
    // They end only when somebody has seen them begin.
    await vi.waitFor(() => {
      for (const call of ["call-a", "call-b"]) expect(logOf(call)).toHaveLength(2);
    }, 30_000);
    await execute("call-c", "touch go");
    const results = await Promise.all(running);
    for (const [call, stdout, result] of [
      ["call-a", "aü", results[0]],
      ["call-b", "bü", results[1]],
    ] as const) {
      expect(result).toMatchObject({ exitCode: 3, stdout, stderr: "bad\n" });
      const log = logOf(call);
      const text = (wanted: string): string =>
        log
          .filter(({ stream }) => stream === wanted)
          .map(({ chunk }) => chunk)
          .join("");
      expect([text("stdout"), text("stderr")]).toEqual([stdout, "bad\n"]);
      const answeredAt = worker.received.findIndex((message) => Reflect.get(message, "result") === result);
      expect(log.every(({ at }) => at < answeredAt)).toBe(true);
    }
    expect(logOf("call-c")).toEqual([]);
    await worker.call("environmentDestroyLease", { ...BASE, providerLeaseId: lease.providerLeaseId });
    await worker.shutdown();
    expect(worker.strayLines).toEqual([]);
    expect(standIn.report()).toMatchObject({ survivors: [], processes: [], violations: [] });
  }, 60_000);

  test("P29 5 MiB through the host's base64-over-exec bridge, there and back, SHA-256 equal", async () => {
    const { worker } = await start();
    await using _ = worker;
    const lease = await acquire(worker);
    const client = createCommandManagedRuntimeClient({
      commandCwd: "/home/boxd/paperclip-workspace",
      timeoutMs: 30_000,
      shellCommand: "sh",
      runner: {
        async execute({ onLog: _log, onSpawn: _spawn, ...input }) {
          const result = (await worker.call("environmentExecute", {
            ...BASE,
            lease,
            ...input,
          })) as PluginEnvironmentExecuteResult;
          return { ...result, signal: result.signal ?? null, pid: null, startedAt: null };
        },
      },
    });
    const path = "/home/boxd/paperclip-workspace/it's a file/big.bin";
    const sent = randomBytes(5 * MIB);
    await client.writeFile(path, Uint8Array.from(sent).buffer);
    const got = Buffer.from((await client.readFile(path)) as Uint8Array);
    expect(sha256(got)).toBe(sha256(sent));
    const { stdout } = (await worker.call("environmentExecute", {
      ...BASE,
      lease,
      command: "sha256sum",
      args: [path],
    })) as PluginEnvironmentExecuteResult;
    expect(stdout.startsWith(sha256(sent))).toBe(true);
    expect(await client.listFiles("/home/boxd/paperclip-workspace/it's a file")).toEqual(["big.bin"]);
    await worker.call("environmentDestroyLease", { ...BASE, providerLeaseId: lease.providerLeaseId });
    await worker.shutdown();
    expect(standIn.report()).toMatchObject({ survivors: [], violations: [] });
  }, 60_000);

  test("P30 the key of the host's environment works where it is passed on; each key has one client", async () => {
    const { worker } = await start({ apiKeys: [TEST_KEY, "bxd_second"] }, [], [], { BOXD_API_KEY: TEST_KEY });
    await using _ = worker;
    const { apiKey: _key, ...rest } = BASE.config;
    const leases = await Promise.all([
      acquire(worker, rest),
      acquire(worker, BASE.config),
      acquire(worker, { ...rest, apiKey: "bxd_second" }),
    ]);
    for (const { providerLeaseId } of leases)
      await worker.call("environmentDestroyLease", { ...BASE, providerLeaseId });
    await worker.shutdown();
    expect(standIn.report()).toMatchObject({ survivors: [], clients: { opened: 2, closed: 2 } });
    expect(worker.stderr).not.toContain(TEST_KEY);
  }, 60_000);

  test("P09 with the published worker, which passes on only messages, the message names the machine", async () => {
    const { worker } = await start({}, [
      { method: "machines.setAutoSuspendTimeout", error: { code: 7, message: "denied" } },
      { method: "machines.delete", error: { code: 7, message: "denied" }, times: "always" },
    ]);
    await using _ = worker;
    const error = await acquire(worker).then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    await worker.shutdown();
    const [left] = standIn.report().survivors;
    expect(error?.message).toContain(left?.name ?? "?");
  }, 60_000);

  test("P16 the published worker does not know the stop hook, so the host uses release", async () => {
    const { worker, supportedMethods } = await start();
    await using _ = worker;
    expect(supportedMethods).not.toContain("environmentStopLease");
    await expect(worker.call("environmentStopLease", { ...BASE, providerLeaseId: null })).rejects.toThrow(
      /unknown method/i,
    );
  });
});

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
