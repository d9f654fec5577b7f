import { field, names, removal, type Rule, beside } from "../rule.ts";
import { PROVIDER_HARNESSES } from "../../catalog/services.ts";
import { nameOf, wordsOf } from "../../catalog/settings/index.ts";
import { blankCoreValues } from "../../deployment/env-values.ts";

export const MODEL_RULES: readonly Rule[] = [
  {
    id: "model/harness-pair",
    title: "Harness that cannot use the model provider",
    clause: "config.v1",
    why: "Not every harness can call every provider's models; qm refuses such a pair.",
    bad: '{ "modelProvider": "openrouter", "env": { "core": { "HARNESS": "claude" } } }',
    good: '{ "modelProvider": "openrouter", "env": { "core": { "HARNESS": "pi" } } }',
    check({ model, release: { release } }, report) {
      const { provider, providerPath, harness, harnessProvenance } = model;
      if (
        provider === null ||
        harness === null ||
        !wordsOf("core.harness", release).includes(harness) ||
        PROVIDER_HARNESSES[provider].includes(harness)
      )
        return;
      const path = harnessProvenance?.kind === "config" ? harnessProvenance.path : (providerPath ?? ["modelProvider"]);
      report({
        message: `the harness \`${harness}\` cannot use models of \`${provider}\`${providerPath === null ? "" : ` (${field(providerPath)})`}`,
        help: `with \`${provider}\` use ${names(PROVIDER_HARNESSES[provider], "or")}`,
        place: { path, at: "value" },
        related: providerPath === null || path === providerPath ? [] : [beside(providerPath, "the provider")],
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
    check({ model, target, broken, config, release }, report) {
      const { harness, harnessProvenance } = model;
      if (broken) return;
      if (harness !== "mock") {
        // A blank one written over a default of another harness: ours keeps the default, qm's own renderer does not.
        const [path] =
          harnessProvenance?.kind === "config" ? [] : blankCoreValues(config, nameOf(release.release, "core.harness"));
        if (path === undefined || target === null) return;
        report({
          message: `${field(path)} is blank: with qm's own \`up\` agents answer without a model, while the rendered files keep \`${harness}\``,
          help: `set it to \`${harness}\`, or remove it`,
          place: { path, at: "value" },
          fix: removal(path, "safe"),
        });
        return;
      }
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
