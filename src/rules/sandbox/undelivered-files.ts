import { fileBelow } from "../../deployment/inputs.ts";
import { itemsAt, textAt } from "../../deployment/tools.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { TreeEntry } from "../../deployment/inputs.ts";
import { names, type Rule } from "../rule.ts";

const DOCKERFILE = "sandbox/Dockerfile";

export const UNDELIVERED_FILE_RULES: readonly Rule[] = [
  {
    id: "sandbox/undelivered-file",
    title: "Executable that reaches no agent",
    severity: "warning",
    clause: "sandbox.descriptors",
    why: "Skills and tool descriptors travel in the deployment layer. Executables beside tool.json and `sandbox/Dockerfile` only take effect in a layer image, which most backends do not boot.",
    bad: '{ "sandbox": { "backend": "boxd" } }',
    good: `{ "sandbox": { "backend": "sprites", "app": "acme-sandboxes", "image": "registry.fly.io/acme-sandboxes@sha256:${"4b".repeat(32)}" } }`,
    check(deployment, report) {
      const { sandbox, release, target } = deployment;
      if (target === null) return;
      const without = sandbox.selected.filter((backend) => !backend.layerImage(release.release, target));
      if (without.length === 0) return;
      const backends = names(without.map((backend) => backend.name));
      const described = describedFiles(deployment);
      for (const entry of deployment.inputs.sandboxTree) {
        if (!isFile(entry)) continue;
        const place = { file: fileBelow(deployment.inputs, entry.path), range: null };
        if (entry.path === DOCKERFILE) {
          report({
            message: `\`${DOCKERFILE}\` builds a layer image, which agents on ${backends} never boot`,
            help: "let a skill install what agents need on their machine, and remove the Dockerfile",
            place,
          });
        } else if (isExecutable(entry, described)) {
          report({
            message: `the executable \`${entry.path}\` reaches agents only in a layer image, which ${backends} ${without.length === 1 ? "has" : "have"} not`,
            help: executableHelp(deployment),
            place,
          });
        }
      }
    },
  },
];

function isFile(entry: TreeEntry): boolean {
  return entry.kind === "file" || (entry.kind === "symlink" && entry.leadsTo === "file");
}

/** What the descriptors say of the files beside them, as paths. */
function describedFiles({ tools, release }: Deployment) {
  const carried = new Set<string>();
  const commands = new Set<string>();
  for (const tool of tools) {
    const directory = `sandbox/tools/${tool.directory}`;
    commands.add(`${directory}/${textAt(tool, ["install", "binary"]) ?? ""}`);
    if (!release.release.toolInstallFiles) continue;
    for (const { path } of itemsAt(tool, ["install", "files"]))
      carried.add(`${directory}/${textAt(tool, [...path, "from"]) ?? ""}`);
  }
  return { carried, commands };
}

/** A file of a tool that its descriptor names as its command, or that may be run; text files that `install.files` carries do arrive. */
function isExecutable({ path, isText, mode }: TreeEntry, described: ReturnType<typeof describedFiles>): boolean {
  const inside = /^sandbox\/tools\/[^/]+\/(.+)$/s.exec(path)?.[1];
  if (inside === undefined || inside === "tool.json" || (isText && described.carried.has(path))) return false;
  return described.commands.has(path) || ((mode ?? 0) & 0o111) !== 0;
}

function executableHelp({ release }: Deployment): string {
  const how = "let a skill install it on the machine, or fetch it over the network";
  return release.release.toolInstallFiles ? `${how}; a text file can travel in \`install.files\` of tool.json` : how;
}
