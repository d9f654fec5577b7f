import { judgeRouted, serviceRuntimes, settingReader } from "../../deployment/written-settings.ts";
import { findSecretPlaceholder } from "../../config/placeholder.ts";
import { notStarting, refusedAtBoot, type Rule } from "../rule.ts";
import { secretRoutes } from "../secrets/secret-env.ts";
import { entriesByName, inEnvFile } from "./entries.ts";

export const ROUTED_SETTING_RULES: readonly Rule[] = [
  {
    id: "env-file/setting-value",
    title: "Value of `.env` that a setting does not accept",
    concerns: "secret-values",
    why: "`secretEnv` may hand a setting of qm over in a secret. The service reads it as it reads any other, and does not start with a value of the wrong form.",
    bad: "ACME_WORKERS=many\n",
    good: "ACME_WORKERS=4\n",
    check(deployment, report) {
      const { release } = deployment.release;
      const entries = entriesByName(deployment);
      const routes = entries.size === 0 ? [] : secretRoutes(deployment);
      if (routes.length === 0) return;
      const read = settingReader(deployment);
      const runtimes = serviceRuntimes(deployment);
      for (const { service, name, secret } of routes) {
        const entry = entries.get(secret);
        const runtime = runtimes.find(({ hosts }) => hosts.includes(service));
        if (entry === undefined || entry.value.trim() === "" || runtime === undefined) continue;
        const setting = read(runtime.hosts, service, name)?.setting;
        if (setting === undefined || setting.ownRules === true || findSecretPlaceholder(entry.value) !== null) continue;
        const problem = judgeRouted(deployment, runtime, setting, entry.value);
        if (problem === null) continue;
        const isRefused = problem.severity === "boot";
        report({
          // The problem's own words might show a piece of the value.
          message: `\`${secret}\` reaches ${runtime.name} as \`${name}\`, which takes ${setting.reading.takes(release)}${isRefused ? `: ${notStarting(deployment, runtime.name)}` : ""}`,
          help: "correct the value",
          severity: isRefused ? refusedAtBoot(deployment) : problem.severity,
          place: inEnvFile(deployment, entry.valueRange),
        });
      }
    },
  },
];
