import type { Backend, SandboxField } from "../../catalog/backends/backend.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { Fix } from "../../diagnostics/diagnostic.ts";
import { selectedAt } from "./remote-agents.ts";
import { assumedRelease, beside, type Finding, names, own, removal, type Rule } from "../rule.ts";
import { isUndecided } from "./backend-names.ts";

const FIELDS: readonly SandboxField[] = ["app", "image", "baseImage", "env", "secretEnv"];

/** Fields whose content people wrote for their agents: what removing them loses is theirs to say. */
const HOLDS_CONTENT: ReadonlySet<SandboxField> = new Set(["env", "secretEnv"]);

export const SANDBOX_FIELD_RULES: readonly Rule[] = [
  {
    id: "sandbox/fly-only-field",
    title: "Sandbox field that no selected backend takes",
    clause: "config.v1",
    why: "Most fields of `sandbox` exist for Fly Sprites. Under another backend nothing delivers them, so agents start without what they seem to get.",
    bad: '{ "sandbox": { "backend": "boxd", "app": "acme-sandboxes" } }',
    good: '{ "sandbox": { "backend": "boxd" } }',
    check(deployment, report) {
      const { selected } = deployment.sandbox;
      const { release } = deployment.release;
      const written = writtenFields(deployment);
      if (written.length === 0 || selected.length === 0 || isUndecided(deployment)) return;
      const taken = new Set(
        selected.flatMap((backend) => [...backend.fields(release), ...backend.idleFields(release)]),
      );
      for (const field of written) {
        if (!taken.has(field)) report(notTaken(field, selected, deployment));
      }
    },
  },
  {
    id: "sandbox/idle-field",
    title: "Sandbox field that nothing reads any more",
    severity: "warning",
    why: "Releases without layer images accept `sandbox.app` and `sandbox.image` of Sprites, and use neither.",
    bad: '{ "sandbox": { "backend": "sprites", "app": "acme-sandboxes" } }',
    good: '{ "sandbox": { "backend": "sprites" } }',
    check(deployment, report) {
      const { selected } = deployment.sandbox;
      const { release } = deployment.release;
      const written = writtenFields(deployment);
      if (written.length === 0 || isUndecided(deployment)) return;
      const read = new Set(selected.flatMap((backend) => backend.fields(release)));
      for (const field of written) {
        const idle = selected.find((backend) => backend.idleFields(release).includes(field));
        if (idle === undefined || read.has(field)) continue;
        report({
          message: `\`sandbox.${field}\` is not read by anything: qm ${release.version} accepts it and ignores it`,
          help: `${idle.insteadOfField(field)}${assumedRelease(deployment)}`,
          place: { path: ["sandbox", field] },
          fix: fieldRemoval(field, deployment),
        });
      }
    },
  },
];

/** The fields as the document has them: also those whose value has a wrong shape, which `config` leaves out. */
function writtenFields({ document }: Deployment): SandboxField[] {
  return FIELDS.filter((field) => document.node(["sandbox", field]) !== undefined);
}

function notTaken(field: SandboxField, selected: readonly Backend[], deployment: Deployment): Finding {
  const backends = selected.map(({ name }) => name);
  return {
    message: `\`sandbox.${field}\` is not taken by ${names(backends, "or")}: nothing delivers it to an agent's computer`,
    help: (selected[0] as Backend).insteadOfField(field),
    place: { path: ["sandbox", field] },
    related: selected.slice(0, 1).map((backend) => beside(selectedAt(deployment, backend), "selected here")),
    fix: fieldRemoval(field, deployment),
  };
}

function fieldRemoval(field: SandboxField, { config }: Deployment): Fix {
  const value = own(config.sandbox as { readonly [name: string]: unknown } | undefined, field) ?? null;
  const isEmpty = value === null || (typeof value === "object" && Object.keys(value).length === 0);
  return removal(["sandbox", field], HOLDS_CONTENT.has(field) && !isEmpty ? "suggested" : "safe");
}
