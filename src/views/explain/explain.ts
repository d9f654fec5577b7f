import { DEFAULT_RELEASE, findRelease } from "../../catalog/releases/index.ts";
import type { Release } from "../../catalog/releases/release.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { DeploymentView } from "../../diagnostics/view.ts";
import { findRule } from "../../rules/registry.ts";
import { explainBackend } from "./backend.ts";
import { explainEnvironment } from "./environment.ts";
import { Reach } from "./affected-artifacts.ts";
import { explainRelease } from "./release.ts";
import { explainRule } from "./rule.ts";
import { explainSecret } from "./secret.ts";
import { explainSetting } from "./setting.ts";
import type { Subject } from "./explanation.ts";

/** What a thing is looked up in. */
export interface Ground {
  /** Null where there is none, or none is needed. */
  readonly deployment: Deployment | null;
  /** The judged deployment; null without one. */
  readonly judged: DeploymentView | null;
}

/**
 * Everything that a thing names: rendered names (`NAME` or `workload.NAME`), secrets, config fields, rules, backends and
 * releases, in this order. One text may name several; empty where it names nothing.
 */
export function explain(thing: string, { deployment, judged }: Ground): readonly Subject[] {
  const rule = findRule(thing);
  if (rule !== undefined) return [explainRule(rule, judged)];
  const release = deployment?.release.release ?? (findRelease(DEFAULT_RELEASE) as Release);
  const general = [...explainBackend(thing, release, deployment), ...explainRelease(thing, deployment)];
  if (deployment === null) return general;
  const reach = new Reach(deployment);
  return [
    ...explainEnvironment(deployment, thing, reach),
    ...explainSecret(deployment, thing, reach),
    ...explainSetting(deployment, thing, reach),
    ...general,
  ];
}
