import { describe, expect, test } from "vitest";
import type { MachineCreateParams } from "../../../src/boxd/driver/client.ts";
import { FakePlane, PortViolation } from "../../support/boxd-fake/index.ts";
import { failure } from "./harness.ts";

const GIB = 1024 ** 3;

const REFUSED: Record<string, [MachineCreateParams, code: number]> = {
  "a name with an upper-case letter": [{ name: "Box" }, 3],
  "a name that starts with a digit": [{ name: "3f00" }, 3],
  "a name that ends with a hyphen": [{ name: "box-" }, 3],
  "a name of 64 characters": [{ name: `b${"o".repeat(63)}` }, 3],
  "an empty name": [{ name: "" }, 3],
  "three vcpu": [{ name: "m", config: { vcpu: 3 } }, 3],
  "a memory that is no size class": [{ name: "m", config: { memory: "6G" } }, 3],
  "memory and vcpu of different classes": [{ name: "m", config: { vcpu: 1, memory: "8G" } }, 3],
  "a disk other than 100 GiB": [{ name: "m", config: { disk: "200G" } }, 3],
  "another org": [{ name: "m", org: "globex" }, 7],
  "a snapshot that is not there": [{ name: "m", fromSnapshot: "gone" }, 5],
  "a snapshot that is pending": [{ name: "m", fromSnapshot: "young" }, 3],
  "a size for a snapshot": [{ name: "m", fromSnapshot: "ready", config: { vcpu: 1 } }, 3],
  "a label key in upper case": [{ name: "m", labels: { A: "c" } }, 3],
  "a label key that ends with a hyphen": [{ name: "m", labels: { "a-": "c" } }, 3],
  "a label key of 64 characters": [{ name: "m", labels: { ["a".repeat(64)]: "c" } }, 3],
  "boxd's own label keys": [{ name: "m", labels: { "boxd/owner": "c" } }, 3],
  "a label value of two lines": [{ name: "m", labels: { a: "b\nc" } }, 3],
  "a label value of 257 characters": [{ name: "m", labels: { a: "b".repeat(257) } }, 3],
  "65 labels": [{ name: "m", labels: Object.fromEntries(Array.from({ length: 65 }, (_, key) => [`k${key}`, ""])) }, 3],
  "an unknown restart policy": [{ name: "m", restartPolicy: "sometimes" as "never" }, 3],
};

describe("create refuses", () => {
  test.each(Object.entries(REFUSED))("%s", async (_title, [params, code]) => {
    await using plane = new FakePlane();
    plane.snapshots.set("young", { status: "pending", vcpu: 2 });
    plane.snapshots.set("ready", { status: "ready", vcpu: 2 });
    const error = await failure(plane.client().machines.create(params));
    expect(error.grpcCode).toBe(code);
    expect(plane.survivors()).toEqual([]);
  });

  test.each([6, 9] as const)("a name that is taken, with code %i", async (nameTaken) => {
    await using plane = new FakePlane({ quirks: { nameTaken } });
    await plane.seed({ name: "m" }, "failed");
    const error = await failure(plane.client().machines.create({ name: "m" }));
    expect(error).toMatchObject({ name: "ConflictError", grpcCode: nameTaken, message: "name 'm' is already taken" });
  });

  test("more machines than the quota", async () => {
    await using plane = new FakePlane({ quirks: { quota: 1 } });
    await plane.seed({ name: "a" }, "hibernated");
    expect(await failure(plane.client().machines.create({ name: "b" }))).toMatchObject({
      name: "RateLimitError",
      grpcCode: 8,
    });
  });
});

describe("create accepts", () => {
  test("64 labels with dots, slashes and underscores in their keys, and values of any sort", async () => {
    await using plane = new FakePlane();
    const labels = Object.fromEntries(Array.from({ length: 63 }, (_, key) => [`a.b/c_${key}`, "x y: é"]));
    const { id } = await plane.client().machines.create({ name: "m", labels: { ...labels, ["k".repeat(63)]: "" } });
    expect((await plane.client().machines.get(id)).labels).toEqual({ ...labels, ["k".repeat(63)]: "" });
  });

  test.each([
    [{}, 2],
    [{ vcpu: 1 }, 1],
    [{ memory: "16G" }, 4],
    [{ vcpu: 8, memory: "32G", disk: "100G" }, 8],
  ])("the size %j", async (config, vcpu) => {
    await using plane = new FakePlane();
    const made = await plane
      .client()
      .machines.create({ name: "m", config, org: "acme", labels: { "managed-by": "x" } });
    expect(made).toMatchObject({
      status: "pending",
      resources: { vcpu, memoryBytes: vcpu * 4 * GIB, diskBytes: 100 * GIB },
      labels: { "managed-by": "x" },
    });
  });

  test("a ready snapshot, with the snapshot's size", async () => {
    await using plane = new FakePlane();
    plane.snapshots.set("base", { status: "ready", vcpu: 8 });
    expect((await plane.client().machines.create({ name: "m", fromSnapshot: "base" })).resources?.vcpu).toBe(8);
  });
});

describe("what the port does not name is a violation, which dispose repeats", () => {
  const cases: Record<string, (client: any) => Promise<unknown>> = {
    "a create option": (client) => client.machines.create({ name: "m", deleteAfter: 60 }),
    "a nested create option": (client) => client.machines.create({ name: "m", config: { cpus: 2 } }),
    "a wrong type": (client) => client.machines.create({ name: "m", config: { vcpu: "2" } }),
    "an exec option": (client) => client.machines.exec("id", { command: "true", timeoutMs: 5 }),
    "an exec environment": (client) => client.machines.exec("id", { command: "true", env: { A: "b" } }),
    "an argv array": (client) => client.machines.exec("id", { command: ["true"] }),
    "a fractional timeout": (client) => client.machines.exec("id", { command: "true", timeout: 1.5 }),
    "an extra argument": (client) => client.machines.delete("id", { force: true }),
    "a list filter": (client) => client.machines.list({ label: "x" }),
    "text for bytes": (client) => client.machines.files.upload("id", "/home/boxd/a", "text"),
    "a missing id": (client) => client.machines.get(undefined),
  };
  test.each(Object.entries(cases))("%s", async (_title, call) => {
    const plane = new FakePlane();
    expect(await failure(call(plane.client()))).toBeInstanceOf(PortViolation);
    expect(await failure(plane.dispose())).toBeInstanceOf(PortViolation);
  });
});

describe("credentials", () => {
  test.each([[{}], [{ apiKey: "bxd_wrong" }]])("%j is refused by every call", async (credentials) => {
    await using plane = new FakePlane();
    const client = plane.client(credentials);
    for (const call of [
      () => client.machines.list(),
      () => client.orgs.list(),
      () => client.machines.create({ name: "m" }),
    ]) {
      expect(await failure(call())).toMatchObject({ name: "AuthenticationError", grpcCode: 16 });
    }
  });

  test("a closed client does nothing more, another one goes on", async () => {
    await using plane = new FakePlane();
    const client = plane.client();
    await client.close();
    expect(await failure(client.machines.create({ name: "m" }))).toMatchObject({ name: "APIConnectionError" });
    expect(await plane.client().machines.list()).toEqual([]);
  });
});

test("settings of a deleted machine are not found", async () => {
  await using plane = new FakePlane();
  const { id } = await plane.seed({ name: "m" }, "destroyed");
  const { machines } = plane.client();
  const calls = [
    () => machines.setDeleteAfter(id, 60),
    () => machines.setAutoSuspendTimeout(id, 0),
    () => machines.setAutoHibernateTimeout(id, 0),
    () => machines.setEgressAllow(id, []),
    () => machines.proxies.setPort(id, 80),
    () => machines.proxies.list(id),
    () => machines.setBotProtection?.(id, false),
  ];
  for (const call of calls)
    expect(await failure(Promise.resolve(call()))).toMatchObject({ name: "NotFoundError", grpcCode: 5 });
});

test("egress, ports and timers are checked by value", async () => {
  await using plane = new FakePlane();
  const { id } = await plane.seed({ name: "m" });
  const { machines } = plane.client();
  const calls = [
    () => machines.setEgressAllow(id, ["none", "example.com"]),
    () => machines.setEgressAllow(id, ["https://example.com"]),
    () => machines.proxies.setPort(id, 0),
    () => machines.setDeleteAfter(id, 1.5),
    () => machines.setAutoSuspendTimeout(id, -1),
    () => machines.setAutoHibernateTimeout(id, 2_592_001),
  ];
  for (const call of calls) expect(await failure(call())).toMatchObject({ name: "APIStatusError", grpcCode: 3 });
  await machines.setEgressAllow(id, ["*.example.com", "10.0.0.0/8"]);
  await machines.proxies.setPort(id, 9000);
  expect(await machines.proxies.list(id)).toMatchObject([
    { name: null, port: 9000, portMode: "locked", isDefault: true },
  ]);
  expect(await machines.get(id)).toMatchObject({ egressAllow: ["*.example.com", "10.0.0.0/8"] });
});
