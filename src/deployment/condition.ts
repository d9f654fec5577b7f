import type { Condition } from "../catalog/condition.ts";
import { printPath } from "../config/path.ts";
import type { ServiceName } from "../config/written.ts";
import type { ConfigPath } from "../diagnostics/diagnostic.ts";
import type { Basis } from "./basis.ts";
import { coreValue, envValue } from "./core-value.ts";
import { originPaths } from "./origin-paths.ts";
import { servicePath } from "./places.ts";
import { selectingPlaces } from "./selection.ts";

/** Whether a condition holds. `reason` is a clause that states it ("`target` is `aws`"), whether or not it is true. */
export interface Verdict {
  readonly holds: boolean;
  readonly reason: string;
  /** The config places that it rests on, most telling first. */
  readonly because: readonly ConfigPath[];
}

/** Evaluates a condition of the catalogue. A value is named in the reason only where the condition itself states it. */
export function judgeCondition(condition: Condition, basis: Basis): Verdict {
  switch (condition.kind) {
    case "target":
      return { holds: basis.target === condition.target, reason: `the target is \`${condition.target}\``, because: [["target"]] };
    case "backend":
      return judgeBackend(condition.backend, basis);
    case "service":
      return judgeService(condition.service, condition.enabled, basis);
    case "provider": {
      const { provider, providerPath } = basis.model;
      const place = providerPath === null ? "the model provider" : `\`${printPath(providerPath)}\``;
      const holds = provider === condition.provider;
      return { holds, reason: `${holds ? place : "the model provider"} is \`${condition.provider}\``, because: [providerPath ?? ["modelProvider"]] };
    }
    case "harness":
      return judgeHarness(condition.in, basis);
    case "env":
      return judgeEnv(condition, basis);
    case "background-work-control": {
      const holds = basis.target === "aws" && basis.config.aws?.backgroundWorkControl === true;
      return { holds, reason: "`aws.backgroundWorkControl` is true", because: [["aws", "backgroundWorkControl"]] };
    }
    case "all":
    case "any":
      return judgeGroup(condition.kind, condition.of, basis);
  }
}

function judgeBackend(backend: string, basis: Basis): Verdict {
  const holds = basis.sandbox.selected.some((selected) => selected.name === backend);
  if (!holds) return { holds, reason: `agents run on \`${backend}\``, because: [["sandbox", "backend"]] };
  const places = selectingPlaces(basis.sandbox, backend);
  const [first] = places;
  const isDefault = basis.sandbox.effective?.name === backend && basis.sandbox.effective.origin.kind !== "config";
  if (isDefault || first === undefined) {
    return { holds, reason: `agents run on \`${backend}\` by default on ${basis.target ?? "this target"}`, because: places };
  }
  const verb = first[2] === "SANDBOX_SCOPE_BACKENDS" ? "names" : "is";
  return { holds, reason: `\`${printPath(first)}\` ${verb} \`${backend}\``, because: places };
}

function judgeService(service: ServiceName, enabled: boolean, basis: Basis): Verdict {
  const holds = basis.services.includes(service) === enabled;
  return {
    holds,
    reason: `\`services\` ${enabled ? "has" : "does not have"} \`${service}\``,
    because: [enabled ? servicePath(basis.document, service) : ["services"]],
  };
}

function judgeHarness(allowed: readonly string[], basis: Basis): Verdict {
  const { harness, harnessOrigin } = basis.model;
  const holds = harness !== null && allowed.includes(harness);
  if (!holds) return { holds, reason: `HARNESS is ${alternatives(allowed)}`, because: [["env", "core", "HARNESS"]] };
  const [place] = harnessOrigin === null ? [] : originPaths(harnessOrigin);
  if (place === undefined) return { holds, reason: `HARNESS is \`${harness}\` by default on ${basis.target}`, because: [] };
  return { holds, reason: `\`${printPath(place)}\` is \`${harness}\``, because: [place] };
}

function judgeEnv(condition: Condition & { readonly kind: "env" }, basis: Basis): Verdict {
  const { service, name } = condition;
  const found = service === "core" ? coreValue(basis.config, name) : envValue(basis.config, service, name);
  const place: ConfigPath = found?.path ?? ["env", service, name];
  const named = `\`${printPath(place)}\``;
  const because = [place];
  if ("in" in condition) {
    const holds = found !== null && condition.in.includes(found.value);
    return { holds, reason: `${named} is ${holds ? `\`${found.value}\`` : alternatives(condition.in)}`, because };
  }
  if (condition.is === "present") return { holds: found !== null, reason: `${named} is set`, because };
  return { holds: found === null, reason: `${named} is not set`, because };
}

function judgeGroup(kind: "all" | "any", parts: readonly Condition[], basis: Basis): Verdict {
  const verdicts = parts.map((part) => judgeCondition(part, basis));
  const holds = kind === "all" ? verdicts.every((verdict) => verdict.holds) : verdicts.some((verdict) => verdict.holds);
  // Of alternatives only those that hold are a reason; where none does, all of them would be.
  const telling = kind === "any" && holds ? verdicts.filter((verdict) => verdict.holds) : verdicts;
  return {
    holds,
    reason: telling.map((verdict) => verdict.reason).join(kind === "all" || holds ? " and " : " or "),
    because: telling.flatMap((verdict) => verdict.because),
  };
}

function alternatives(values: readonly string[]): string {
  return values.map((value) => `\`${value}\``).join(" or ");
}
