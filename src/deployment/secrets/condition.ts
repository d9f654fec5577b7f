import type { Condition } from "../../catalog/secret-row.ts";
import { nameOf, serviceOf, type ServiceSettingKey } from "../../catalog/settings/index.ts";
import { printPath, type ConfigPath } from "../../base/config-path.ts";
import { selectingPlaces } from "../backend-selection.ts";
import type { DeploymentChoices } from "../deployment.ts";
import { settingValue, writtenSetting } from "../env-values.ts";
import { servicePath } from "../plugins.ts";
import { provenancePaths } from "../provenance.ts";

/** Whether a condition of the catalogue holds. Cheap, since it is asked of every row of every deployment. */
export function holds(condition: Condition, choices: DeploymentChoices): boolean {
  const { target, config, services, sandbox, model } = choices;
  switch (condition.kind) {
    case "target":
      return target === condition.target;
    case "backend":
      return sandbox.selected.some((backend) => backend.name === condition.backend);
    case "service":
      return services.includes(condition.service) === condition.enabled;
    case "provider":
      return model.provider === condition.provider;
    case "harness":
      return model.harness !== null && condition.in.includes(model.harness);
    case "env": {
      if ("is" in condition && condition.is === "any-text")
        return (
          (writtenSetting(config, choices.release.release, condition.setting) ?? "") !== "" ||
          isRouted(condition.setting, choices)
        );
      const found = settingValue(config, choices.release.release, condition.setting);
      if ("in" in condition) return found !== null && condition.in.includes(found.value);
      return (found !== null) === (condition.is === "present");
    }
    case "background-work-control":
      return target === "aws" && config.aws?.backgroundWorkControl === true;
    case "all":
      return condition.of.every((part) => holds(part, choices));
    case "any":
      return condition.of.some((part) => holds(part, choices));
  }
}

/** True where `secretEnv` hands the setting over, so that its service will find some text. */
function isRouted(setting: ServiceSettingKey, { config, release }: DeploymentChoices): boolean {
  return Boolean(config.secretEnv?.[serviceOf(setting)]?.[nameOf(release.release, setting)]);
}

/** A condition as a clause ("`target` is `aws`"), and the config places that it rests on, most telling first. */
export interface ConditionReason {
  readonly reason: string;
  readonly because: readonly ConfigPath[];
}

/**
 * States a condition, whether or not it holds. A value of the config is named only where the condition itself states it.
 */
export function conditionReason(condition: Condition, choices: DeploymentChoices): ConditionReason {
  switch (condition.kind) {
    case "target":
      return { reason: `the target is \`${condition.target}\``, because: [["target"]] };
    case "backend":
      return backendReason(condition.backend, choices);
    case "service": {
      const { service, enabled } = condition;
      return {
        reason: `\`services\` ${enabled ? "has" : "does not have"} \`${service}\``,
        because: [enabled ? servicePath(choices.document, service) : ["services"]],
      };
    }
    case "provider": {
      const { providerPath } = choices.model;
      const place = holds(condition, choices) && providerPath !== null ? `\`${printPath(providerPath)}\`` : null;
      return {
        reason: `${place ?? "the model provider"} is \`${condition.provider}\``,
        because: [providerPath ?? ["modelProvider"]],
      };
    }
    case "harness":
      return harnessReason(condition, choices);
    case "env":
      return envReason(condition, choices);
    case "background-work-control":
      return { reason: "`aws.backgroundWorkControl` is true", because: [["aws", "backgroundWorkControl"]] };
    case "all":
    case "any":
      return groupReason(condition, choices);
  }
}

function backendReason(name: string, { sandbox, target, release }: DeploymentChoices): ConditionReason {
  if (!sandbox.selected.some((backend) => backend.name === name))
    return { reason: `agents run on \`${name}\``, because: [["sandbox", "backend"]] };
  const { effective } = sandbox;
  const because = selectingPlaces(sandbox, name);
  const [first] = because;
  const isDefault = effective?.name === name && effective.provenance.kind !== "config";
  if (isDefault || first === undefined)
    return { reason: `agents run on \`${name}\` by default on ${target ?? "this target"}`, because };
  const verb = first[2] === nameOf(release.release, "core.scopeBackends") ? "names" : "is";
  return { reason: `\`${printPath(first)}\` ${verb} \`${name}\``, because };
}

function harnessReason(condition: Condition & { kind: "harness" }, choices: DeploymentChoices): ConditionReason {
  const { harness, harnessProvenance } = choices.model;
  const name = nameOf(choices.release.release, "core.harness");
  if (!holds(condition, choices))
    return { reason: `${name} is ${alternatives(condition.in)}`, because: [["env", "core", name]] };
  const [place] = harnessProvenance === null ? [] : provenancePaths(harnessProvenance);
  if (place === undefined) return { reason: `${name} is \`${harness}\` by default on ${choices.target}`, because: [] };
  return { reason: `\`${printPath(place)}\` is \`${harness}\``, because: [place] };
}

function envReason(condition: Condition & { kind: "env" }, choices: DeploymentChoices): ConditionReason {
  const { config, release } = choices;
  const { setting } = condition;
  const found = settingValue(config, release.release, setting);
  // Only presence of any text looks at routes; a setting that is handed over as a secret is not set in `env`.
  const looksAtRoutes = !("in" in condition) && condition.is === "any-text";
  const block = found === null && looksAtRoutes && isRouted(setting, choices) ? "secretEnv" : "env";
  const place: ConfigPath = found?.path ?? [block, serviceOf(setting), nameOf(release.release, setting)];
  const because = [place];
  const named = `\`${printPath(place)}\``;
  if (!("in" in condition)) return { reason: `${named} is ${condition.is === "absent" ? "not set" : "set"}`, because };
  const values = found !== null && condition.in.includes(found.value) ? [found.value] : condition.in;
  return { reason: `${named} is ${alternatives(values)}`, because };
}

/** Of alternatives only those that hold are a reason; where none does, all of them would be. */
function groupReason({ kind, of }: Condition & { kind: "all" | "any" }, choices: DeploymentChoices): ConditionReason {
  const holding = kind === "all" ? [] : of.filter((part) => holds(part, choices));
  const telling = (holding.length === 0 ? of : holding).map((part) => conditionReason(part, choices));
  return {
    reason: telling.map(({ reason }) => reason).join(kind === "all" || holding.length > 0 ? " and " : " or "),
    because: telling.flatMap(({ because }) => because),
  };
}

function alternatives(values: readonly string[]): string {
  return values.map((value) => `\`${value}\``).join(" or ");
}
