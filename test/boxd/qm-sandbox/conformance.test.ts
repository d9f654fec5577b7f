import { describe } from "vitest";
import { conformance } from "./conformance.ts";
import { LAYERS, needsProcesses, Rig, skipWithoutProcesses } from "./rig.ts";

describe.skipIf(skipWithoutProcesses)(`conformance${needsProcesses}`, () => {
  conformance("boxd on the fake control plane", async () => {
    const rig = new Rig();
    return {
      sandbox: rig.sandbox,
      layers: LAYERS,
      scratchKey: "conformance",
      dispose: () => rig[Symbol.asyncDispose](),
    };
  });
  conformance("boxd whose parked machines wake by themselves and whose records are bare", async () => {
    const rig = new Rig({}, { quirks: { parkedWakes: true, records: "bare", nameTaken: 6 } });
    return {
      sandbox: rig.sandbox,
      layers: LAYERS,
      scratchKey: "conformance",
      dispose: () => rig[Symbol.asyncDispose](),
    };
  });
});
