import { parse as parseJsonc } from "jsonc-parser";
import { parse } from "smol-toml";
import { findDrift, type DriftFinding } from "../../src/live/findings.ts";
import type { RenderedDeployment } from "../../src/live/platform.ts";
import { flyOwnerMark } from "../../src/deployment/derived-names.ts";
import type { JsonValue } from "../../src/base/json.ts";
import { renderDeployment } from "../../src/render/render.ts";
import { contextOf, example } from "../render/support.ts";
import { awsOf, type Counts, type TaskInput } from "./stand-ins/aws.ts";
import { type ComposeFile, dockerOf, readComposeFile } from "./stand-ins/docker.ts";
import { flyOf, type FlyToml } from "./stand-ins/fly.ts";

/** A deployment as it is rendered. */
function rendered(name: string, change: Parameters<typeof example>[1] = {}): RenderedDeployment {
  const deployment = example(name, change);
  const context = contextOf(deployment, { place: `rendered/${deployment.target}` });
  return { context, rendered: renderDeployment(context.deployment, context.options), directory: "/srv/acme/rendered" };
}

/** Puts fields over those of a config. */
function over(fields: object): { readonly config: (text: string) => string } {
  return { config: (text) => JSON.stringify({ ...(parseJsonc(text) as object), ...fields }) };
}

const PLUGIN_IMAGE = `ghcr.io/acme/crm:1.4@sha256:${"c7".repeat(32)}`;

/** The six examples, and what they have not: plugins, another release, tags in the place of digests. */
export const DEPLOYMENTS: { readonly [name: string]: () => RenderedDeployment } = {
  ...Object.fromEntries(
    ["docker-boxd", "docker-local", "fly-boxd", "fly-sprites", "aws-boxd", "aws-lambda"].map((name) => [
      name,
      () => rendered(name),
    ]),
  ),
  "docker with a plugin": () =>
    rendered(
      "docker-boxd",
      over({ plugins: [{ name: "crm", image: PLUGIN_IMAGE, env: { CRM_URL: "https://crm.example.com" } }] }),
    ),
  "aws with a number of tasks": () =>
    rendered("aws-boxd", { config: (text) => text.replace('"web-ui": {', '"web-ui": { "desiredCount": 2,') }),
  "fly under 0.1.12 with a plugin": () =>
    rendered("fly-boxd", {
      ...over({ imageOverrides: {}, plugins: [{ name: "crm", image: "ghcr.io/acme/crm:1.4" }] }),
      release: "0.1.12",
    }),
};

/** The place in {@link Files} of how many tasks services of aws are to run, which no file says. */
const COUNTS = "counts";

/** The files that workloads are started from, parsed, by artifact. */
export type Files = { [artifact: string]: unknown };

export function filesOf({ context, rendered: { artifacts } }: RenderedDeployment): Files {
  const files: Files = {};
  for (const { name, text } of artifacts) {
    if (name === "compose.yaml") files[name] = readComposeFile(text);
    else if (name.endsWith(".fly.toml")) files[name] = parse(text);
    else if (name.endsWith(".task-definition.json")) files[name] = JSON.parse(text);
  }
  const counts = Object.values(context.deployment.config.aws?.services ?? {}).flatMap(
    ({ ecsService = "", desiredCount }) => (desiredCount === undefined ? [] : [[ecsService, desiredCount] as const]),
  );
  if (counts.length > 0) files[COUNTS] = Object.fromEntries(counts);
  return files;
}

/** The names of secrets that the env file of a workload, or the store of its app, has in a sound deployment. */
function secretNames({ context }: RenderedDeployment, workload: string): string[] {
  const { deployment, secrets, target } = context;
  const names = (secrets.get(workload) ?? []).filter(({ secret }) => secret.required).map(({ env }) => env);
  if (target === "docker" && workload === "core") names.push("DATABASE_URL");
  if (target === "docker" && workload === "pg") names.push("POSTGRES_PASSWORD");
  const mark = target === "fly" ? flyOwnerMark(deployment.config) : null;
  return mark === null ? names : [...names, mark];
}

/** What the platform says once files were deployed; `services` of aws, where they do not bear the names of the families. */
export function deployed(
  deployment: RenderedDeployment,
  files: Files = filesOf(deployment),
  services?: readonly string[],
): JsonValue {
  const all = Object.values(files);
  const answers = {
    docker: () => dockerOf(all[0] as ComposeFile, (service) => secretNames(deployment, service)),
    fly: () => {
      const names = Object.keys(files);
      const tomls = all as FlyToml[];
      return flyOf(tomls, (app) =>
        secretNames(deployment, names[tomls.findIndex((one) => one.app === app)]?.replace(".fly.toml", "") ?? ""),
      );
    },
    aws: () => {
      const { [COUNTS]: counts, ...tasks } = files;
      return awsOf(Object.values(tasks) as TaskInput[], counts as Counts, services);
    },
  }[deployment.context.target]();
  return JSON.parse(JSON.stringify(answers)) as JsonValue;
}

/** Answers as tests change them. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what the programs print has no types
export type Answers = any;

/** What the platform says of a sound deployment, after a change. */
export function changed(deployment: RenderedDeployment, change: (answers: Answers) => void): Answers {
  const answers: Answers = deployed(deployment);
  change(answers);
  return answers;
}

export type { RenderedDeployment };

export function driftOf(deployment: RenderedDeployment, saved: JsonValue): Promise<readonly DriftFinding[]> {
  return findDrift(deployment, { saved }, true);
}

/** Findings as tests write them down. */
export function told(findings: readonly DriftFinding[]): string[] {
  return findings.map(({ workload, message }) => `${workload}: ${message.text}`);
}
