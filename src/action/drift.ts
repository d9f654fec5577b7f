import { RENDER } from "../cli/commands/render/render.command.ts";
import type { ProcessIo } from "../cli/process-io.ts";
import { toldChanges } from "../deployment/rendered-names.ts";
import { type DiagnosticView, diagnosticView } from "../diagnostics/view.ts";
import { callCommand } from "./call-command.ts";
import type { ActionInputs } from "./inputs.ts";

/** What `render --check` says of a deployment; see docs/json.md. */
interface RenderedView {
  readonly ok: boolean;
  readonly directory: string | null;
  readonly action: string;
  readonly artifacts: readonly { readonly name: string; readonly change: string }[];
  readonly stale: readonly { readonly name: string }[];
  readonly refusals: readonly DiagnosticView[];
}

/** How the rendered files of a deployment stand to its config. */
export interface Drift {
  /** `unknown`: errors of `check` speak against rendering. */
  readonly state: "current" | "drifted" | "refused" | "unknown";
  /** What fails the run because of it. */
  readonly diagnostics: readonly DiagnosticView[];
}

const MOST_NAMED = 5;

function listed(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED;
  return [...names.slice(0, MOST_NAMED), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

function driftFinding(config: string, directory: string, names: readonly string[]): DiagnosticView {
  return diagnosticView({
    rule: "render/drift",
    clause: null,
    severity: "error",
    message: `\`${directory}\` is not what the config says: ${listed(names)}`,
    help: "run `qm-deploy render`, and commit what it writes",
    command: "qm-deploy render",
    file: config,
    range: null,
    fix: null,
  });
}

/** Compares the rendered files of a deployment with what its config says. */
export async function findDrift(io: ProcessIo, config: string, inputs: ActionInputs): Promise<Drift> {
  const { release, target, envFile } = inputs;
  const options = { check: true, release, target, "env-file": envFile };
  const answer = (await callCommand(io, RENDER, [config], options)) as {
    readonly deployments: readonly RenderedView[];
  };
  const [rendered] = answer.deployments;
  if (rendered === undefined) return { state: "unknown", diagnostics: [] };
  const { ok, directory, action, artifacts, stale, refusals } = rendered;
  if (action === "nothing" || directory === null) return { state: "unknown", diagnostics: [] };
  if (ok) return { state: "current", diagnostics: [] };
  const changed = toldChanges(artifacts, ({ name }) => name);
  const names = [...changed, ...stale].map(({ name }) => name);
  const drift = names.length === 0 ? [] : [driftFinding(config, directory, names)];
  return { state: names.length === 0 ? "refused" : "drifted", diagnostics: [...drift, ...refusals] };
}
