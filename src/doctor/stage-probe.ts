import type { Stage } from "../deployment/stage.ts";
import { ok, skipped, type Probe, type ProbeOutcome } from "./probe.ts";

const SAYS: { readonly [stage in Stage]: ProbeOutcome } = {
  before: ok(
    "nothing of it runs: this is before the first deployment, to which bring-up.md beside the rendered files leads",
  ),
  "moving-in": ok(
    "what runs was made by qm's own `up`: bring-up.md beside the rendered files says how to take it over",
  ),
  after: ok("it runs; `qm-deploy drift` compares it with what is rendered"),
  unknown: skipped("the target cannot be asked whether anything of it runs"),
};

/** Where the deployment is in its life, by which the other probes judge what they find. */
export const STAGE_PROBE: Probe = { id: "stage", title: "stage", run: async ({ stage }) => SAYS[await stage] };
