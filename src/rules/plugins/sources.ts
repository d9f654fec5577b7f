import { field } from "../wording.ts";
import type { Rule } from "../rule.ts";
import { pluginDirectories } from "./directories.ts";

/** Two plugins of one name. */
export const DUPLICATE_PLUGIN: Rule = {
  id: "plugins/duplicate-name",
  title: "Two plugins of one name",
  severity: "error",
  clause: "config.v1",
  why: "The name is that of the container, the app or the service, of which there is one.",
  bad: `{ "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"15".repeat(32)}" }, { "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"16".repeat(32)}" }] }`,
  good: `{ "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"15".repeat(32)}" }] }`,
  check({ config }, report) {
    const first = new Map<string, number>();
    for (const [at, { name }] of (config.plugins ?? []).entries()) {
      if (name === undefined) continue;
      const other = first.get(name);
      if (other === undefined) first.set(name, at);
      else
        report({
          message: `\`plugins[${at}].name\` is the name of \`plugins[${other}]\` too`,
          help: "rename one of them, or remove it",
          place: { path: ["plugins", at, "name"], at: "value" },
        });
    }
  },
};

/** A plugin without anything to run. */
export const NO_SOURCE: Rule = {
  id: "plugins/no-source",
  title: "Plugin without an image and without a Dockerfile",
  severity: "error",
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
};

/** A plugin with two things to run. */
export const TWO_SOURCES: Rule = {
  id: "plugins/two-sources",
  title: "Plugin with an image and a Dockerfile",
  severity: "error",
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
        fix: { safety: "suggested", title: `remove ${field(path)}`, changes: [{ kind: "remove", path }] },
      });
    }
  },
};
