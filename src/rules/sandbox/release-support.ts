import { acceptedByQm, inStockCore } from "../../catalog/backends/index.ts";
import { hasNestedComment } from "../../config/node.ts";
import { assumedRelease, names, phrase, type Rule } from "../rule.ts";
import { selectedAt } from "./remote-agents.ts";

export const RELEASE_SUPPORT_RULES: readonly Rule[] = [
  {
    id: "sandbox/core-image",
    title: "Backend that the published core does not implement",
    severity: "warning",
    why: "A core that does not know the backend refuses to start. Until a release of qm implements it, core needs an image of your own.",
    bad: '{ "sandbox": { "backend": "boxd" } }',
    good: `{ "imageOverrides": { "core": "ghcr.io/acme/qm-core@sha256:${"15".repeat(32)}" }, "sandbox": { "backend": "boxd" } }`,
    check(deployment, report) {
      const { config, broken, release } = deployment;
      if (broken || (config.imageOverrides?.core ?? "").trim() !== "") return;
      const missing = deployment.sandbox.selected.filter((backend) => !inStockCore(backend, release.release));
      const [backend] = missing;
      if (backend === undefined) return;
      report({
        message: `the core of qm ${release.resolved} does not implement ${names(missing.map((each) => each.name))}, and \`imageOverrides.core\` names no other image`,
        help: `set \`imageOverrides.core\` to a core image that implements it, pinned by digest${assumedRelease(deployment)}`,
        place: { path: selectedAt(deployment, backend) },
      });
    },
  },
  {
    id: "sandbox/refused-by-qm",
    title: "Backend that qm's own command line refuses",
    severity: "info",
    why: 'qm\'s command line of today refuses `sandbox.backend: "boxd"`, `$schema` and comment keys (`"//"`) below the top level. `qm-deploy render` writes a projection of the config that it takes.',
    bad: '{ "sandbox": { "backend": "boxd" } }',
    good: '{ "sandbox": { "backend": "sprites", "app": "acme-sandboxes" } }',
    check(deployment, report) {
      const { sandbox, release, target, document } = deployment;
      const { declared, effective } = sandbox;
      if (declared === null || target === null || effective?.backend?.name !== declared.name) return;
      if (acceptedByQm(declared.name, release.release, target) || effective.backend.proposedOn.length === 0) return;
      // Few texts can have such a key: plainly, or by escapes.
      const hasNotes = /"\/\/"|\\/.test(document.text) && hasNestedComment(document.root);
      const more = [
        ...(document.node(["$schema"]) === undefined ? [] : ["`$schema`"]),
        ...(hasNotes ? ['nested `"//"` keys'] : []),
      ];
      report({
        message: `qm's own command line of release ${release.resolved} does not take \`sandbox.backend: "${declared.name}"\`${more.length === 0 ? "" : ` (nor ${phrase(more, "or")})`}`,
        help: `hand it the config that \`qm-deploy render\` writes to \`rendered/${target}/qm/qm.config.jsonc\`; this toolkit itself needs no such thing`,
        command: "qm-deploy render",
        place: { path: declared.path, at: "value" },
      });
    },
  },
];
