import { BoxdDriverError, type BoxdErrorKind } from "./errors.ts";

const ADVICE: { readonly [kind in BoxdErrorKind]?: string } = {
  auth: "boxd does not accept the key: is it whole, not revoked, and of this org? `boxd auth keys create qm --org <org>` makes a new one",
  quota: "the org is at a limit of boxd's; delete machines (`qm-deploy boxd list`) or ask boxd for more",
  transient: "boxd could not be reached or did not answer; try again, and look at the base URL and the network",
  timeout: "boxd took too long; try again",
};

/** An error of the driver for people: what happened and, where one can say it, what to do. Secrets are masked in it already. */
export function explainError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const advice = error instanceof BoxdDriverError ? ADVICE[error.kind] : undefined;
  return advice === undefined ? text : `${text} (${advice})`;
}
