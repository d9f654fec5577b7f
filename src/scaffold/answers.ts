import type { Backend } from "../catalog/backends/backend.ts";
import type { Release } from "../catalog/releases/release.ts";
import type { ModelProviderName, TargetName } from "../config/written-config.ts";
import type { Toolkit } from "./toolkit-spec.ts";

/** Everything that a new deployment is made from, decided and sound. */
export interface Answers {
  readonly target: TargetName;
  readonly backend: Backend;
  readonly release: Release;
  /** 1 to 63 lower-case letters, digits and inner hyphens. */
  readonly org: string;
  readonly modelProvider: ModelProviderName;
  /** How the sign-in broker sends its e-mails; null: no sign-in by e-mail (docker only). */
  readonly emailTransport: string | null;
  /** Null: the target's own, see {@link defaultPublicUrl}. */
  readonly publicUrl: string | null;
  /** 12 digits; null: the operator fills it in later. */
  readonly awsAccount: string | null;
  readonly toolkit: Toolkit | null;
}

/** Gives `length` random characters of a-z and 0-9. */
export type RandomText = (length: number) => string;
