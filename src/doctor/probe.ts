import type { Stage } from "../deployment/stage.ts";
import type { Deployment } from "../deployment/deployment.ts";

/** What a probe came to. `says` is one line without secrets; `help` says what to do about a failure. */
export type ProbeOutcome =
  | { readonly status: "ok" | "skipped"; readonly says: string }
  | { readonly status: "failed"; readonly says: string; readonly help: string };

export interface ProbeContext {
  readonly deployment: Deployment;
  /** Absolute path of the deployment directory. */
  readonly directory: string;
  readonly env: { readonly [name: string]: string | undefined };
  /** Whether anything of the deployment runs yet; asked once for all probes. */
  readonly stage: Promise<Stage>;
  /** Ends the probe when its time is up. */
  readonly signal: AbortSignal;
  /** Masks the deployment's secrets in a text that others wrote. To be done before the text is cut: half a secret is not recognised. */
  readonly mask: (text: string) => string;
}

/** One thing that `check` cannot see offline. Reads and asks, and changes nothing. */
export interface Probe {
  /** Stable, for JSON: `env-file-mode`. */
  readonly id: string;
  readonly title: string;
  readonly run: (context: ProbeContext) => Promise<ProbeOutcome>;
}

/** How long one probe may take, in milliseconds. */
export const PROBE_LIMIT_MS = 10_000;

export const ok = (says: string): ProbeOutcome => ({ status: "ok", says });
export const skipped = (says: string): ProbeOutcome => ({ status: "skipped", says });
export const failed = (says: string, help: string): ProbeOutcome => ({ status: "failed", says, help });
