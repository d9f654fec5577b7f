import type { DeploymentView, DiagnosticView } from "../../src/diagnostics/view.ts";
import { LineIndex } from "../../src/diagnostics/source.ts";
import { PLAIN, type Reporter, type ReporterOptions } from "../../src/diagnostics/reporters/reporter.ts";
import { runView } from "../../src/diagnostics/view.ts";

/** A diagnostic view at the first place where `slice` stands in `text`; about the whole file without one. */
export function finding(more: Partial<DiagnosticView> = {}, text = "", slice?: string): DiagnosticView {
  const at = slice === undefined ? -1 : text.indexOf(slice);
  return {
    rule: "config/wrong-type",
    clause: null,
    severity: "error",
    message: "`a` is wrong",
    help: "make it right",
    command: null,
    file: "qm.config.jsonc",
    range: at < 0 ? null : new LineIndex(text).range(at, at + (slice as string).length),
    related: [],
    fix: null,
    suppression: null,
    docs: `docs/rules.md#${more.rule ?? "config/wrong-type"}`,
    ...more,
  };
}

export function deployment(diagnostics: readonly DiagnosticView[], more: Partial<DeploymentView> = {}): DeploymentView {
  return {
    config: "qm.config.jsonc",
    target: "docker",
    release: { pinned: "0.1.12", resolved: "0.1.12", source: "package.json" },
    sandbox: { declared: "boxd", backend: "boxd", selected: ["boxd"] },
    ok: !diagnostics.some(({ severity }) => severity === "error"),
    secrets: [],
    diagnostics,
    ...more,
  };
}

export const OPTIONS: ReporterOptions = {
  strict: false,
  showSuppressed: false,
  detail: "normal",
  isPart: false,
  inFull: "qm-deploy check --all",
  version: "1.2.3",
  columns: 80,
  palette: PLAIN,
  rules: new Map(),
  fileName: (file) => file,
};

/** All that a reporter prints for a run over these deployments. */
export function printed(
  reporter: Reporter,
  deployments: readonly DeploymentView[],
  sources: { readonly [file: string]: string } = {},
): string {
  const source = (_: DeploymentView, file: string) => (Object.hasOwn(sources, file) ? sources[file] : undefined);
  return [...reporter(runView(deployments, 0), source)].map(({ text }) => text).join("");
}
