import type { Deployment } from "../../deployment/deployment.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import type { JsonValue } from "../../base/json.ts";
import { assumedRelease, field, type Finding, removal, type Rule } from "../rule.ts";

/** Fields that a release does not know have no effect, so that a value equal to having none changes nothing. */
const SAME_AS_NONE: { readonly [field: string]: JsonValue } = {
  coreAccess: true,
  sharedAlb: false,
  backgroundWorkControl: false,
};

export const UNSUPPORTED_FIELD_RULES: readonly Rule[] = [
  {
    id: "config/unsupported-field",
    title: "Field that the release does not know",
    clause: "config.v1",
    why: "An older qm drops such a field without a word, or refuses the file: what it asks for does not happen. `coreAccess: false`, for one, would leave a plugin with the rights that it takes away.",
    bad: '{ "securityScreen": { "backend": "model" } }',
    good: '{ "securityScreen": { "backend": "proxy", "provider": "acme", "endpoint": "https://screen.acme.dev", "rollout": "shadow" }, "secretEnv": { "core": { "SECURITY_SCREEN_PROXY_TOKEN": "SCREEN_TOKEN" } } }',
    check(deployment, report) {
      const { release } = deployment.release;
      for (const pattern of release.unsupportedFields) {
        const steps = pattern.split(".");
        const [name = ""] = steps;
        if (name === "aws" && deployment.target !== "aws") continue;
        const found: ConfigPath[] = [];
        addMatches(deployment.document.value([name]), [name], steps, found);
        for (const path of found) report(unknown(deployment, path));
      }
      const screen = deployment.config.securityScreen?.backend;
      if (screen === undefined || release.securityScreen.includes(screen)) return;
      const path = ["securityScreen", "backend"];
      report({
        message: `${field(path)} \`${screen}\` is not known to qm ${release.version}`,
        help: `remove \`securityScreen\`, use a proxy, or deploy a newer release${assumedRelease(deployment)}`,
        place: { path, at: "value" },
      });
    },
  },
];

function unknown(deployment: Deployment, path: ConfigPath): Finding {
  const name = path.at(-1) as string;
  const changesNothing = Object.hasOwn(SAME_AS_NONE, name) && deployment.document.value(path) === SAME_AS_NONE[name];
  return {
    message: `${field(path)} is not known to qm ${deployment.release.resolved}, which ignores it`,
    help: `remove it, or deploy a newer release${assumedRelease(deployment)}`,
    severity: changesNothing ? "warning" : "error",
    place: { path },
    fix: removal(path, changesNothing ? "safe" : "suggested"),
  };
}

/** Adds the places below `path` that the rest of a dotted path, with `*` for any key or index, names. */
function addMatches(
  value: JsonValue | undefined,
  path: ConfigPath,
  steps: readonly string[],
  found: ConfigPath[],
): void {
  const step = steps[path.length];
  if (value === undefined) return;
  if (step === undefined) found.push(path);
  else if (typeof value !== "object" || value === null) return;
  else
    for (const key of step === "*" ? keysAt(value) : Object.hasOwn(value, step) ? [step] : [])
      addMatches((value as { [key: string | number]: JsonValue })[key], [...path, key], steps, found);
}

function keysAt(value: JsonValue | undefined): (string | number)[] {
  if (Array.isArray(value)) return value.map((_item, at) => at);
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}
