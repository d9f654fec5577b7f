import fc from "fast-check";
import { SOUND_CONFIGS } from "../rules/sound.ts";
import { deploymentOf, treeOf } from "../support/fragment.ts";
import { pathsOf, replacedAt } from "../support/mutate.ts";

type Plain = { [key: string]: unknown };

/** A plugin that is built from its directory. */
const SOURCE = treeOf(new Map([["plugins/acme-bot/Dockerfile", "FROM scratch\n"]]), "plugins");

const SHA = "sha256:" + "15".repeat(32);
const IMAGES = Object.fromEntries(
  ["core", "web-ui", "portal", "auth", "admin"].map((name) => [name, `ghcr.io/acme/${name}@${SHA}`]),
);

/** Sound deployments of each target: the smallest under both releases, and one with nearly every field. */
const SEEDS = Object.entries(SOUND_CONFIGS).flatMap(([target, full]) =>
  [
    { release: "0.1.6", fields: {} },
    { release: "0.1.12", fields: {} },
    { release: "0.1.12", fields: full },
  ].map(({ release, fields }) => {
    const { text } = deploymentOf(JSON.stringify({ target, ...fields }), { release }).document;
    return { release, config: { ...(JSON.parse(text) as Plain), imageOverrides: IMAGES } as Plain };
  }),
);

const PARTS: { readonly [field: string]: readonly unknown[] } = {
  sandbox: [
    { backend: "sprites", app: "acme-sandboxes" },
    { backend: "sprites", app: "acme-sandboxes", image: `registry.fly.io/acme@${SHA}` },
    { app: "acme-sandboxes" },
    { backend: "local" },
    { backend: "aws" },
    { backend: "agent37" },
    {},
  ],
  services: [["core"], ["core", "web-ui", "slack"], ["core", "web-ui", "portal", "auth", "admin"], ["web-ui"], []],
  imageOverrides: [{}, { core: `ghcr.io/acme/core@${SHA}` }, { ...IMAGES, "web-ui": "ghcr.io/acme/web-ui:latest" }],
  plugins: [[{ name: "acme-bot" }], [{ name: "acme-bot", image: "ghcr.io/acme/bot:1" }], []],
  secretEnv: [{ core: { DATABASE_URL: "MY_DB" } }, { core: { ACME: "ACME" }, "web-ui": { ACME: "ACME" } }],
};

const part = fc
  .constantFrom(...Object.keys(PARTS))
  .chain((field) => fc.constantFrom(...(PARTS[field] ?? [])).map((value) => ({ field, value })));

const odd = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      undefined,
      "",
      " ",
      "acme",
      "a\nb",
      '"q"',
      "'q'",
      "a\0",
      "\ud800",
      "x".repeat(70_000),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      null,
      0,
      16384,
      true,
      [],
      {},
      ["acme"],
      "https://acme.dev",
      "replace-me",
      "acme\u00a0",
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 6 }) },
);

const entries = fc.dictionary(
  fc.constantFrom("ACME_MODE", "LOG", "A-B", "1A", "", "CAPABILITY_SECRET", "DATABASE_URL", "NODE_ENV"),
  odd.filter((value) => typeof value === "string"),
  { maxKeys: 2, noNullPrototype: true },
);

/** Texts of configs that are sound or a little odd, with what `deploymentFrom` needs beside them. */
export const deployments = fc
  .record({
    seed: fc.constantFrom(...SEEDS),
    parts: fc.array(part, { maxLength: 1 }),
    changes: fc.array(fc.record({ at: fc.nat(), put: odd }), { maxLength: 1 }),
    pluginsTree: fc.constantFrom([], SOURCE),
    service: fc.constantFrom("core", "web-ui", "portal"),
    entries,
  })
  .map(({ seed, parts, changes, service, entries: added, pluginsTree }) => {
    let config: unknown = seed.config;
    for (const { field, value } of parts) config = { ...(config as Plain), [field]: value };
    for (const { at, put } of changes) {
      const paths = [...pathsOf(config)];
      config = replacedAt(config, paths[at % paths.length] ?? ["orgId"], put);
    }
    const { env } = config as { env?: { [service: string]: Plain } };
    if (typeof env === "object" && env !== null && !Array.isArray(env) && Object.keys(added).length > 0)
      config = { ...(config as Plain), env: { ...env, [service]: { ...env[service], ...added } } };
    return { text: JSON.stringify(config), context: { release: seed.release, pluginsTree } };
  });
