import type { DiagnosticView } from "qm-deploy/pure";

/** True for a finding that says that the config holds a secret. */
export function saysSecret({ clause }: DiagnosticView): boolean {
  return clause === "config.no-secret-values";
}

/** The first of such findings; nothing is rendered while there is one. */
export function committedSecret(findings: readonly DiagnosticView[]): DiagnosticView | null {
  return findings.find(saysSecret) ?? null;
}

/**
 * The finding for which a config is put into no link and kept nowhere: it holds a secret, or it is so large that it was not looked at,
 * so that it may.
 */
export function unsharable(findings: readonly DiagnosticView[]): DiagnosticView | null {
  const unread = findings.find(({ rule, file }) => rule === "input/too-large" && file === "qm.config.jsonc");
  return committedSecret(findings) ?? unread ?? null;
}
