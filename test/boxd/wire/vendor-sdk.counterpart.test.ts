/** boxd's own Python SDK against the plane: what it cannot do there, the plane gets wrong. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FakePlane, ManualClock, scenarios, TEST_KEY } from "../../support/boxd-fake/index.ts";
import { NEWEST } from "../../support/boxd-wire/newest.ts";
import { WirePlane } from "../../support/boxd-wire/server.ts";
import { until } from "../fake/harness.ts";
import { bytesOf, peersPython, PythonError, PythonSdk, pythonSdkVersion } from "./python-sdk.ts";

const version = pythonSdkVersion();
const missing = version === undefined ? " (skipped: QM_DEPLOY_PEERS_PYTHON names no python with boxd)" : "";
const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

describe.skipIf(version === undefined)(`boxd's Python SDK ${version ?? ""}${missing}`, () => {
  let sdk: PythonSdk;
  let clock: ManualClock;
  let plane: FakePlane;
  let wire: WirePlane;

  beforeAll(() => {
    sdk = new PythonSdk(peersPython ?? "");
  });
  afterAll(() => {
    sdk.close();
  });
  beforeEach(async () => {
    clock = new ManualClock();
    plane = new FakePlane({ clock, quirks: NEWEST });
    wire = await WirePlane.open(plane);
    await sdk.open({ api_key: TEST_KEY, base_url: wire.address, timeout: 20 });
  });
  afterEach(async () => {
    await wire.close();
    await plane.dispose();
  });

  const running = async (name = "box"): Promise<string> => (await plane.seed({ name })).id;
  const failing = async (call: Promise<unknown>): Promise<PythonError> => {
    const error = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(PythonError);
    return error as PythonError;
  };

  describe("machines", () => {
    test("are made with labels, a size and isolation, scheduled first, then ready", async () => {
      const made = await sdk.call("machines.create", ["box"], {
        labels: { "team/env": "prod", empty: "" },
        vcpu: 4,
        disk: "100G",
        isolated: true,
        restart_policy: "never",
        org: "acme",
      });
      expect(made).toMatchObject({
        name: "box",
        status: "pending",
        labels: { "team/env": "prod", empty: "" },
        resources: { vcpu: 4, memory_bytes: 16 * GIB, disk_bytes: 100 * GIB },
        networking: { networks: [], isolated: true },
        restart_policy: "never",
        org: { id: "org_1", name: "acme" },
        access: { url: "https://box.machines.boxd.test" },
        idle: { suspend_after: 0, hibernate_after: 14_400, destroy_after: 0 },
        delete_at: null,
        source: null,
      });
      expect(await sdk.call("machines.wait_until_ready", [made.id], { poll_interval: 0.01 })).toMatchObject({
        id: made.id,
        status: "running",
      });
      expect(plane.recorder.methods().slice(0, 2)).toEqual(["machines.create", "machines.get"]);
    });

    test("a size by memory, and one that the org decides", async () => {
      const sized = await sdk.call("machines.create", ["a"], { memory: "4G" });
      const plain = await sdk.call("machines.create", ["b"]);
      expect([sized.resources.vcpu, plain.resources.vcpu]).toEqual([1, 2]);
    });

    test("a name by boxd, and a suggestion of one", async () => {
      const { name } = await sdk.call("machines.create");
      expect(name).toMatch(/^[a-z][a-z0-9-]+$/);
      expect(await sdk.call("machines.suggest_name")).toMatch(/^[a-z][a-z0-9-]+$/);
    });

    test("a create whose reading fails still answers, with little: not even whether the machine is isolated", async () => {
      plane.faults.inject(scenarios.refused("machines.get", 13, "internal", { times: Infinity }));
      const made = await sdk.call("machines.create", ["box"], { isolated: true, labels: { a: "b" } });
      expect(made).toMatchObject({ name: "box", status: "pending", labels: {}, networking: { isolated: false } });
      expect(plane.machine("box").isolated).toBe(true);
    });

    test("a delete timer in create is a second call", async () => {
      const { delete_at: at } = await sdk.call("machines.create", ["box"], { delete_after: 900 });
      expect(Date.parse(at)).toBe(clock.wallNow() + 900_000);
      expect(plane.recorder.methods()).toEqual(["machines.create", "machines.setDeleteAfter", "machines.get"]);
    });

    test("are found by id and by name, and listed by label", async () => {
      const id = await running();
      await plane.seed({ name: "other", labels: { env: "prod", gpu: "" } });
      expect(await sdk.call("machines.get", [id])).toMatchObject({ id, name: "box" });
      expect(await sdk.call("machines.get", ["box"])).toMatchObject({ id });
      const names = async (kwargs: object): Promise<string[]> =>
        (await sdk.call("machines.list", [], { ...kwargs })).map(({ name }: { name: string }) => name).sort();
      expect(await names({})).toEqual(["box", "other"]);
      expect(await names({ org: "acme" })).toEqual(["box", "other"]);
      expect(await names({ labels: { env: "prod" } })).toEqual(["other"]);
      expect(await names({ labels: ["env=prod", "gpu"] })).toEqual(["other"]);
      expect(await names({ labels: ["env=test"] })).toEqual([]);
    });

    test("are deleted for good: a while on the way, then not found, and not listed", async () => {
      const id = await running();
      await sdk.call("machines.delete", [id]);
      const seen: string[] = [];
      for (let reads = 0; reads < 3; reads += 1)
        seen.push(
          await sdk.call("machines.get", [id]).then(
            ({ status }) => status,
            (error: Error) => error.name,
          ),
        );
      expect(seen).toEqual(["destroying", "destroyed", "NotFoundError"]);
      expect(await sdk.call("machines.list")).toEqual([]);
      expect(await failing(sdk.call("machines.delete", [id]))).toMatchObject({ name: "NotFoundError", grpcCode: 5 });
      expect(plane.survivors()).toEqual([]);
    });

    test("change their labels in one edit", async () => {
      const id = (await plane.seed({ name: "box", labels: { a: "1", b: "2" } })).id;
      expect(await sdk.call("machines.update_labels", [id], { set: { c: "3" }, remove: ["a", "none"] })).toEqual({
        b: "2",
        c: "3",
      });
      expect(await sdk.call("machines.update_labels", [id], { set: { d: "4" }, replace_all: true })).toEqual({
        d: "4",
      });
      expect(await failing(sdk.call("machines.update_labels", [id], { set: { "boxd/x": "" } }))).toMatchObject({
        name: "APIStatusError",
        code: "invalid_argument",
      });
      expect((await sdk.call("machines.get", [id])).labels).toEqual({ d: "4" });
    });

    test("change their name, which reboots them", async () => {
      const id = await running();
      await sdk.call("machines.exec", [id, "sleep 300 >/dev/null 2>&1 &"]);
      expect(await sdk.call("machines.rename", [id, "new"])).toBe("new");
      expect(await sdk.call("machines.get", ["new"])).toMatchObject({ id });
      expect(plane.machine("new").processes()).toEqual([]);
    });
  });

  describe("power", () => {
    test.each<[string, [verb: string, status: string][]]>([
      [
        "suspend and resume",
        [
          ["pause", "suspended"],
          ["resume", "running"],
        ],
      ],
      [
        "hibernate and wake",
        [
          ["hibernate", "hibernated"],
          ["wake", "running"],
        ],
      ],
      [
        "stop and start",
        [
          ["stop", "stopped"],
          ["start", "running"],
        ],
      ],
      ["reboot", [["reboot", "running"]]],
    ])("%s", async (_title, steps) => {
      const id = await running();
      for (const [verb, status] of steps) {
        await sdk.call(`machines.${verb}`, [id]);
        for (let reads = 0; (await sdk.call("machines.get", [id])).status !== status; reads += 1)
          expect(reads).toBeLessThan(10);
      }
    });

    test("suspending keeps processes, stopping does not", async () => {
      const id = await running();
      await sdk.call("machines.exec", [id, "sleep 300 >/dev/null 2>&1 &"]);
      await sdk.call("machines.pause", [id]);
      expect(
        plane
          .machine("box")
          .processes()
          .map(({ state }) => state),
      ).toEqual(["T"]);
      await sdk.call("machines.resume", [id]);
      await sdk.call("machines.stop", [id]);
      expect(plane.machine("box").processes()).toEqual([]);
    });

    test("another size: a running machine reboots, a sleeping one is refused", async () => {
      const id = await running();
      expect(await sdk.call("machines.resize", [id], { vcpu: 4 })).toEqual({
        vcpu: 4,
        memory_bytes: 16 * GIB,
        rebooted: true,
      });
      await plane.machine("box").force("suspended");
      expect(await failing(sdk.call("machines.resize", [id], { memory: "8G" }))).toMatchObject({
        name: "ConflictError",
        code: "failed_precondition",
      });
      await plane.machine("box").force("stopped");
      expect(await sdk.call("machines.resize", [id], { memory: "8G" })).toMatchObject({ vcpu: 2, rebooted: false });
    });
  });

  describe("commands", () => {
    test.each([0, 1, 42, 255])("exit status %i, and both streams apart", async (status) => {
      const id = await running();
      expect(await sdk.call("machines.exec", [id, `echo out; echo err >&2; exit ${String(status)}`])).toEqual({
        stdout: "out\n",
        stderr: "err\n",
        exit_code: status,
      });
    });

    test("no output at all", async () => {
      expect(await sdk.call("machines.exec", [await running(), "true"])).toEqual({
        stdout: "",
        stderr: "",
        exit_code: 0,
      });
    });

    test("words, an environment and a directory become a part of the command line", async () => {
      const id = await running();
      await sdk.call("machines.exec", [id, "mkdir 'a b'"]);
      expect(
        await sdk.call("machines.exec", [id, ["sh", "-c", 'pwd; echo "$X"']], {
          env: { X: "it's" },
          cwd: "/home/boxd/a b",
        }),
      ).toMatchObject({ exit_code: 0, stdout: expect.stringContaining("it's") });
      expect(plane.recorder.commands().at(-1)).toBe("cd '/home/boxd/a b' && X='it'\"'\"'s' sh -c 'pwd; echo \"$X\"'");
    });

    test("standard input is at its end", async () => {
      expect(await sdk.call("machines.exec", [await running(), "cat; echo end"])).toMatchObject({ stdout: "end\n" });
    });

    test("bytes that are no text arrive as they are, a megabyte of them", async () => {
      const id = await running();
      const command = "head -c 1000000 /dev/zero | tr '\\0' '\\377'";
      const { stdout } = await sdk.call("machines.exec", [id, command], { encoding: "buffer" });
      expect(Buffer.compare(bytesOf(stdout), Buffer.alloc(1_000_000, 0xff))).toBe(0);
    });

    test("a stream: written input arrives, its end too, the exit status last", async () => {
      const id = await running();
      const told = await sdk.stream({ id, command: "cat; echo err >&2; exit 3", write: ["one\n", "two\n"], eof: true });
      const text = (isStderr: boolean): string =>
        told.chunks
          .filter(({ is_stderr: err }) => err === isStderr)
          .map(({ data }) => data)
          .join("");
      expect([text(false), text(true), told.exit_code]).toEqual(["one\ntwo\n", "err\n", 3]);
    });

    test("a stream whose input stays open: output comes while it waits, and closing it ends the process group", async () => {
      const id = await running();
      const { chunks } = await sdk.stream({ id, command: "echo begun; sleep 300; echo late", read: 1 });
      expect(chunks).toEqual([{ data: "begun\n", is_stderr: false }]);
      await until(() => plane.machine("box").processes().length === 0);
    });

    test("closing a command that ignores TERM kills it", async () => {
      const id = await running();
      await sdk.stream({ id, command: "trap '' TERM; echo begun; while :; do sleep 1; done", read: 1 });
      await until(() => plane.machine("box").processes().length === 0);
    });

    test("a child in a session of its own outlives the end of its command", async () => {
      const id = await running();
      // The child speaks, so that it is in its own session by then.
      await sdk.stream({ id, command: "setsid sh -c 'echo begun; exec sleep 300' & sleep 299", read: 1 });
      const alive = (): string[] =>
        plane
          .machine("box")
          .processes()
          .map(({ argv }) => argv.join(" "));
      await until(() => alive().join() === "sleep 300");
    });

    test("a timeout has no code, and ends the command", async () => {
      const id = await running();
      const error = await failing(sdk.call("machines.exec", [id, "sleep 300"], { timeout: 0.5 }));
      expect(error).toMatchObject({
        name: "BoxdError",
        message: "exec timed out after 0.5s",
        code: null,
        grpcCode: null,
      });
      await until(() => plane.machine("box").processes().length === 0);
    });

    test("a stream that ends without a status: none without output, and after output a success that never was", async () => {
      const id = await running();
      plane.faults.inject(scenarios.exitStatusLost({ times: 2 }));
      expect(await sdk.call("machines.exec", [id, "exit 7"])).toMatchObject({ exit_code: -1 });
      expect(await sdk.call("machines.exec", [id, "echo half; exit 7"])).toMatchObject({
        stdout: "half\n",
        exit_code: 0,
      });
    });

    test("power that is lost under a command leaves the same", async () => {
      const id = await running();
      const asked = sdk.call("machines.exec", [id, "echo half; sleep 300"]);
      await until(() =>
        plane
          .machine("box")
          .processes()
          .some(({ argv }) => argv[0] === "sleep"),
      );
      await plane.client().machines.stop(id);
      expect(await asked).toMatchObject({ stdout: "half\n", exit_code: 0 });
    });

    test("a connection that breaks is an error, not a result", async () => {
      const id = await running();
      const asked = failing(sdk.call("machines.exec", [id, "echo half; sleep 300"]));
      await until(() =>
        plane
          .machine("box")
          .processes()
          .some(({ argv }) => argv[0] === "sleep"),
      );
      wire.dropConnections();
      expect(await asked).toMatchObject({ name: "APIConnectionError", grpcCode: 14 });
    });

    test.each([
      ["stopped", "ConflictError", "failed_precondition"],
      ["suspended", "ConflictError", "failed_precondition"],
      ["starting", "APIConnectionError", "unavailable"],
      ["destroyed", "NotFoundError", "not_found"],
    ] as const)("on a machine that is %s: %s", async (status, name, code) => {
      const { id } = await plane.seed({ name: "box" }, status);
      expect(await failing(sdk.call("machines.exec", [id, "true"]))).toMatchObject({ name, code });
    });

    test("a sleeping machine wakes where boxd does that", async () => {
      plane.quirks.parkedWakes = true;
      const { id } = await plane.seed({ name: "box" }, "hibernated");
      expect(await sdk.call("machines.exec", [id, "echo up"])).toMatchObject({ stdout: "up\n" });
    });
  });

  describe("files", () => {
    test.each([0, 1, MIB - 1, MIB, MIB + 1, 4 * MIB, 4 * MIB + 1, 12 * MIB])(
      "%i bytes go up and come down whole, streamed",
      async (size) => {
        const id = await running();
        const data = Buffer.alloc(size, "0123456789abcdef-");
        expect(await sdk.call("machines.files.upload", [id, "/home/boxd/f", data])).toBe(size);
        const back = bytesOf(await sdk.call("machines.files.download", [id, "/home/boxd/f"]));
        expect(Buffer.compare(back, data)).toBe(0);
      },
    );

    test("no parent is made, a missing file is not found, a directory is none", async () => {
      const id = await running();
      expect(await failing(sdk.call("machines.files.upload", [id, "/home/boxd/no/f", "x"]))).toMatchObject({
        grpcCode: 5,
      });
      expect(await failing(sdk.call("machines.files.download", [id, "/home/boxd/none"]))).toMatchObject({
        name: "NotFoundError",
      });
      expect(await failing(sdk.call("machines.files.download", [id, "/home/boxd"]))).toMatchObject({ grpcCode: 13 });
    });

    test("directories are made, listed, renamed, copied and deleted", async () => {
      const id = await running();
      const call = (name: string, ...args: string[]): Promise<any> => sdk.call(`machines.files.${name}`, [id, ...args]);
      await call("mkdir", "/home/boxd/d");
      await call("upload", "/home/boxd/d/f", "12345");
      await call("copy", "/home/boxd/d", "/home/boxd/e");
      await call("rename", "/home/boxd/e/f", "/home/boxd/e/g");
      await call("delete", "/home/boxd/d");
      const { entries, truncated } = await call("list_dir", "/home/boxd/e");
      expect(truncated).toBe(false);
      expect(entries).toEqual([
        expect.objectContaining({ name: "g", is_dir: false, size_bytes: 5, permissions: "-rw-r--r--" }),
      ]);
      expect(await failing(call("list_dir", "/home/boxd/d"))).toMatchObject({ name: "NotFoundError" });
      expect(await failing(call("mkdir", "/home/boxd/no/d"))).toMatchObject({ name: "NotFoundError" });
    });
  });

  describe("timers, traffic and routes", () => {
    test("a delete timer is set, pushed, taken back, and fires on a machine that sleeps", async () => {
      const id = await running();
      expect(Date.parse(await sdk.call("machines.set_delete_after", [id, 60]))).toBe(clock.wallNow() + 60_000);
      await clock.advance(50_000);
      await sdk.call("machines.set_delete_after", [id, 60]);
      await clock.advance(50_000);
      expect(await sdk.call("machines.set_delete_after", [id, 0])).toBeNull();
      await clock.advance(100_000);
      expect((await sdk.call("machines.get", [id])).delete_at).toBeNull();
      await sdk.call("machines.set_delete_after", [id, 60]);
      await plane.machine("box").force("hibernated");
      await clock.advance(60_000);
      expect(plane.survivors()).toEqual([]);
    });

    test("idle timers suspend, then hibernate, and 0 turns them off", async () => {
      const id = await running();
      await sdk.call("machines.set_auto_suspend_timeout", [id, 30]);
      await sdk.call("machines.set_auto_hibernate_timeout", [id, 60]);
      expect((await sdk.call("machines.get", [id])).idle).toEqual({
        suspend_after: 30,
        hibernate_after: 60,
        destroy_after: 0,
      });
      await clock.advance(30_000);
      expect((await sdk.call("machines.get", [id])).status).toBe("suspended");
      await clock.advance(30_000);
      expect((await sdk.call("machines.get", [id])).status).toBe("hibernated");
      await sdk.call("machines.wake", [id]);
      await sdk.call("machines.wait_until_ready", [id], { poll_interval: 0.01 });
      for (const timer of ["suspend", "hibernate"]) await sdk.call(`machines.set_auto_${timer}_timeout`, [id, 0]);
      await clock.advance(100_000_000);
      expect((await sdk.call("machines.get", [id])).status).toBe("running");
    });

    test("egress: the list in force is answered, and shown", async () => {
      const id = await running();
      const entries = ["*.example.com", "203.0.113.0/24"];
      expect(await sdk.call("machines.set_egress_allow", [id, entries])).toEqual(entries);
      expect((await sdk.call("machines.get", [id])).egress_allow).toEqual(entries);
      expect(await sdk.call("machines.set_egress_allow", [id, []])).toEqual([]);
    });

    test("the browser check has three modes, and a flag of old", async () => {
      const id = await running();
      const read = async (): Promise<unknown[]> => {
        const { bot_protection: isOn, bot_protection_mode: mode } = await sdk.call("machines.get", [id]);
        return [isOn, mode];
      };
      expect(await read()).toEqual([true, "on"]);
      for (const [kwargs, shown] of [
        [{ mode: "sleep_only" }, [true, "sleep_only"]],
        [{ mode: "off" }, [false, "off"]],
        [{ enabled: true }, [true, "on"]],
        [{ enabled: false }, [false, "off"]],
      ] as const) {
        await sdk.call("machines.set_bot_protection", [id], kwargs);
        expect(await read()).toEqual(shown);
      }
    });

    test("networks and the idle clock", async () => {
      const id = await running();
      expect(await sdk.call("machines.set_networks", [id, ["ops"]])).toEqual(["ops"]);
      await sdk.call("machines.set_idle_ignore_outbound", [id, true]);
      expect(await sdk.call("machines.get", [id])).toMatchObject({
        networking: { networks: ["ops"] },
        idle_ignore_outbound: true,
      });
    });

    test("routes: the default one finds its port or is told, named ones come and go", async () => {
      const id = await running();
      const list = async (): Promise<unknown[]> =>
        (await sdk.call("machines.proxies.list", [id])).map((row: Record<string, unknown>) => [
          row["name"],
          row["domain"],
          row["port"],
          row["port_mode"],
          row["is_default"],
        ]);
      const automatic = [null, "box.machines.boxd.test", 8000, "auto", true];
      expect(await list()).toEqual([automatic]);
      await sdk.call("machines.proxies.set_port", [id, 9000]);
      expect(await list()).toEqual([[null, "box.machines.boxd.test", 9000, "locked", true]]);
      await sdk.call("machines.proxies.set_port", [id, "auto"]);
      expect(await sdk.call("machines.proxies.create", [id, "api", 8080])).toEqual({ name: "api", port: 8080 });
      await sdk.call("machines.proxies.set_port", [id, 8081], { name: "api" });
      expect(await list()).toEqual([automatic, ["api", "api.box.machines.boxd.test", 8081, "locked", false]]);
      expect(await failing(sdk.call("machines.proxies.set_port", [id, 80], { name: "default" }))).toMatchObject({
        name: "NotFoundError",
      });
      await sdk.call("machines.proxies.delete", [id, "api"]);
      expect(await list()).toEqual([automatic]);
    });

    test("ports: three a machine, and the same one keeps its public port", async () => {
      const id = await running();
      const first = await sdk.call("machines.ports.expose", [id, 22]);
      expect(await sdk.call("machines.ports.expose", [id, 22], { protocol: "both" })).toMatchObject({
        public_port: first.public_port,
        protocol: "both",
      });
      for (const port of [23, 24]) await sdk.call("machines.ports.expose", [id, port]);
      expect(await failing(sdk.call("machines.ports.expose", [id, 25]))).toMatchObject({ name: "RateLimitError" });
      expect(await sdk.call("machines.ports.unexpose", [id, 22])).toMatchObject({ machine_port: 22, machine_id: id });
      expect((await sdk.call("machines.ports.list", [id])).length).toBe(2);
      expect((await sdk.call("machines.ports.list")).length).toBe(2);
    });
  });

  describe("copies", () => {
    test("a fork has the files, labels, isolation and delete timer of its source, the timer begun anew", async () => {
      const { id } = await plane.seed({ name: "box", labels: { a: "1", b: "2" }, isolated: true, config: { vcpu: 4 } });
      await sdk.call("machines.files.upload", [id, "/home/boxd/f", "kept"]);
      await sdk.call("machines.set_delete_after", [id, 100]);
      await clock.advance(40_000);
      const copy = await sdk.call("machines.fork", [id, "copy"], { labels: { b: "3" } });
      expect(copy).toMatchObject({
        labels: { a: "1", b: "3" },
        networking: { isolated: true },
        resources: { vcpu: 4 },
        source: { kind: "fork", name: "box", id, version: null },
      });
      expect(Date.parse(copy.delete_at)).toBe(clock.wallNow() + 100_000);
      await sdk.call("machines.wait_until_ready", [copy.id], { poll_interval: 0.01 });
      expect(bytesOf(await sdk.call("machines.files.download", [copy.id, "/home/boxd/f"])).toString()).toBe("kept");
    });

    test("a snapshot is pending, then ready; what is restored has its size, its labels under the new ones, and restarts always", async () => {
      const { id } = await plane.seed({
        name: "box",
        labels: { a: "1", b: "2" },
        restartPolicy: "never",
        config: { vcpu: 4 },
      });
      await sdk.call("machines.files.upload", [id, "/home/boxd/f", "kept"]);
      expect(await sdk.call("snapshots.create", [id, "base"])).toMatchObject({
        name: "base",
        version: 1,
        status: "pending",
      });
      expect(await failing(sdk.call("machines.create", ["early"], { from_snapshot: "base" }))).toMatchObject({
        grpcCode: 3,
      });
      expect(await sdk.call("snapshots.get", ["base"])).toMatchObject({ status: "pending" });
      expect(await sdk.call("snapshots.get", ["base"])).toMatchObject({
        status: "ready",
        vcpu: 4,
        memory_bytes: 16 * GIB,
      });
      const made = await sdk.call("machines.create", ["new"], { from_snapshot: "base", labels: { b: "3" }, vcpu: 4 });
      expect(made).toMatchObject({
        labels: { a: "1", b: "3" },
        resources: { vcpu: 4 },
        restart_policy: "always",
        source: { kind: "snapshot", name: "base", version: 1 },
      });
      expect(await failing(sdk.call("machines.create", ["x"], { from_snapshot: "base", vcpu: 1 }))).toMatchObject({
        grpcCode: 3,
      });
      await sdk.call("machines.wait_until_ready", [made.id], { poll_interval: 0.01 });
      expect((await sdk.call("machines.exec", [made.id, "cat f"])).stdout).toBe("kept");
      expect(await sdk.call("snapshots.create", [id, "base"])).toMatchObject({ version: 2 });
      expect((await sdk.call("snapshots.list")).map(({ name }: { name: string }) => name)).toEqual(["base"]);
      await sdk.call("snapshots.delete", ["base"]);
      expect(await failing(sdk.call("snapshots.get", ["base"]))).toMatchObject({ name: "NotFoundError" });
    });

    test("only a running machine is captured", async () => {
      const { id } = await plane.seed({ name: "box" }, "stopped");
      expect(await failing(sdk.call("snapshots.create", [id, "base"]))).toMatchObject({ name: "ConflictError" });
    });
  });

  describe("errors, repetitions and the key", () => {
    test.each([
      [1, "APIStatusError", "cancelled"],
      [2, "APIStatusError", "unknown"],
      [3, "APIStatusError", "invalid_argument"],
      [4, "APIStatusError", "deadline_exceeded"],
      [5, "NotFoundError", "not_found"],
      [6, "ConflictError", "already_exists"],
      [7, "PermissionDeniedError", "permission_denied"],
      [8, "RateLimitError", "resource_exhausted"],
      [9, "ConflictError", "failed_precondition"],
      [10, "ConflictError", "aborted"],
      [11, "APIStatusError", "out_of_range"],
      [12, "APIStatusError", "unimplemented"],
      [13, "APIStatusError", "internal"],
      [15, "APIStatusError", "data_loss"],
      [16, "AuthenticationError", "unauthenticated"],
    ] as const)("status %i is %s, said once: the call is not repeated", async (status, name, code) => {
      plane.faults.inject(scenarios.refused("machines.list", status, "why: 100 % <ünïcode>", { times: Infinity }));
      expect(await failing(sdk.call("machines.list"))).toMatchObject({
        name,
        code,
        grpcCode: status,
        message: "why: 100 % <ünïcode>",
      });
      expect(plane.recorder.of("machines.list")).toHaveLength(1);
    });

    test("a lost connection (14) is repeated twice, a create too, which may then be made already", async () => {
      plane.faults.inject(scenarios.refused("machines.list", 14, "unavailable", { times: Infinity }));
      expect(await failing(sdk.call("machines.list"))).toMatchObject({ name: "APIConnectionError", grpcCode: 14 });
      expect(plane.recorder.of("machines.list")).toHaveLength(3);
      plane.faults.inject(scenarios.answerLost("machines.create", 14));
      expect(await failing(sdk.call("machines.create", ["box"]))).toMatchObject({ name: "ConflictError" });
      expect(plane.recorder.of("machines.create")).toHaveLength(2);
      expect(plane.survivors()).toHaveLength(1);
    });

    test("without retries it is not repeated, nor are commands and uploads ever", async () => {
      const id = await running();
      await sdk.open({ api_key: TEST_KEY, base_url: wire.address, max_retries: 0 }, "once");
      plane.faults.inject(scenarios.refused("*", 14, "unavailable", { times: Infinity }));
      await failing(sdk.call("machines.list", [], {}, "once"));
      await failing(sdk.call("machines.exec", [id, "true"]));
      await failing(sdk.call("machines.files.upload", [id, "/home/boxd/f", "x"]));
      expect(plane.recorder.methods()).toEqual(["machines.list", "machines.exec", "machines.files.upload"]);
    });

    test("a call that takes longer than the client waits is over for it (4), and not repeated", async () => {
      await sdk.open({ api_key: TEST_KEY, base_url: wire.address, timeout: 0.3 }, "hasty");
      plane.faults.inject(scenarios.stalled("machines.create", "after"));
      expect(await failing(sdk.call("machines.create", ["box"], {}, "hasty"))).toMatchObject({ grpcCode: 4 });
      expect(plane.survivors()).toHaveLength(1);
    });

    test("the quota of the org", async () => {
      plane.quirks.quota = 1;
      await running();
      expect(await failing(sdk.call("machines.create", ["more"]))).toMatchObject({
        name: "RateLimitError",
        grpcCode: 8,
      });
    });

    test("another org", async () => {
      expect(await failing(sdk.call("machines.list", [], { org: "globex" }))).toMatchObject({
        name: "PermissionDeniedError",
      });
    });

    test("a call that the plane does not know", async () => {
      expect(await failing(sdk.call("machines.checkpoints.list", [await running()]))).toMatchObject({
        code: "unimplemented",
      });
    });

    test("a key is exchanged once for many calls, and again when its token is nearly over", async () => {
      for (let calls = 0; calls < 3; calls += 1) await sdk.call("machines.list");
      expect(wire.tokens.exchanges).toBe(1);
      wire.tokens.rules.tokenSeconds = 299;
      await sdk.open({ api_key: TEST_KEY, base_url: wire.address }, "short");
      for (let calls = 0; calls < 3; calls += 1) await sdk.call("machines.list", [], {}, "short");
      expect(wire.tokens.exchanges).toBe(4);
    });

    test("a token that is refused is not renewed", async () => {
      await sdk.call("machines.list");
      wire.tokens.revokeAll();
      for (let calls = 0; calls < 2; calls += 1)
        expect(await failing(sdk.call("machines.list"))).toMatchObject({ name: "AuthenticationError", grpcCode: 16 });
      expect(wire.tokens.exchanges).toBe(1);
    });

    test("a bad key, a console that is not there, and too many exchanges have no code", async () => {
      await sdk.open({ api_key: "bxd_wrong", base_url: wire.address }, "wrong");
      expect(await failing(sdk.call("machines.list", [], {}, "wrong"))).toMatchObject({
        name: "AuthenticationError",
        grpcCode: null,
        message: "invalid or expired API key",
      });
      await sdk.open({ api_key: TEST_KEY, base_url: "http://127.0.0.1:9" }, "nowhere");
      expect(await failing(sdk.call("machines.list", [], {}, "nowhere"))).toMatchObject({
        name: "AuthenticationError",
        grpcCode: null,
        message: expect.stringContaining("could not reach http://127.0.0.1:9/api/v1/auth/token"),
      });
      wire.tokens.rules.limited = 1;
      await sdk.open({ api_key: TEST_KEY, base_url: wire.address }, "limited");
      expect(await sdk.call("machines.list", [], {}, "limited")).toEqual([]);
      wire.tokens.rules.limited = 2;
      await sdk.open({ api_key: TEST_KEY, base_url: wire.address }, "limited");
      expect(await failing(sdk.call("machines.list", [], {}, "limited"))).toMatchObject({
        name: "RateLimitError",
        grpcCode: null,
      });
    });

    test("who one is, one's orgs, and what the cluster says of itself", async () => {
      expect(await sdk.call("account.get")).toMatchObject({ user_id: "" });
      expect(await sdk.call("orgs.list")).toEqual([
        expect.objectContaining({ id: "org_1", slug: "acme", is_default: true }),
      ]);
      expect(await sdk.call("account.config")).toEqual({ default_image: "ubuntu-24.04", zone: "machines.boxd.test" });
    });
  });
});
