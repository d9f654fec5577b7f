/** A backend that a contributor's own qm core can run agents in. */
export interface DevBackend {
  readonly name: string;
  /** the secret that core needs, and where it comes from; null where none is */
  readonly secret: { readonly name: string; readonly from: string } | null;
  /** the name of the setting for machine names; null where there are no named machines */
  readonly prefix: string | null;
  /** without it, agents reach whatever they like; null where the machines are in the contributor's own network anyway */
  readonly egressProxy: string | null;
  /** passed on where they are set, beside the two above and what every backend reads */
  readonly forwarded: readonly string[];
  /** agents reach core over the internet */
  readonly isRemote: boolean;
}

/** The prefix of a contributor's machines, so that they are told from a deployment's. */
export const DEV_PREFIX = "qmdev";

/** Read by core under every backend. */
export const FORWARDED_ALWAYS: readonly string[] = ["SANDBOX_TIMEOUT_SEC"];

/** One row a backend. Names as qm's core reads them (docs/contract/boxd.md#qms-settings). */
export const DEV_BACKENDS: readonly DevBackend[] = [
  {
    name: "boxd",
    secret: { name: "BOXD_API_KEY", from: "`boxd auth keys create qm --org <org>`" },
    prefix: "BOXD_NAME_PREFIX",
    egressProxy: "BOXD_EGRESS_PROXY_URL",
    forwarded: ["BOXD_BASE_URL", "BOXD_ORG", "BOXD_VCPU", "BOXD_DISK_GB"],
    isRemote: true,
  },
  {
    name: "sprites",
    secret: { name: "SPRITES_TOKEN", from: "`sprite login`" },
    prefix: "SPRITES_NAME_PREFIX",
    egressProxy: "SPRITES_EGRESS_PROXY_URL",
    forwarded: ["SPRITES_BASE_URL"],
    isRemote: true,
  },
  { name: "local", secret: null, prefix: null, egressProxy: null, forwarded: ["LOCAL_SANDBOX_IMAGE"], isRemote: false },
  {
    name: "smolmachines",
    secret: { name: "SMOLMACHINES_TOKEN", from: "the console of your smolmachines account" },
    prefix: "SMOLMACHINES_NAME_PREFIX",
    egressProxy: "SMOLMACHINES_EGRESS_PROXY_URL",
    forwarded: [
      "SMOLMACHINES_BASE_URL",
      "SMOLMACHINES_IMAGE",
      "SMOLMACHINES_CPUS",
      "SMOLMACHINES_MEMORY_MB",
      "SMOLMACHINES_DISK_GB",
    ],
    isRemote: true,
  },
];
