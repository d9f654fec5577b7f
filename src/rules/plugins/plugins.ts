import { LABEL } from "../../config/schema/field-types.ts";
import { SERVICE_NAMES } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { fileBelow, type TreeEntry } from "../../deployment/inputs.ts";
import { field, own, removal, repeats, type Rule, beside } from "../rule.ts";

/** How a plugin calls core. */
const CORE_NAMES = ["CORE_API_URL", "CORE_SIGNING_SECRET"];

/** Names that no plugin can have: the services, the bundled database and the sandbox layer. */
const RESERVED: readonly string[] = [...SERVICE_NAMES, "pg", "sandbox"];

/** What the config says of plugins, and what lies in `plugins/`. */
export const PLUGIN_RULES: readonly Rule[] = [
  {
    id: "plugins/duplicate-name",
    title: "Two plugins of one name",
    clause: "config.v1",
    why: "The name is that of the container, the app or the service, of which there is one.",
    bad: `{ "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"15".repeat(32)}" }, { "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"16".repeat(32)}" }] }`,
    good: `{ "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"15".repeat(32)}" }] }`,
    check({ config }, report) {
      for (const [[at], [other]] of repeats((config.plugins ?? []).entries(), ([, { name }]) => name)) {
        report({
          message: `\`plugins[${at}].name\` is the name of \`plugins[${other}]\` too`,
          help: "rename one of them, or remove it",
          place: { path: ["plugins", at, "name"], at: "value" },
          related: [beside(["plugins", other, "name"], "the first of that name")],
        });
      }
    },
  },
  {
    id: "plugins/no-source",
    title: "Plugin without an image and without a Dockerfile",
    clause: "plugins.resolved",
    why: "A plugin runs an image that the config names, or one that is built from `plugins/<name>/Dockerfile`.",
    bad: '{ "plugins": [{ "name": "acme-bot" }] }',
    good: `{ "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"15".repeat(32)}" }] }`,
    check(deployment, report) {
      const { config, document, broken, inputs } = deployment;
      if (broken || inputs.directory === null) return;
      const directories = new Map(pluginDirectories(deployment).map((directory) => [directory.name, directory]));
      for (const [at, { name }] of (config.plugins ?? []).entries()) {
        const path = ["plugins", at];
        if (
          name === undefined ||
          document.node([...path, "image"]) !== undefined ||
          directories.get(name)?.hasDockerfile === true
        )
          continue;
        report({
          message: directories.has(name)
            ? `${field(path)} names no \`image\`, and \`plugins/${name}\` has no Dockerfile`
            : `${field(path)} names no \`image\`, and there is no \`plugins/${name}/Dockerfile\``,
          help: "name an image pinned by digest, or add the Dockerfile",
          place: { path: [...path, "name"], at: "value" },
        });
      }
    },
  },
  {
    id: "plugins/two-sources",
    title: "Plugin with an image and a Dockerfile",
    clause: "plugins.resolved",
    why: "qm does not choose between an image that the config names and one that it would build.",
    bad: `{ "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"15".repeat(32)}" }] }`,
    good: '{ "plugins": [{ "name": "acme-bot" }] }',
    check(deployment, report) {
      const built = new Set(
        pluginDirectories(deployment).flatMap(({ name, hasDockerfile }) => (hasDockerfile ? [name] : [])),
      );
      for (const [at, { name }] of (deployment.config.plugins ?? []).entries()) {
        const path = ["plugins", at, "image"];
        if (name === undefined || !built.has(name) || deployment.document.node(path) === undefined) continue;
        report({
          message: `${field(path)} and \`plugins/${name}/Dockerfile\` both say what \`${name}\` runs`,
          help: "remove one of them",
          place: { path },
          fix: removal(path),
        });
      }
    },
  },
  {
    id: "plugins/repeated-name",
    title: "Environment name that a plugin has twice",
    clause: "config.v1",
    why: "A container has one value for each name: of a value in `env` and a secret of the same name, one would be lost.",
    bad: `{ "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"15".repeat(32)}", "secrets": [{ "name": "ACME_LOGIN" }, { "name": "ACME_LOGIN" }] }] }`,
    good: `{ "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"15".repeat(32)}", "env": { "ACME_MODE": "1" }, "secrets": [{ "name": "ACME_LOGIN" }] }] }`,
    check({ config }, report) {
      for (const [at, plugin] of (config.plugins ?? []).entries()) {
        // A secret's name in `env` is what secrets/catalogue-secret says already.
        for (const [[index], [first]] of repeats((plugin.secrets ?? []).entries(), ([, { name }]) => name)) {
          const path = ["plugins", at, "secrets", index, "name"];
          report({
            message: `${field(path)} is declared a second time`,
            help: "remove one of them",
            place: { path, at: "value" },
            related: [beside(["plugins", at, "secrets", first, "name"], "the first time")],
          });
        }
      }
    },
  },
  {
    id: "plugins/core-access",
    title: "Plugin without access to core that names it",
    clause: "config.v1",
    why: "`coreAccess: false` keeps the address and the key of core from a plugin. qm refuses to hand them over under their names all the same.",
    bad: `{ "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"15".repeat(32)}", "coreAccess": false, "env": { "CORE_API_URL": "http://core:8080" } }] }`,
    good: `{ "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"15".repeat(32)}", "coreAccess": false }] }`,
    check({ config }, report) {
      for (const [at, plugin] of (config.plugins ?? []).entries()) {
        if (plugin.coreAccess !== false) continue;
        // A key of core in `env` is a secret in the wrong place, which has its own finding.
        const inEnv = own(plugin.env, "CORE_API_URL") === undefined ? [] : [["plugins", at, "env", "CORE_API_URL"]];
        const inSecrets = (plugin.secrets ?? []).flatMap(({ name }, index) =>
          name !== undefined && CORE_NAMES.includes(name) ? [["plugins", at, "secrets", index, "name"]] : [],
        );
        for (const path of [...inEnv, ...inSecrets]) {
          report({
            message: `${field(path)} gives the plugin what \`coreAccess: false\` keeps from it`,
            help: "remove it, or set `coreAccess` to true",
            place: { path },
            related: [beside(["plugins", at, "coreAccess"], "what keeps it from it")],
          });
        }
      }
    },
  },
  {
    id: "plugins/directory-name",
    title: "Plugin directory with an unusable name",
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

/** The directories in `plugins/` and links to some, by name. */
function pluginDirectories({ inputs }: Deployment) {
  const files = new Set(
    inputs.pluginsTree.filter((entry) => entry.kind === "file" || entry.leadsTo === "file").map(({ path }) => path),
  );
  const found = new Map<string, { name: string; isLink: boolean; hasDockerfile: boolean }>();
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
