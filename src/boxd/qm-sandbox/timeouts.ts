/** The times of qm's backends, in milliseconds unless the name says otherwise. */
export const DEFAULT_TIMEOUT_SEC = 600;
/** making a machine, or bringing it to `running` from any state */
export const READY_MS = 180_000;
export const TRANSFER_MS = 300_000;
export const EXTRACT_MS = 120_000;
export const PREPARE_MS = 60_000;
/** blob staging by reference */
export const STAGE_MS = 300_000;
/** the guest's answer to a health check */
export const PROBE_MS = 15_000;
/** one step of a process session, on top of what it waits for */
export const SESSION_MS = 20_000;
/** deleting a machine and proving it */
export const DELETE_MS = 60_000;

/** qm's exit status for a command that was ended by its timeout, as `timeout` of coreutils has it */
export const TIMED_OUT = 124;
/** for one that was killed: 128 and SIGKILL */
export const KILLED = 137;

/** A scratch machine that its process forgot is removed by boxd itself after a day. */
export const SCRATCH_LIFETIME_SECONDS = 86_400;
/**
 * boxd's own default, set explicitly: a machine that qm leaves warm is written to disk after four hours. Commands are no activity to
 * boxd, but every provision starts the timer again, and every operation starts the machine first.
 */
export const HIBERNATE_SECONDS = 14_400;
