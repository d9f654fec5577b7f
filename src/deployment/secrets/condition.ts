import type { Condition } from "../../catalog/condition.ts";
import { printPath, type ConfigPath } from "../../base/config-path.ts";
import type { ServiceName } from "../../config/written-config.ts";
import { provenancePaths } from "../provenance.ts";
import { placeOfService, type SecretFacts } from "./facts.ts";

/** Whether a condition holds. `reason` is a clause that states it ("`target` is `aws`"), whether or not it is true. */
export interface Verdict {
  readonly holds: boolean;
  readonly reason: string;
  /** The config places that it rests on, most telling first. */
  readonly because: readonly ConfigPath[];
}

/** Evaluates a condition of the catalogue. A value is named in the reason only where the condition itself states it. */
export function evaluateCondition(condition: Condition, facts: SecretFacts): Verdict {
  switch (condition.kind) {
    case "target":
      return {
        holds: facts.target === condition.target,
        reason: `the target is \`${condition.target}\``,
        because: [["target"]],
      };
    case "backend":
      return judgeBackend(condition.backend, facts);
    case "service":
      return judgeService(condition.service, condition.enabled, facts);
    case "provider": {
      const { provider, providerPath } = facts.model;
      const place = providerPath === null ? "the model provider" : `\`${printPath(providerPath)}\``;
      const holds = provider === condition.provider;
      return {
        holds,
        reason: `${holds ? place : "the model provider"} is \`${condition.provider}\``,
        because: [providerPath ?? ["modelProvider"]],
      };
    }
    case "harness":
      return judgeHarness(condition.in, facts);
    case "env":
      return judgeEnv(condition, facts);
    case "background-work-control":
      return {
        holds: facts.backgroundWorkControl,
        reason: "`aws.backgroundWorkControl` is true",
        because: [["aws", "backgroundWorkControl"]],
      };
    case "all":
    case "any":
      return judgeGroup(condition.kind, condition.of, facts);
  }
}

function judgeBackend(name: string, { backends, target }: SecretFacts): Verdict {
  const selected = backends.find((backend) => backend.name === name);
  if (selected === undefined)
    return { holds: false, reason: `agents run on \`${name}\``, because: [["sandbox", "backend"]] };
  const { places, byDefault } = selected;
  const [first] = places;
  if (byDefault || first === undefined) {
    return {
      holds: true,
      reason: `agents run on \`${name}\` by default on ${target ?? "this target"}`,
      because: places,
    };
  }
  const verb = first[2] === "SANDBOX_SCOPE_BACKENDS" ? "names" : "is";
  return { holds: true, reason: `\`${printPath(first)}\` ${verb} \`${name}\``, because: places };
}

function judgeService(service: ServiceName, enabled: boolean, facts: SecretFacts): Verdict {
  return {
    holds: facts.services.includes(service) === enabled,
    reason: `\`services\` ${enabled ? "has" : "does not have"} \`${service}\``,
    because: [enabled ? placeOfService(facts, service) : ["services"]],
  };
}

function judgeHarness(allowed: readonly string[], { model, target }: SecretFacts): Verdict {
  const { harness, harnessOrigin } = model;
  const holds = harness !== null && allowed.includes(harness);
  if (!holds) return { holds, reason: `HARNESS is ${alternatives(allowed)}`, because: [["env", "core", "HARNESS"]] };
  const [place] = harnessOrigin === null ? [] : provenancePaths(harnessOrigin);
  if (place === undefined) return { holds, reason: `HARNESS is \`${harness}\` by default on ${target}`, because: [] };
  return { holds, reason: `\`${printPath(place)}\` is \`${harness}\``, because: [place] };
}

function judgeEnv(condition: Condition & { readonly kind: "env" }, { env }: SecretFacts): Verdict {
  const { service, name } = condition;
  const found = env[service]?.[name] ?? null;
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

function judgeGroup(kind: "all" | "any", parts: readonly Condition[], facts: SecretFacts): Verdict {
  const verdicts = parts.map((part) => evaluateCondition(part, facts));
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
