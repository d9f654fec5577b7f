import {
  assertExecutionLifecycle,
  assertLeaseLifecycle,
  assertWorkspaceRealizationLifecycle,
  createEnvironmentTestHarness,
} from "@paperclipai/plugin-sdk/testing";
import { describe, expect, test } from "vitest";
import manifest from "../../../src/boxd/paperclip/manifest.ts";
import { commandRig, ENVIRONMENT, needsProcesses, RUN, skipWithoutProcesses } from "./rig.ts";

describe.skipIf(skipWithoutProcesses)(`the SDK's own test harness${needsProcesses}`, () => {
  test("P01 P33 every hook through the harness, its own lifecycle assertions, and nothing left", async () => {
    await using rig = commandRig();
    const { hooks, base } = rig;
    const harness = createEnvironmentTestHarness({
      manifest,
      environmentDriver: {
        driverKey: "boxd",
        onValidateConfig: hooks.onEnvironmentValidateConfig,
        onProbe: hooks.onEnvironmentProbe,
        onAcquireLease: hooks.onEnvironmentAcquireLease,
        onResumeLease: hooks.onEnvironmentResumeLease,
        onReleaseLease: hooks.onEnvironmentReleaseLease,
        onDestroyLease: hooks.onEnvironmentDestroyLease,
        onRealizeWorkspace: hooks.onEnvironmentRealizeWorkspace,
        onExecute: hooks.onEnvironmentExecute,
      },
    });
    const { normalizedConfig } = await harness.validateConfig({ driverKey: "boxd", config: base.config });
    const stored = { ...base, config: normalizedConfig ?? {} };
    expect(await harness.probe(stored)).toMatchObject({ ok: true });
    const lease = await harness.acquireLease({ ...stored, runId: RUN });
    const providerLeaseId = lease.providerLeaseId ?? "";
    const { cwd } = await harness.realizeWorkspace({ ...stored, lease, workspace: { localPath: "/work" } });
    expect(await harness.execute({ ...stored, lease, command: "pwd", cwd })).toMatchObject({
      exitCode: 0,
      stdout: `${cwd}\n`,
    });
    expect((await harness.resumeLease({ ...stored, providerLeaseId })).providerLeaseId).toBe(providerLeaseId);
    expect(await harness.releaseLease({ ...stored, providerLeaseId })).toEqual({ providerLeaseId, state: "destroyed" });
    expect(await harness.destroyLease({ ...stored, providerLeaseId })).toEqual({ providerLeaseId, state: "destroyed" });
    assertLeaseLifecycle(harness.environmentEvents, ENVIRONMENT);
    assertWorkspaceRealizationLifecycle(harness.environmentEvents, ENVIRONMENT);
    assertExecutionLifecycle(harness.environmentEvents, ENVIRONMENT);
    expect(rig.plane.survivors()).toEqual([]);
  });
});
