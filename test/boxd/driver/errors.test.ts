import { describe, expect, test } from "vitest";
import {
  BoxdDriverError,
  classifyError,
  CleanupUnconfirmedError,
  isErrorKind,
  isStoppedRefusal,
} from "../../../src/boxd/driver/errors.ts";
import type { BoxdClient } from "../../../src/boxd/driver/client.ts";
import { MachineDriver } from "../../../src/boxd/driver/machine-driver.ts";
import * as sdk from "../../support/boxd-fake/errors.ts";

/** The same class from the SDK's other entry: equal name, other identity. */
class NotFoundError extends Error {
  override name = "NotFoundError";
}

/** Minified or unnamed, only the code is left. */
function coded(message: string, grpcCode: number): Error {
  return Object.assign(new Error(message), { grpcCode });
}

function named(name: string): Error {
  return Object.assign(new Error("x"), { name });
}

const cases: [title: string, error: unknown, expected: ReturnType<typeof classifyError>][] = [
  ["class and code", new sdk.NotFoundError("VM not found", 5), { kind: "not-found", grpcCode: 5 }],
  ["class of the other entry", new NotFoundError("x"), { kind: "not-found" }],
  ["base class with a code", new sdk.BoxdError("gone", 14), { kind: "transient", grpcCode: 14 }],
  ["code alone", coded("nope", 7), { kind: "auth", grpcCode: 7 }],
  ["deadline exceeded", new sdk.APIStatusError("deadline exceeded", 4), { kind: "transient", grpcCode: 4 }],
  ["internal says nothing", new sdk.APIStatusError("upstream reboot failed", 13), { kind: "unknown", grpcCode: 13 }],
  ["quota", new sdk.RateLimitError("machine quota", 8), { kind: "quota", grpcCode: 8 }],
  ["bad key", new sdk.AuthenticationError("invalid token", 16), { kind: "auth", grpcCode: 16 }],
  [
    "an exchange of the key that got no answer",
    new sdk.AuthenticationError("could not reach https://app.boxd.sh/api/v1/auth/exchange: fetch failed"),
    { kind: "transient" },
  ],
  ["an exchange that the server failed", new sdk.AuthenticationError("exchange failed: 503 x"), { kind: "transient" }],
  ["an exchange that was refused", new sdk.AuthenticationError("exchange failed: 403 x"), { kind: "auth" }],
  [
    "the same with the code of a refusal, known by its cause",
    Object.assign(new sdk.AuthenticationError("exchange failed", 16), {
      cause: new TypeError("fetch failed", { cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }) }),
    }),
    { kind: "transient", grpcCode: 16 },
  ],
  ["no credential, before the wire", named("AuthenticationError"), { kind: "auth" }],
  ["client deadline of exec", new sdk.BoxdError("exec timed out after 20ms"), { kind: "timeout" }],
  [
    "client deadline of readiness",
    new sdk.BoxdError("machine m did not reach 'running' within 20ms"),
    { kind: "timeout" },
  ],
  ["socket", Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }), { kind: "transient" }],
  [
    "a connection that fetch could not make",
    new TypeError("fetch failed", { cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }) }),
    { kind: "transient" },
  ],
  ["fetch that does not say why", new TypeError("fetch failed"), { kind: "transient" }],
  ["a mistake in a program", new TypeError("x is not a function"), { kind: "defect" }],
  ["a name that is nowhere", new ReferenceError("x is not defined"), { kind: "defect" }],
  ["the code as a name", Object.assign(new Error("x"), { code: "not_found" }), { kind: "not-found", grpcCode: 5 }],
  [
    "the code as a name in capitals",
    Object.assign(new Error("x"), { code: "UNAVAILABLE" }),
    { kind: "transient", grpcCode: 14 },
  ],
  ["a code of something else", Object.assign(new Error("x"), { code: "ERR_MODULE_NOT_FOUND" }), { kind: "unknown" }],
  ["abort", named("AbortError"), { kind: "aborted" }],
  [
    "name taken, 6",
    new sdk.ConflictError("name 'a' is already taken", 6),
    { kind: "conflict", conflict: "name-taken", grpcCode: 6 },
  ],
  [
    "name taken, 9",
    new sdk.ConflictError("name 'a' is already taken", 9),
    { kind: "conflict", conflict: "name-taken", grpcCode: 9 },
  ],
  [
    "stopped",
    new sdk.ConflictError("VM a is stopped and can't be resumed automatically", 9),
    { kind: "conflict", conflict: "stopped", grpcCode: 9 },
  ],
  [
    "a wish for stopped",
    new sdk.ConflictError("VM a is running (must be stopped or failed to start)", 9),
    { kind: "conflict", conflict: "wrong-state", grpcCode: 9 },
  ],
  [
    "wrong state",
    new sdk.ConflictError("VM is suspended (must be running to hibernate)", 9),
    { kind: "conflict", conflict: "wrong-state", grpcCode: 9 },
  ],
  ["conflict without a code", named("ConflictError"), { kind: "conflict", conflict: "other" }],
  ["no error at all", "boom", { kind: "unknown" }],
  ["our own", new BoxdDriverError({ kind: "insecure" }, "x"), { kind: "insecure" }],
];

describe("classification of errors", () => {
  test.each(cases)("%s", (_title, error, expected) => {
    expect(classifyError(error)).toEqual(expected);
  });

  test("only a refusal that names a stopped machine proves that nothing ran", () => {
    expect(cases.filter(([, error]) => isStoppedRefusal(error)).map(([title]) => title)).toEqual(["stopped"]);
  });

  test("an unconfirmed cleanup names what may be left", () => {
    const left = { handle: "box-1", name: "box-1", id: "vm_1", labels: { "managed-by": "qm-deploy" } };
    const trigger = new Error("first");
    const error = new CleanupUnconfirmedError(left, "machine box-1 may still exist", {
      trigger,
      cause: new Error("second"),
    });
    expect(error.left).toEqual(left);
    expect(error.trigger).toBe(trigger);
    expect(error.name).toBe("CleanupUnconfirmedError");
    expect(isErrorKind(error, "cleanup-unconfirmed")).toBe(true);
  });
});

describe("a mistake in a program", () => {
  /** A client whose every call fails so. */
  function broken() {
    let calls = 0;
    const fail = async (): Promise<never> => {
      calls += 1;
      throw new TypeError("machines.get is not a function");
    };
    const machines = new Proxy({}, { get: () => fail });
    const driver = new MachineDriver({ client: { machines, close: fail } as unknown as BoxdClient });
    return { driver, calls: () => calls };
  }

  test.each([
    ["a read", (driver: MachineDriver) => driver.inspect("m"), 1],
    ["a listing", (driver: MachineDriver) => driver.list(), 1],
    ["a deletion", (driver: MachineDriver) => driver.deleteConfirmed("m"), 1],
  ])("%s is not made again", async (_what, work, expected) => {
    const { driver, calls } = broken();
    await expect(work(driver)).rejects.toThrow("is not a function");
    expect(calls()).toBe(expected);
  });
});
