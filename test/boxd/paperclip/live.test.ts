/** Opt-in: `BOXD_LIVE_TEST=1 BOXD_API_KEY=bxd_… npx vitest run test/paperclip/live.test.ts`, with `@boxd-sh/sdk` installed. It makes and deletes machines. */
import { expect, test } from "vitest";
import { openBoxd } from "../../../src/boxd/driver/index.ts";
import { boxdDefinition } from "../../../src/boxd/paperclip/plugin.ts";

const KEY = process.env["BOXD_API_KEY"] ?? "";
const isOff = process.env["BOXD_LIVE_TEST"] !== "1" || KEY === "";

test.skipIf(isOff)(
  "live: a lease on boxd itself, from probe to destroy (needs BOXD_LIVE_TEST=1 and BOXD_API_KEY)",
  async () => {
    const hooks = boxdDefinition({ open: openBoxd, env: process.env });
    const base = {
      driverKey: "boxd",
      companyId: "live-test",
      environmentId: "live-test",
      config: { timeoutMs: 120_000, reuseLease: true },
    };
    expect(await hooks.onEnvironmentProbe(base)).toMatchObject({ ok: true });
    const requestedExpiresAt = new Date(Date.now() + 15 * 60_000).toISOString();
    const lease = await hooks.onEnvironmentAcquireLease({ ...base, runId: "live-test", requestedExpiresAt });
    const params = { ...base, providerLeaseId: lease.providerLeaseId ?? "", leaseMetadata: lease.metadata ?? {} };
    const execute = (script: string, more = {}) =>
      hooks.onEnvironmentExecute({ ...base, lease, command: "sh", args: ["-c", script], ...more });
    try {
      expect(await execute("cat >file; cat file; exit 42", { stdin: "kept" })).toMatchObject({
        exitCode: 42,
        stdout: "kept",
      });
      expect(await execute("echo begun; sleep 300", { timeoutMs: 3_000 })).toMatchObject({
        exitCode: null,
        timedOut: true,
        stdout: "begun\n",
      });
      await hooks.onEnvironmentReleaseLease(params);
      expect(await hooks.onEnvironmentInspectLease(params)).toMatchObject({ state: "suspended" });
      expect((await hooks.onEnvironmentResumeLease(params)).providerLeaseId).toBe(lease.providerLeaseId);
      expect(await execute("cat file")).toMatchObject({ exitCode: 0, stdout: "kept" });
      expect(await hooks.onEnvironmentStopLease(params)).toMatchObject({ state: "stopped" });
      expect((await hooks.onEnvironmentResumeLease(params)).providerLeaseId).toBe(lease.providerLeaseId);
      expect(await execute("cat file")).toMatchObject({ exitCode: 0, stdout: "kept" });
    } finally {
      expect(await hooks.onEnvironmentDestroyLease(params)).toMatchObject({ state: "destroyed" });
      expect(await hooks.onEnvironmentInspectLease(params)).toMatchObject({ state: "missing" });
      await hooks.onShutdown();
    }
  },
  600_000,
);
