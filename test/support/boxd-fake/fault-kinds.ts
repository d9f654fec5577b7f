import type { Fault, Strike } from "./faults.ts";
import * as scenarios from "./scenarios.ts";

/** How a fault is made, of which calls. */
export interface FaultKind {
  /** of `machines`, as `create`; one of these, or any when omitted */
  readonly on?: readonly string[];
  /** No more often than this. For what would leave nothing to hold anybody to if it went on. */
  readonly most?: number;
  /** `secret` stands in the text of a refusal, as a careless service would have it */
  readonly fault: (method: string, strike: Strike, secret: string) => Fault;
}

const MIB = 1024 * 1024;
/** More than drivers under test wait for one answer (`callMs`), less than for one operation. */
const LATE_MS = 5_000;
const HOUR_MS = 3_600_000;

// A plane that denies machines for ever cannot be told from one without them, so stale reads end: a lie is told once, a flapping one three times.
const LIE = 1;
const FLAPS = 6;
// What is believed to be there for a while delays a receipt; for ever, it forbids it, and `ignored` has that already.
const GHOSTS = 4;
// A day a call would delete every machine at once, whatever anybody does.
const JUMPS = 2;

/** Every kind of fault, by a name that a counterexample can be read by. */
export const FAULT_KINDS = {
  slow: { fault: (method, strike) => scenarios.slow(method, 1_200, "before", strike) },
  late: { fault: (method, strike) => scenarios.slow(method, LATE_MS, "before", strike) },
  "late-answer": { fault: (method, strike) => scenarios.slow(method, LATE_MS, "after", strike) },
  "lost-1": { fault: (method, strike) => scenarios.answerLost(method, 1, strike) },
  "lost-4": { fault: (method, strike) => scenarios.answerLost(method, 4, strike) },
  "lost-10": { fault: (method, strike) => scenarios.answerLost(method, 10, strike) },
  "lost-14": { fault: (method, strike) => scenarios.answerLost(method, 14, strike) },
  "refused-14": { fault: (method, strike) => scenarios.refused(method, 14, "unavailable", strike) },
  "refused-13": { fault: (method, strike, secret) => scenarios.refused(method, 13, `internal ${secret}`, strike) },
  "refused-7": { fault: (method, strike, secret) => scenarios.refused(method, 7, `denied ${secret}`, strike) },
  "refused-8": { fault: (method, strike) => scenarios.refused(method, 8, "rate limit", strike) },
  "stalled-before": { fault: (method, strike) => scenarios.stalled(method, "before", strike) },
  "stalled-after": { fault: (method, strike) => scenarios.stalled(method, "after", strike) },

  "partial-record": { on: ["create"], fault: (_method, strike) => scenarios.createAnswersLittle(strike) },
  "read-fails": { on: ["create"], fault: (_method, strike) => scenarios.createReadFails(strike) },
  "taken-6": { on: ["create"], fault: (_method, strike) => scenarios.nameTaken(6, strike) },
  "taken-9": { on: ["create"], fault: (_method, strike) => scenarios.nameTaken(9, strike) },
  "labels-dropped": {
    on: ["create"],
    fault: (method, strike) => scenarios.becomes({ labels: "dropped" }, method, strike),
  },
  "labels-refused": {
    on: ["create"],
    fault: (method, strike) => scenarios.becomes({ labels: "refused" }, method, strike),
  },
  "url-empty": { on: ["create"], fault: (method, strike) => scenarios.becomes({ url: "empty" }, method, strike) },
  "url-http": { on: ["create"], fault: (method, strike) => scenarios.becomes({ url: "http" }, method, strike) },

  denied: { on: ["get"], most: LIE, fault: (_method, strike) => scenarios.getDenies(strike) },
  hidden: { on: ["list"], most: LIE, fault: (_method, strike) => scenarios.listHides(() => true, strike) },
  flapping: { on: ["list"], most: FLAPS, fault: (_method, strike) => scenarios.listFlaps(strike) },
  page: { on: ["list"], most: LIE, fault: (_method, strike) => scenarios.listPage(1, strike) },
  ghosts: { on: ["list"], most: GHOSTS, fault: (_method, strike) => scenarios.listShowsGhosts(strike) },
  tombstones: { on: ["list"], fault: (_method, strike) => scenarios.listShowsDestroyed(strike) },
  "other-org": { on: ["list"], fault: (_method, strike) => scenarios.listShowsOtherOrg(strike) },

  lingering: {
    on: ["delete"],
    fault: (method, strike) => scenarios.takesReads({ destroy: 12, tombstone: 3 }, method, strike),
  },
  ignored: { on: ["delete"], fault: (_method, strike) => scenarios.deleteIgnored(strike) },

  "no-status": { on: ["exec"], fault: (_method, strike) => scenarios.exitStatusLost(strike) },
  "no-status-field": { on: ["exec"], fault: (_method, strike) => scenarios.exitStatusMissing(strike) },
  "cut-stream": { on: ["exec"], fault: (_method, strike) => scenarios.streamCut(strike) },
  "cut-early": { on: ["exec"], fault: (_method, strike) => scenarios.streamCutEarly("half", strike) },
  capped: { on: ["exec"], fault: (method, strike) => scenarios.becomes({ outputCap: 4 * MIB }, method, strike) },
  "split-characters": { on: ["exec"], fault: (_method, strike) => scenarios.charactersSplit(3, strike) },

  "wake-refused": {
    on: ["start", "resume", "wake"],
    fault: (method, strike) => scenarios.refused(method, 9, "VM is busy", strike),
  },
  "wake-slow": {
    on: ["start", "wake"],
    fault: (method, strike) => scenarios.takesReads({ boot: 15, wake: 15 }, method, strike),
  },
  "boot-slow": { on: ["create"], fault: (method, strike) => scenarios.takesReads({ boot: 15 }, method, strike) },
  "boot-fails": { on: ["create", "start"], fault: (method, strike) => scenarios.bootFails(method, strike) },
  "idle-timers-fire": { most: JUMPS, fault: (method, strike) => scenarios.timeJumps(5 * HOUR_MS, method, strike) },
  "delete-timers-fire": { most: JUMPS, fault: (method, strike) => scenarios.timeJumps(25 * HOUR_MS, method, strike) },

  "no-file-api": {
    on: ["exec", "files.upload"],
    fault: (method, strike) => scenarios.becomes({ fileApi: false }, method, strike),
  },
  short: { on: ["files.upload"], fault: (_method, strike) => scenarios.shortUpload(strike) },
  cut: { on: ["files.upload"], fault: (_method, strike) => scenarios.cutUpload(true, strike) },
  "cut-secretly": { on: ["files.upload"], fault: (_method, strike) => scenarios.cutUpload(false, strike) },
} as const satisfies Record<string, FaultKind>;
