import type { Condition } from "../../catalog/secret-row.ts";
import { nameOf, serviceOf } from "../../catalog/settings/index.ts";
import { printPath, type ConfigPath } from "../../base/config-path.ts";
import type { ServiceName } from "../../config/written-config.ts";
import { selectingPlaces } from "../backend-selection.ts";
import type { DeploymentChoices } from "../deployment.ts";
import { settingValue } from "../env-values.ts";
import { servicePath } from "../plugins.ts";
import { provenancePaths } from "../provenance.ts";

/** Whether a condition holds. `reason` is a clause that states it ("`target` is `aws`"), whether or not it is true. */
export interface ConditionResult {
  readonly holds: boolean;
  readonly reason: string;
  /** The config places that it rests on, most telling first. */
  readonly because: readonly ConfigPath[];
}

/** Evaluates a condition of the catalogue. A value is named in the reason only where the condition itself states it. */
export function evaluateCondition(condition: Condition, choices: DeploymentChoices): ConditionResult {
  const { target, config } = choices;
  switch (condition.kind) {
    case "target": {
      const reason = `the target is \`${condition.target}\``;
      return { holds: target === condition.target, reason, because: [["target"]] };
    }
    case "backend":
      return evaluateBackend(condition.backend, choices);
    case "service":
      return evaluateService(condition.service, condition.enabled, choices);
    case "provider": {
      const { provider, providerPath } = choices.model;
      const holds = provider === condition.provider;
      const place = holds && providerPath !== null ? `\`${printPath(providerPath)}\`` : "the model provider";
      return { holds, reason: `${place} is \`${condition.provider}\``, because: [providerPath ?? ["modelProvider"]] };
    }
    case "harness":
      return evaluateHarness(condition.in, choices);
    case "env":
      return evaluateEnv(condition, choices);
    case "background-work-control": {
      const holds = target === "aws" && config.aws?.backgroundWorkControl === true;
      return { holds, reason: "`aws.backgroundWorkControl` is true", because: [["aws", "backgroundWorkControl"]] };
    }
    case "all":
    case "any":
      return evaluateGroup(condition.kind, condition.of, choices);
  }
}

function evaluateBackend(name: string, { sandbox, target, release }: DeploymentChoices): ConditionResult {
  if (!sandbox.selected.some((backend) => backend.name === name))
    return { holds: false, reason: `agents run on \`${name}\``, because: [["sandbox", "backend"]] };
  const { effective } = sandbox;
  const because = selectingPlaces(sandbox, name);
  const [first] = because;
  const isDefault = effective?.name === name && effective.provenance.kind !== "config";
  if (isDefault || first === undefined) {
    const reason = `agents run on \`${name}\` by default on ${target ?? "this target"}`;
    return { holds: true, reason, because };
  }
  const verb = first[2] === nameOf(release.release, "core.scopeBackends") ? "names" : "is";
  return { holds: true, reason: `\`${printPath(first)}\` ${verb} \`${name}\``, because };
}

function evaluateService(
  service: ServiceName,
  enabled: boolean,
  { services, document }: DeploymentChoices,
): ConditionResult {
  return {
    holds: services.includes(service) === enabled,
    reason: `\`services\` ${enabled ? "has" : "does not have"} \`${service}\``,
    because: [enabled ? servicePath(document, service) : ["services"]],
  };
}

function evaluateHarness(allowed: readonly string[], { model, target, release }: DeploymentChoices): ConditionResult {
  const { harness, harnessProvenance } = model;
  const name = nameOf(release.release, "core.harness");
  if (harness === null || !allowed.includes(harness))
    return { holds: false, reason: `${name} is ${alternatives(allowed)}`, because: [["env", "core", name]] };
  const [place] = harnessProvenance === null ? [] : provenancePaths(harnessProvenance);
  if (place === undefined)
    return { holds: true, reason: `${name} is \`${harness}\` by default on ${target}`, because: [] };
  return { holds: true, reason: `\`${printPath(place)}\` is \`${harness}\``, because: [place] };
}

function evaluateEnv(
  condition: Condition & { readonly kind: "env" },
  { config, release: { release } }: DeploymentChoices,
): ConditionResult {
  const { setting } = condition;
  const found = settingValue(config, release, setting);
  const place: ConfigPath = found?.path ?? ["env", serviceOf(setting), nameOf(release, setting)];
  const named = `\`${printPath(place)}\``;
  const because = [place];
  if ("in" in condition) {
    const holds = found !== null && condition.in.includes(found.value);
    return { holds, reason: `${named} is ${holds ? `\`${found.value}\`` : alternatives(condition.in)}`, because };
  }
  const isPresent = condition.is === "present";
  return { holds: (found !== null) === isPresent, reason: `${named} is ${isPresent ? "set" : "not set"}`, because };
}

function evaluateGroup(kind: "all" | "any", parts: readonly Condition[], choices: DeploymentChoices): ConditionResult {
  const results = parts.map((part) => evaluateCondition(part, choices));
  const holds = kind === "all" ? results.every((result) => result.holds) : results.some((result) => result.holds);
  // Of alternatives only those that hold are a reason; where none does, all of them would be.
  const telling = kind === "any" && holds ? results.filter((result) => result.holds) : results;
  return {
    holds,
    reason: telling.map((result) => result.reason).join(kind === "all" || holds ? " and " : " or "),
    because: telling.flatMap((result) => result.because),
  };
}

function alternatives(values: readonly string[]): string {
  return values.map((value) => `\`${value}\``).join(" or ");
}
