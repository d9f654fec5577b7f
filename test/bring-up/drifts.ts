import type { Difference } from "../../src/live/compare.ts";
import { remedyFor } from "../../src/live/remedy.ts";
import { firstContext } from "../../src/views/artifacts.ts";
import type { Stage } from "./stage.ts";
import { follow } from "./walk.ts";

/** A difference that `drift` may find, and how it comes about where commands depend on what is there. */
interface Drift {
  readonly is: Partial<Difference>;
  readonly comes?: (world: any) => void;
}

const MACHINE = ["machine 3d8d9014a32789"];
const secret = (name: string, kind: Difference["kind"]): Partial<Difference> => ({ attribute: "secret", name, kind });
const setting = (name: string): Partial<Difference> => ({ attribute: "setting", name, kind: "other" });

/** Each branch of the remedies once. */
export const DRIFTS: { readonly [target in "docker" | "fly" | "aws"]: readonly Drift[] } = {
  docker: [
    { is: { attribute: "workload", kind: "missing" }, comes: ({ docker }) => delete docker.containers["qm-acme-core"] },
    { is: { attribute: "environment", name: "HARNESS", kind: "other" } },
    { is: secret("BOXD_API_KEY", "absent") },
    { is: setting("restart") },
    { is: setting("compose project") },
    {
      is: { workload: "qm-acme-old", attribute: "workload", kind: "stranger" },
      comes: ({ docker }) => (docker.containers["qm-acme-old"] = { by: "qm-acme", running: true, ports: [] }),
    },
  ],
  fly: [
    { is: { attribute: "workload", kind: "missing" }, comes: ({ fly }) => delete fly.apps["acme-web-ui"] },
    { is: { attribute: "workload", kind: "empty" }, comes: ({ fly }) => (fly.apps["acme-web-ui"].machines = 0) },
    { is: { attribute: "workload", kind: "idle", units: MACHINE } },
    { is: { attribute: "image", kind: "other" } },
    { is: { ...setting("primary_region"), running: "iad" } },
    { is: { attribute: "mount", name: "/data", kind: "extra", units: MACHINE } },
    { is: secret("MORE", "extra"), comes: ({ fly }) => (fly.apps["acme-web-ui"].secrets.MORE = "deployed") },
    { is: secret("CORE_SIGNING_SECRET", "staged") },
    { is: secret("CORE_SIGNING_SECRET", "absent") },
    { is: { workload: "core", ...secret("DATABASE_URL", "absent") } },
    { is: secret("QM_OWNER_8E0D4C7CE90F6863", "absent") },
    {
      is: { workload: "acme-old", attribute: "workload", kind: "stranger" },
      comes: ({ fly }) => (fly.apps["acme-old"] = { secrets: {}, machines: 1, certificates: [] }),
    },
  ],
  aws: [
    {
      is: { attribute: "workload", kind: "missing" },
      comes: ({ aws }) => delete aws.clusters["acme-qm"].services["acme-web-ui"],
    },
    { is: { attribute: "workload", kind: "idle" } },
    { is: { workload: "core", attribute: "image", kind: "other" } },
    { is: secret("PORTAL_IDENTITY_SECRET", "absent") },
    {
      is: { workload: "acme-old", attribute: "workload", kind: "stranger" },
      comes: ({ aws }) =>
        (aws.clusters["acme-qm"].services["acme-old"] = {
          workload: "old",
          serviceName: "acme-old",
          runningCount: 1,
          desiredCount: 1,
        }),
    },
  ],
};

/** Does what `drift` says of each difference in turn, where it is the workload web-ui unless it says otherwise. */
export function mendDrifts(stage: Stage, target: keyof typeof DRIFTS): void {
  const context = firstContext(stage.deployment);
  if (context === null) throw new Error("no target");
  for (const { is, comes } of DRIFTS[target]) {
    if (comes !== undefined) stage.disturb(comes);
    const nothing = { name: null, rendered: null, running: null, units: [], isPartial: false };
    const difference = { workload: "web-ui", ...nothing, ...is } as Difference;
    follow(stage, remedyFor(difference, { context, isRendered: true }));
  }
}
