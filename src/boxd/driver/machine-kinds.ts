/** What a machine was made for: a scope of qm, a throw-away computer of qm, a lease of Paperclip, a container of OpenEnv, a smoke run, or by a caller of the driver. */
export const MACHINE_KINDS = ["qm", "scratch", "paperclip", "openenv", "smoke", "other"] as const;

export type MachineKind = (typeof MACHINE_KINDS)[number];
