import type { PluginEnvironmentProbeParams, PluginEnvironmentProbeResult } from "@paperclipai/plugin-sdk";
import { errorText, SDK_PACKAGE, type OwnedSpec } from "../../driver/index.ts";
import { machineChoice } from "../config.ts";
import { refusal } from "../errors.ts";
import { HOST_ID, machineLabels } from "../ownership.ts";
import type { Provider } from "../provider.ts";

/** The host waits two minutes: this for the machine, twenty seconds more when it fails, and the rest for deleting it. */
const CREATE_MS = 60_000;
const DELETE_MS = 30_000;
/** boxd removes a probe's machine after this many seconds, whatever happens to us. */
const EXPIRY_SECONDS = 15 * 60;

/** Makes a machine, runs a command in it and deletes it. Every failure is an answer, a machine that cannot be deleted included. */
export async function probe(
  provider: Provider,
  params: PluginEnvironmentProbeParams,
): Promise<PluginEnvironmentProbeResult> {
  try {
    const choice = machineChoice(params.config, provider.env);
    const { driver, sdkVersion } = await provider.connect(params.config);
    // Settings that are not stored yet may have no environment.
    const environmentId = HOST_ID.test(params.environmentId) ? params.environmentId : "unsaved";
    const labels = machineLabels({ environmentId, runId: "probe" });
    const spec: OwnedSpec = {
      ...choice,
      labels,
      namePrefix: "paperclip-probe",
      isolated: true,
      expiry: { afterSeconds: EXPIRY_SECONDS, final: true },
      async prepare({ id }, deadline) {
        const outcome = await driver.exec(id, { command: "echo ready" }, deadline);
        if (outcome.ended !== "exit" || outcome.stdout.trim() !== "ready")
          throw refusal(`machine ${id} does not run commands`);
      },
    };
    const machine = await driver.createOwned(spec, { timeoutMs: CREATE_MS });
    await driver.deleteSettled(machine.id, { timeoutMs: DELETE_MS }, machine);
    const by = `${SDK_PACKAGE} ${sdkVersion ?? "of unknown version"}`;
    return { ok: true, summary: `a boxd machine was made, ran a command and was deleted, by ${by}` };
  } catch (error) {
    const message = errorText(error);
    return { ok: false, summary: "the boxd environment does not work", diagnostics: [{ severity: "error", message }] };
  }
}
