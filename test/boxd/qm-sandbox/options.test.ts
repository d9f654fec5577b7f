import { describe, expect, test } from "vitest";
import { createBoxdSandbox, type BoxdSandboxOptions } from "../../../src/boxd/qm-sandbox/index.ts";
import { mintBlobToken } from "../../../src/boxd/qm-sandbox/blob-token.ts";
import { boxdAddress } from "../../../src/boxd/qm-sandbox/options.ts";
import { scenarios } from "../../support/boxd-fake/index.ts";
import { DiskWorkspace, needsProcesses, Rig, SCOPE, skipWithoutProcesses } from "./rig.ts";

const KEY = { apiKey: "bxd_key" };

/** What `createBoxdSandbox` says to options, as they come from code that no compiler has seen. */
function refusal(options: object): string | undefined {
  const workspace = new DiskWorkspace();
  try {
    createBoxdSandbox(workspace, { ...KEY, ...options } as BoxdSandboxOptions);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    workspace.remove();
  }
}

const GOLDEN = [
  "eyJhbGciOiJIUzI1NiIsImtpZCI6InROaDFKRGs3In0",
  "eyJvcmdJZCI6ImFjbWUiLCJhY3RvcklkIjoiYm94ZC1zYW5kYm94IiwiYXVkIjoiYmxvYi10cmFuc2ZlciIsInNjb3BlSWQiOiJwZXJzb25hbDpib3hkLXNhbmRib3giLCJibG9iIjp7ImRpciI6InJlYWQiLCJpZCI6IjAxMjM0NTY3ODlhYmNkZWYwMTIzNDU2Nzg5YWJjZGVmIn0sImV4cCI6MTgwMDAwMDEyMDAwMH0",
  "Vs8NTYUSJz3v6fmRRRDQJeTva8LzvZnJyTDubZuqBq8",
].join(".");

describe("options", () => {
  test("every name that core's wiring hands to its backends is known", () => {
    const wired = {
      baseUrl: "https://boxd.example",
      org: "acme",
      namePrefix: "qm",
      vcpu: 2,
      diskGb: 100,
      egressProxyUrl: "https://proxy.example",
      defaultTimeoutSec: 600,
      blobTransfer: {},
      extraTools: [],
      credentialPaths: [],
      signingSecret: "s",
      capabilitySecret: "c",
      apiBaseUrl: "https://core.example",
      onError: () => undefined,
    };
    expect(refusal(wired)).toBeUndefined();
  });

  test("one that nothing reads is refused, with what was meant and what there is", () => {
    expect(refusal({ nameprefix: "qm", token: "t", blobs: {} })).toMatch(
      /^createBoxdSandbox does not know `nameprefix` \(did you mean `namePrefix`\?\), `token`, `blobs`; it knows apiKey, .*vcpu$/,
    );
    expect(refusal({ token: undefined })).toBeUndefined();
  });

  test("boxd's address has two names and one value, which is not core's", () => {
    expect(boxdAddress({})).toBeUndefined();
    expect(boxdAddress({ baseUrl: "https://b.example/" })).toBe("https://b.example");
    expect(boxdAddress({ baseURL: "https://b.example", baseUrl: "https://b.example/" })).toBe("https://b.example");
    expect(refusal({ baseURL: "https://a.example", baseUrl: "https://b.example" })).toContain("differ");
    expect(refusal({ baseUrl: "https://core.example", apiBaseUrl: "https://core.example/" })).toContain("core");
  });

  test("a token of staging is what core's own looks like", () => {
    // Made once with core's code (qm 0.1.6), from the same secret, grant and moment.
    const grant = { dir: "read", id: "0123456789abcdef0123456789abcdef" } as const;
    expect(mintBlobToken(grant, "a-secret", "acme", 1_800_000_000_000)).toBe(GOLDEN);
  });
});

describe.skipIf(skipWithoutProcesses)(`what machines are told and tell${needsProcesses}`, () => {
  test("labels say whose a machine is; one that lacks them is adopted, one of another scope is not", async () => {
    await using rig = new Rig();
    const layers = [{ scopeId: SCOPE, mountPath: "", mode: "rw" as const }];
    await rig.provision();
    await rig.sandbox.provision(layers, { scratch: { key: `job\n${"k".repeat(400)}` } });
    expect(rig.plane.survivors().map(({ params }) => params.labels)).toEqual([
      { "managed-by": "qm-deploy", "qm-scope": SCOPE },
      { "managed-by": "qm-deploy", "qm-scratch": `job ${"k".repeat(252)}` },
    ]);
    rig.plane.steps.destroy = 0;
    await rig.sandbox.teardown(await rig.provision(), { destroy: true });
    await rig.plane.seed({ name: rig.machine.name, labels: { "managed-by": "qm-deploy", team: "x" } });
    expect(await rig.provision()).toMatchObject({ coldStart: false });
    await rig.machine.delete();
    await rig.plane.seed({ name: rig.machine.name, labels: { "managed-by": "qm-deploy", "qm-scope": "another" } });
    await expect(rig.provision()).rejects.toThrow("other labels");
  });

  test("output that was cut is an error, and no success with a part of it", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    for (const stream of ["", " >&2"]) {
      rig.plane.faults.inject(scenarios.becomes({ outputCap: 1000 }, "machines.exec"));
      await expect(rig.sandbox.run(handle, `head -c 2000 /dev/zero | tr '\\0' x${stream}`)).rejects.toThrow(
        /^boxd exec qm-.*: truncated stream: the command ended with 0,/,
      );
      rig.plane.quirks.outputCap = Infinity;
    }
  });
});
