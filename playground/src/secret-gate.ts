import type { DiagnosticView } from "qm-deploy/pure";

/** True for a finding that says that the config holds a secret. */
export function saysSecret({ clause }: DiagnosticView): boolean {
  return clause === "config.no-secret-values";
}

/** The first of such findings; no link is made while there is one. */
export function committedSecret(findings: readonly DiagnosticView[]): DiagnosticView | null {
  return findings.find(saysSecret) ?? null;
}
