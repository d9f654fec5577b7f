import { BACKENDS, findBackend, suggestBackend } from "../../catalog/backends/index.ts";
import { declarableTargets, runnableUnder } from "../../catalog/backends/index.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { field, names, word } from "../wording.ts";
import type { Finding, Rule } from "../rule.ts";
import { mayRunByEnv } from "./backend-not-available.ts";
import { namedBackends, type NamedBackend } from "./named-backends.ts";

/** A backend name that no known release and no proposal has. */
export const UNKNOWN_BACKEND: Rule = {
  id: "sandbox/unknown-backend",
  title: "Unknown sandbox backend",
  severity: "error",
  clause: "config.v1",
  why: "Core refuses to start with a backend that it does not know, and qm itself does not look at names in `env`.",
  bad: '{ "sandbox": { "backend": "boxed" } }',
  good: '{ "sandbox": { "backend": "boxd" } }',
  check(deployment, report) {
    for (const mention of namedBackends(deployment)) {
      if (findBackend(mention.name) === undefined) report(unknown(mention, deployment));
    }
  },
};

function unknown(mention: NamedBackend, deployment: Deployment): Finding {
  const meant = suggestBackend(mention.name);
  const where = mention.role === "scope" ? `a scope of ${field(mention.path)}` : field(mention.path);
  const fix =
    meant === null || mention.role === "scope"
      ? {}
      : {
          fix: {
            safety: "suggested" as const,
            title: `write \`${meant}\``,
            changes: [{ kind: "set" as const, path: mention.path, value: meant }],
          },
        };
  return {
    message: `${where} names ${word(mention.name)}, which is no sandbox backend that qm-deploy knows`,
    help: `${meant === null ? "" : `did you mean \`${meant}\`? `}${choices(deployment, mention)}`,
    place: { path: mention.path, at: "value" },
    ...fix,
  };
}

function choices({ release, target }: Deployment, mention: NamedBackend): string {
  const here = BACKENDS.filter((backend) => {
    if (target !== null && mention.role === "declared")
      return declarableTargets(backend, release.release).includes(target);
    return runnableUnder(backend, release.release) && (target === null || mayRunByEnv(backend, target));
  });
  return `known ${target === null ? "under" : `on ${target} under`} qm ${release.resolved}: ${names(here.map((backend) => backend.name))}`;
}
