import { randomBytes } from "node:crypto";
import { describe } from "vitest";
import { createBoxdSandbox, readBoxdSettings } from "../../../src/boxd/qm-sandbox/index.ts";
import { conformance } from "./conformance.ts";
import { DiskWorkspace } from "./rig.ts";

/** Why the live run is skipped, or undefined when it was asked for and can be made. */
function missing(): string | undefined {
  if (process.env["BOXD_LIVE_TEST"] !== "1") return "BOXD_LIVE_TEST is not 1";
  return (process.env["BOXD_API_KEY"] ?? "").trim() === "" ? "there is no BOXD_API_KEY" : undefined;
}

const reason = missing();

/** The same suite against boxd itself: it makes machines, which cost money, and deletes them. */
describe.skipIf(reason !== undefined)(`live${reason === undefined ? "" : ` (skipped: ${reason})`}`, () => {
  conformance("boxd", async () => {
    const run = randomBytes(3).toString("hex");
    const workspace = new DiskWorkspace();
    const sandbox = createBoxdSandbox(workspace, { ...readBoxdSettings(process.env), namePrefix: "qmlive" });
    return {
      sandbox,
      scratchKey: run,
      layers: [{ scopeId: `live-${run}`, mountPath: "", mode: "rw" }],
      dispose: async () => {
        workspace.remove();
        await sandbox.close();
      },
    };
  });
});
