import { field, type Finding, names, replacement, type Rule, word } from "../rule.ts";
import { HARNESSES, PROVIDER_HARNESSES } from "../../catalog/services.ts";
import { closestName } from "../../base/closest-name.ts";
import { findPlaceholder } from "../../config/placeholder.ts";
import { MODEL_PROVIDER_NAMES } from "../../config/written-config.ts";
import { coreEnvServices, envValue, type PlacedValue } from "../../deployment/env-values.ts";
import type { Deployment } from "../../deployment/deployment.ts";

export const MODEL_RULES: readonly Rule[] = [
  {
    id: "model/unknown-provider",
    title: "Unknown model provider",
    clause: "config.v1",
    why: "`env.core.MODEL_PROVIDER` overrules `modelProvider`, and qm refuses a provider that it does not know.",
    bad: '{ "env": { "core": { "HARNESS": "pi", "MODEL_PROVIDER": "antropic" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi", "MODEL_PROVIDER": "anthropic" } } }',
    check(deployment, report) {
      for (const place of written(deployment, "MODEL_PROVIDER")) {
        if (!(MODEL_PROVIDER_NAMES as readonly string[]).includes(place.value))
          report(unknown(place, "model provider", MODEL_PROVIDER_NAMES));
      }
    },
  },
  {
    id: "model/unknown-harness",
    title: "Unknown harness",
    clause: "config.v1",
    why: "The harness is the program that runs an agent. Core does not start with one that it does not know, and secrets that a known one needs are not asked for.",
    bad: '{ "env": { "core": { "HARNESS": "pie" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi" } } }',
    check(deployment, report) {
      for (const place of written(deployment, "HARNESS")) {
        if (!HARNESSES.includes(place.value)) report(unknown(place, "harness", HARNESSES));
      }
    },
  },
  {
    id: "model/harness-pair",
    title: "Harness that cannot use the model provider",
    clause: "config.v1",
    why: "Not every harness can call every provider's models; qm refuses such a pair.",
    bad: '{ "modelProvider": "openrouter", "env": { "core": { "HARNESS": "claude" } } }',
    good: '{ "modelProvider": "openrouter", "env": { "core": { "HARNESS": "pi" } } }',
    check({ model }, report) {
      const { provider, providerPath, harness, harnessProvenance } = model;
      if (
        provider === null ||
        harness === null ||
        !HARNESSES.includes(harness) ||
        PROVIDER_HARNESSES[provider].includes(harness)
      )
        return;
      const path = harnessProvenance?.kind === "config" ? harnessProvenance.path : (providerPath ?? ["modelProvider"]);
      report({
        message: `the harness \`${harness}\` cannot use models of \`${provider}\`${providerPath === null ? "" : ` (${field(providerPath)})`}`,
        help: `with \`${provider}\` use ${names(PROVIDER_HARNESSES[provider], "or")}`,
        place: { path, at: "value" },
      });
    },
  },
  {
    id: "model/mock-harness",
    title: "Harness without a model",
    severity: "warning",
    why: "The harness `mock` answers every message with a fixed text. On docker and aws it is what runs when nothing else is named.",
    bad: '{ "env": { "core": { "HARNESS": "mock" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi" } } }',
    check({ model, target, broken }, report) {
      const { harness, harnessProvenance } = model;
      if (harness !== "mock" || broken) return;
      const isWritten = harnessProvenance?.kind === "config";
      const path = isWritten ? harnessProvenance.path : ["env", "core", "HARNESS"];
      report({
        message: isWritten
          ? `${field(path)} is \`mock\`: agents answer without a model`
          : `${field(path)} is not set, and on ${target} that means \`mock\`: agents answer without a model`,
        help: "set it to `pi`, unless this deployment is only for trying things out",
        place: isWritten ? { path, at: "value" } : { path },
      });
    },
  },
];

/** Each place of `env` that names a value for core. */
function written({ config }: Deployment, name: string): PlacedValue[] {
  return coreEnvServices(config)
    .map((service) => envValue(config, service, name))
    .filter((value) => value !== null && findPlaceholder(value.value) === null) as PlacedValue[];
}

/** A value that is none of the known names. */
function unknown({ value, path }: PlacedValue, what: string, known: readonly string[]): Finding {
  const meant = closestName(value.toLowerCase(), known);
  return {
    message: `${field(path)} names ${word(value)}, which is no ${what} that qm knows`,
    help: `${meant === null ? "" : `did you mean \`${meant}\`? `}it must be ${names(known, "or")}`,
    place: { path, at: "value" },
    fix: replacement(path, meant),
  };
}
