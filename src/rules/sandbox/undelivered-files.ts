import type { Backend } from "../../catalog/backends/backend.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { TreeEntry } from "../../deployment/inputs.ts";
import { fileBelow, names, type Rule } from "../rule.ts";

const TOOLS = "sandbox/tools/";

const DOCKERFILE = "sandbox/Dockerfile";

/** `install` of a tool.json, as far as it can be read; its shape is judged elsewhere. */
interface Install {
  readonly binary: string | null;
  readonly files: readonly string[];
}

/** Files of `sandbox/` that reach no agent. */
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
      const without = withoutLayerImage(deployment);
      if (without.length === 0) return;
      const installs = installsByTool(deployment);
      const backends = names(without.map((backend) => backend.name));
      for (const entry of deployment.inputs.sandboxTree) {
        if (!isFile(entry)) continue;
        const place = { file: fileBelow(deployment, entry.path), range: null };
        if (entry.path === DOCKERFILE) {
          report({
            message: `\`${DOCKERFILE}\` builds a layer image, which agents on ${backends} never boot`,
            help: "let a skill install what agents need on their machine, and remove the Dockerfile",
            place,
          });
        } else if (isExecutable(entry, installs, deployment)) {
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

function withoutLayerImage({ sandbox, release, target }: Deployment): Backend[] {
  return target === null ? [] : sandbox.selected.filter((backend) => !backend.layerImage(release.release, target));
}

function isFile(entry: TreeEntry): boolean {
  return entry.kind === "file" || (entry.kind === "symlink" && entry.leadsTo === "file");
}

/** A file of a tool that its descriptor installs, or that may be run; text files that `install.files` carries do arrive. */
function isExecutable(entry: TreeEntry, installs: ReadonlyMap<string, Install>, deployment: Deployment): boolean {
  if (!entry.path.startsWith(TOOLS)) return false;
  const [tool = "", ...rest] = entry.path.slice(TOOLS.length).split("/");
  const inside = rest.join("/");
  if (inside === "" || inside === "tool.json") return false;
  const install = installs.get(tool);
  if (deployment.release.release.toolInstallFiles && entry.isText && install?.files.includes(inside) === true)
    return false;
  return install?.binary === inside || ((entry.mode ?? 0) & 0o111) !== 0;
}

function installsByTool({ inputs }: Deployment): Map<string, Install> {
  const installs = new Map<string, Install>();
  for (const { path, text } of inputs.sandboxTree) {
    const tool = /^sandbox\/tools\/([^/]+)\/tool\.json$/.exec(path)?.[1];
    if (tool !== undefined && text !== null) installs.set(tool, installOf(text));
  }
  return installs;
}

function installOf(text: string): Install {
  const install = member(parse(text), "install");
  const binary = member(install, "binary");
  const files = member(install, "files");
  return {
    binary: typeof binary === "string" ? binary : null,
    files: (Array.isArray(files) ? files : [])
      .map((file) => member(file, "from"))
      .filter((from) => typeof from === "string"),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

function executableHelp({ release }: Deployment): string {
  const how = "let a skill install it on the machine, or fetch it over the network";
  return release.release.toolInstallFiles ? `${how}; a text file can travel in \`install.files\` of tool.json` : how;
}
