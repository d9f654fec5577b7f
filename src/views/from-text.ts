import type { Deployment } from "../deployment/deployment.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import {
  type DeploymentView,
  type DiagnosticView,
  diagnosticView,
  type SecretView,
  unreadDeployment,
} from "../diagnostics/view.ts";
import { applyFix, applyFixes } from "../rules/apply-fixes.ts";
import { blockingDiagnostics, isCommittedSecret } from "../rules/blocking.ts";
import { runRules } from "../rules/run-rules.ts";
import { firstRender } from "./artifacts.ts";
import { checkDeployment, checkSecretValues } from "./check.ts";
import { deploymentView, describedSecrets } from "./deployment-view.ts";
import { mermaidOf, svgOf } from "./graph/picture.ts";
import { loadText, printed, type TextOptions } from "./loaded-text.ts";

/** As {@link TextOptions}. */
export interface CheckTextOptions extends TextOptions {
  /** Warnings count against `ok`. */
  readonly strict?: boolean | undefined;
}

/** One rendered file. Its text is exact: no mask alters it. */
export interface RenderedText {
  /** Path below `rendered/<target>/`. */
  readonly name: string;
  readonly text: string;
}

/** What rendering came to. */
export interface RenderedTexts {
  /** True where `qm-deploy render` writes all of it. */
  readonly ok: boolean;
  readonly target: string | null;
  /** Every file that could be made, sorted by name; none where the config holds a secret, which would be in them. */
  readonly artifacts: readonly RenderedText[];
  /** The findings for which `render` waits. */
  readonly findings: readonly DiagnosticView[];
  /** Why files are missing: one for each that could not be made. */
  readonly refusals: readonly (DiagnosticView & { readonly artifact: string })[];
  /** What is worth knowing about a file. */
  readonly notes: readonly { readonly artifact: string; readonly message: string }[];
}

/** One secret that a deployment needs or may use. */
export interface SecretText extends SecretView {
  readonly description: string;
}

/** The secrets of a deployment, and what is wrong with those in `env`. */
export interface SecretsOfText {
  /** True where every required secret has a sound value in `env`. */
  readonly ok: boolean;
  /** Sorted by name. */
  readonly secrets: readonly SecretText[];
  /** What `secrets check` says, judged alike on every target. Names values, never shows them. */
  readonly findings: readonly DiagnosticView[];
}

/** A fix that was made. */
export interface FixedText {
  /** The config with the fixes; as it was where there was nothing to fix. */
  readonly text: string;
  /** What was done, in order. */
  readonly applied: readonly string[];
}

/** The picture of a deployment as text. */
export interface Drawn {
  /** False where the text is too large to be read; what stands in it makes a picture of whatever is sound. */
  readonly ok: boolean;
  /** Empty where `ok` is false. */
  readonly text: string;
}

/**
 * Judges a deployment: what `qm-deploy check --format json` prints of it (docs/json.md). Never throws for what stands in the
 * texts; one that is larger than 1 MiB is a finding `input/too-large`, as it is for the command.
 *
 * @example
 * ```ts
 * const { ok, diagnostics } = checkText('{ "contract": 1, "target": "docker" }', { env: "ANTHROPIC_API_KEY=\n" });
 * for (const { severity, rule, message, range } of diagnostics) console.log(severity, rule, message, range?.start.line);
 * ```
 */
export function checkText(text: string, { strict = false, ...options }: CheckTextOptions = {}): DeploymentView {
  const loaded = loadText(text, options);
  if ("problem" in loaded) return unread(loaded.problem, options);
  return checkDeployment(loaded.deployment, { strict });
}

function unread(problem: Diagnostic, { file = "qm.config.jsonc" }: TextOptions): DeploymentView {
  return unreadDeployment(file, [diagnosticView(problem)]);
}

/**
 * Renders every file that the target needs, as `qm-deploy render` does the first time. Secret values are in none of them. Where
 * `ok` is false, `findings` and `refusals` say why, and what can be made is there all the same.
 *
 * @example
 * ```ts
 * const { artifacts } = renderText(config, { target: "fly" });
 * console.log(artifacts.map(({ name }) => name)); // [".env.example", "bring-up.md", "core.env", "core.fly.toml", …]
 * ```
 */
export function renderText(text: string, options: TextOptions = {}): RenderedTexts {
  const loaded = loadText(text, options);
  if ("problem" in loaded) {
    const findings = unread(loaded.problem, options).diagnostics;
    return { ok: false, target: null, artifacts: [], findings, refusals: [], notes: [] };
  }
  const { deployment } = loaded;
  const blocking = blockingDiagnostics("render", runRules(deployment), deployment);
  const isCommitting = blocking.some(isCommittedSecret);
  const rendered = isCommitting ? { artifacts: [], refusals: [], notes: [] } : firstRender(deployment);
  const { artifacts, refusals, notes } = rendered;
  const refusalViews = viewsOf(deployment, refusals);
  return {
    ok: blocking.length === 0 && refusals.length === 0,
    target: deployment.target,
    artifacts: artifacts.map(({ name, text: content }) => ({ name, text: content })),
    findings: viewsOf(deployment, blocking),
    refusals: refusals.map(({ artifact }, at) => ({ ...(refusalViews[at] as DiagnosticView), artifact })),
    notes: printed(notes),
  };
}

function viewsOf(deployment: Deployment, diagnostics: readonly Diagnostic[]): readonly DiagnosticView[] {
  return deploymentView(deployment, diagnostics, false).diagnostics;
}

/**
 * The secrets that a deployment needs or may use, with the reason for each, and what is missing or wrong in `env`. Values are in
 * none of it.
 *
 * @example
 * ```ts
 * const { secrets, findings } = secretsOfText(config, { env: "BOXD_API_KEY=changeme\n" });
 * for (const { name, required, reason } of secrets) console.log(name, required, reason);
 * console.log(findings.map(({ rule }) => rule)); // ["env-file/placeholder", "env-file/missing-secret", …]
 * ```
 */
export function secretsOfText(text: string, options: TextOptions = {}): SecretsOfText {
  const loaded = loadText(text, options);
  if ("problem" in loaded) return { ok: false, secrets: [], findings: unread(loaded.problem, options).diagnostics };
  const { deployment } = loaded;
  const { ok, diagnostics } = deploymentView(deployment, checkSecretValues(deployment), false);
  return { ok, secrets: describedSecrets(deployment), findings: diagnostics };
}

/**
 * Applies fixes to a config, as `check --fix` does: "safe" those whose meaning is certain, "all" also what is likely, or the one of
 * a finding that {@link checkText} gave for the same texts.
 *
 * @example
 * ```ts
 * const [finding] = checkText(config).diagnostics.filter(({ fix }) => fix !== null);
 * if (finding !== undefined) console.log(fixText(config, finding).text);
 * ```
 */
export function fixText(text: string, which: "safe" | "all" | DiagnosticView, options: TextOptions = {}): FixedText {
  const loaded = loadText(text, options);
  if ("problem" in loaded) return { text, applied: [] };
  const { deployment } = loaded;
  if (typeof which === "string") {
    const { deployment: fixed, applied } = applyFixes(deployment, which);
    return { text: fixed.inputs.config.text, applied: printed(applied) };
  }
  const finding = runRules(deployment).find((one) => isSame(one, which));
  const fixed = finding === undefined ? null : applyFix(deployment, finding);
  return fixed === null ? { text, applied: [] } : { text: fixed, applied: printed([finding?.fix?.title ?? ""]) };
}

function isSame({ rule, range, fix }: Diagnostic, view: DiagnosticView): boolean {
  return (
    rule === view.rule &&
    range?.start.offset === view.range?.start.offset &&
    range?.end.offset === view.range?.end.offset &&
    fix?.title === view.fix?.title
  );
}

/**
 * Draws a deployment, as `qm-deploy graph` does: a Mermaid flowchart or an SVG file. What lays out an SVG is loaded with the first one.
 *
 * @example
 * ```ts
 * document.body.innerHTML = (await drawText(config, "svg")).text;
 * ```
 */
export async function drawText(text: string, format: "mermaid" | "svg", options: TextOptions = {}): Promise<Drawn> {
  const loaded = loadText(text, options);
  if ("problem" in loaded) return { ok: false, text: "" };
  const { deployment } = loaded;
  return { ok: true, text: format === "svg" ? await svgOf(deployment) : mermaidOf(deployment) };
}
