import { NEWEST } from "../../catalog/releases/index.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { DeploymentView } from "../../diagnostics/view.ts";
import { findRule } from "../../rules/registry.ts";
import { affectedArtifacts } from "../artifacts.ts";
import { explainEnvironment } from "./environment.ts";
import { explainBackend, explainRelease, explainRule } from "./reference.ts";
import { explainSecret } from "./secret.ts";
import { explainSetting } from "./setting.ts";
import { explainName } from "./vocabulary.ts";

/** What is known of one thing that a text names; see docs/json.md. */
export type Explanation = ReturnType<typeof explain>[number];
export type ExplanationOf<Kind extends Explanation["kind"]> = Extract<Explanation, { readonly kind: Kind }>;

/** What a thing is looked up in. */
export interface ExplainInputs {
  /** Null where there is none, or none is needed. */
  readonly deployment: Deployment | null;
  /** What `check` says of the deployment; null without one, or where no rule is asked for. */
  readonly checked: DeploymentView | null;
}

/**
 * Everything that a thing names: rendered names (`NAME` or `workload.NAME`), secrets, config fields, settings that qm
 * reads, backends and releases, in this order; or a rule. One text may name several; empty where it names nothing.
 */
export function explain(thing: string, { deployment, checked }: ExplainInputs) {
  const rule = findRule(thing);
  if (rule !== undefined) return [explainRule(rule, checked)];
  const release = deployment?.release.release ?? NEWEST;
  const general = [
    ...explainName(thing),
    ...explainBackend(thing, release, deployment),
    ...explainRelease(thing, deployment),
  ];
  if (deployment === null) return general;
  const findAffected = affectedArtifacts(deployment);
  return [
    ...explainEnvironment(deployment, thing, findAffected),
    ...explainSecret(deployment, thing, findAffected),
    ...explainSetting(deployment, thing, findAffected),
    ...general,
  ];
}
