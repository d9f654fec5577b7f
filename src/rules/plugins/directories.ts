import { fileBelow } from "../../deployment/inputs.ts";
import { LABEL } from "../../config/schema/field-types.ts";
import { SERVICE_NAMES } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { TreeEntry } from "../../deployment/inputs.ts";
import { type Rule } from "../rule.ts";

/** Names that no plugin can have: the services, the bundled database and the sandbox layer. */
const RESERVED: readonly string[] = [...SERVICE_NAMES, "pg", "sandbox"];

/** A directory in `plugins/`, or a link to one. */
export interface PluginDirectory {
  readonly name: string;
  readonly isLink: boolean;
  readonly hasDockerfile: boolean;
}

/** What lies in `plugins/`. */
export const PLUGIN_DIRECTORY_RULES: readonly Rule[] = [
  {
    id: "plugins/directory-name",
    title: "Plugin directory with an unusable name",
    severity: "error",
    clause: "plugins.resolved",
    why: "A directory with a Dockerfile is a plugin of its name, which becomes the name of a container, an app or a service.",
    bad: "// plugins/portal/Dockerfile\nFROM scratch\n",
    good: "// plugins/acme-bot/Dockerfile\nFROM scratch\n",
    check(deployment, report) {
      for (const { name, hasDockerfile } of pluginDirectories(deployment)) {
        if (!hasDockerfile || (LABEL.test(name) && !RESERVED.includes(name))) continue;
        report({
          message: RESERVED.includes(name)
            ? `\`plugins/${name}\` has the name of a part of qm itself`
            : `\`plugins/${name}\` would be a plugin, and its name is no lower-case label`,
          help: "rename the directory: lower-case letters, digits and inner hyphens, at most 63",
          place: { file: fileBelow(deployment.inputs, `plugins/${name}/Dockerfile`), range: null },
        });
      }
    },
  },
  {
    id: "plugins/idle-directory",
    title: "Plugin directory that makes no plugin",
    severity: "warning",
    why: "A directory in `plugins/` is a plugin when it holds a Dockerfile. Without one it is ignored without a word.",
    bad: "// plugins/acme-bot/README.md\n",
    good: "// plugins/acme-bot/Dockerfile\nFROM scratch\n",
    check(deployment, report) {
      const declared = new Set((deployment.config.plugins ?? []).map(({ name }) => name));
      for (const { name, isLink, hasDockerfile } of pluginDirectories(deployment)) {
        if (hasDockerfile || declared.has(name) || name.startsWith(".")) continue;
        report({
          message: isLink
            ? `\`plugins/${name}\` is a link to a directory, and no Dockerfile was found behind it`
            : `\`plugins/${name}\` has no Dockerfile, so it is no plugin`,
          help: isLink
            ? "put the directory itself there"
            : "add a Dockerfile, declare an image for it in `plugins`, or move it elsewhere",
          place: { file: fileBelow(deployment.inputs, `plugins/${name}`), range: null },
        });
      }
    },
  },
];

/** The directories in `plugins/`, by name. */
export function pluginDirectories({ inputs }: Deployment): PluginDirectory[] {
  const files = new Set(
    inputs.pluginsTree.filter((entry) => entry.kind === "file" || entry.leadsTo === "file").map(({ path }) => path),
  );
  const found = new Map<string, PluginDirectory>();
  for (const { path, kind, leadsTo } of inputs.pluginsTree) {
    const name = /^plugins\/([^/]+)/.exec(path)?.[1];
    if (name === undefined || found.has(name) || !isDirectory({ path, kind, leadsTo })) continue;
    found.set(name, {
      name,
      isLink: kind === "symlink" && path === `plugins/${name}`,
      hasDockerfile: files.has(`plugins/${name}/Dockerfile`),
    });
  }
  return [...found.values()];
}

/** True for a directory and for what lies inside one, since the lists of tests need not have both. */
function isDirectory({ path, kind, leadsTo }: Pick<TreeEntry, "path" | "kind" | "leadsTo">): boolean {
  return kind === "directory" || leadsTo === "directory" || path.split("/").length > 2;
}
