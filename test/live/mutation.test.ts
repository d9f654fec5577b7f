import { describe, expect, test } from "vitest";
import { pathsOf, replacedAt, type Steps } from "../support/mutate.ts";
import { deployed, DEPLOYMENTS, driftOf, type Files, filesOf, told } from "./rig.ts";

/** What no platform reports, as a pattern of the path below the artifact. */
const UNSEEN: readonly RegExp[] = [
  // Compose's own: in which order it starts, where secrets come from, what it builds.
  /^compose\.yaml services [^ ]+ (?:depends_on|env_file|build) /,
  // A reference, which whoever starts it fills in.
  /^compose\.yaml services [^ ]+ group_add \d+$/,
  // flyctl does not know the table, and publishes 80 and 443.
  /^\S+\.fly\.toml http_service ports /,
];

/** Names by which the deployment finds what is its own: another one is another deployment's, or none. */
const IDENTITY: readonly RegExp[] = [
  /^\S+\.fly\.toml app$/,
  /^compose\.yaml name$/,
  // A key of the file's own, which leads to the name of a volume.
  /^compose\.yaml services [^ ]+ volumes \d+ source$/,
  // Another name is one entry less and one more.
  /^\S+\.task-definition\.json containerDefinitions 0 (?:environment|secrets) \d+ name$/,
];

/** What can be left out as a whole, as one attribute. */
const WHOLE: readonly RegExp[] = [
  /^compose\.yaml services [^ ]+ (?:ports|healthcheck|group_add|environment [^ ]+|volumes \d+|networks default aliases 1)$/,
  /^\S+\.fly\.toml (?:http_service|deploy|restart|checks health|env [^ ]+)$/,
  /^\S+\.task-definition\.json containerDefinitions 0 (?:portMappings|healthCheck|logConfiguration|stopTimeout|(?:environment|secrets) \d+)$/,
];

/** What nothing renders, and somebody may have given a container: by the path of the container. */
const ADDED: readonly (readonly [container: RegExp, fields: { readonly [field: string]: unknown }])[] = [
  [
    /^compose\.yaml services [^ ]+$/,
    { user: "0:0", privileged: true, cap_add: ["CAP_NET_ADMIN"], command: ["sleep", "infinity"] },
  ],
  [
    /^\S+\.task-definition\.json containerDefinitions 0$/,
    {
      user: "0:0",
      privileged: true,
      readonlyRootFilesystem: true,
      workingDirectory: "/tmp",
      linuxParameters: { initProcessEnabled: true },
      environmentFiles: [{ type: "s3", value: "arn:aws:s3:::acme/core.env" }],
      command: ["sleep", "infinity"],
    },
  ],
];

const OTHER: { readonly [value: string]: unknown } = {
  "unless-stopped": "always",
  always: "never",
  volume: "bind",
  bind: "volume",
  "shared-cpu-1x": "shared-cpu-2x",
  "performance-2x": "performance-1x",
  "2gb": "3gb",
  "4gb": "5gb",
  "1gb": "2gb",
  "512mb": "1gb",
  get: "head",
  stop: "off",
  false: true,
  true: false,
};

/** Another value of the same kind. */
function altered(value: unknown, path: string): unknown {
  if (String(value) in OTHER && !path.includes(" env ") && !path.includes(" environment ")) return OTHER[String(value)];
  if (typeof value === "number") return value + 1;
  const text = String(value);
  if (/^\d+s$/.test(text)) return `${Number(text.slice(0, -1)) + 7}s`;
  if (/sha256:[0-9a-f]{64}$/.test(text)) return text.replace(/.$/, text.endsWith("0") ? "1" : "0");
  if (/ ports \d+$/.test(path)) return text.replace(/:(\d+):/, ":1$1:");
  if (/ volumes \d+ (?:target|source)$/.test(path)) return `${text}-other`;
  if (/ (?:cpu|memory)$/.test(path)) return `${Number(text) * 2}`;
  return `${text}x`;
}

/** Every change of one attribute: another value of a leaf, the attribute left out, or one that nothing renders. */
function* mutations(files: Files): Iterable<{ readonly path: string; readonly files: Files }> {
  for (const steps of pathsOf(files)) {
    const path = steps.join(" ");
    if ([...UNSEEN, ...IDENTITY].some((pattern) => pattern.test(path))) continue;
    const value = valueAt(files, steps);
    if (typeof value !== "object" || value === null)
      yield { path: `${path} altered`, files: replacedAt(files, steps, altered(value, path)) as Files };
    if (WHOLE.some((pattern) => pattern.test(path)))
      yield { path: `${path} left out`, files: replacedAt(files, steps, undefined) as Files };
    for (const [, fields] of ADDED.filter(([container]) => container.test(path)))
      for (const [field, given] of Object.entries(fields))
        yield { path: `${path} ${field} added`, files: replacedAt(files, [...steps, field], given) as Files };
  }
}

function valueAt(value: unknown, steps: Steps): unknown {
  return steps.reduce<unknown>((at, step) => (at as { [key: string]: unknown })[step], value);
}

describe.each(Object.entries(DEPLOYMENTS))("%s", (_, make) => {
  const deployment = make();
  const files = filesOf(deployment);
  const services = Object.values(files).flatMap((file) => (file as { family?: string }).family ?? []);
  const all = [...mutations(files)];

  test("any one attribute that is other on the platform is told, once", async () => {
    expect(all.length).toBeGreaterThan(60);
    const wrong: { [path: string]: string[] } = {};
    for (const mutation of all) {
      const found = await driftOf(deployment, deployed(deployment, mutation.files, services));
      if (found.length !== 1 || found[0]?.commands.length === 0) wrong[mutation.path] = told(found);
    }
    expect(wrong).toEqual({});
  });
});
