import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RELEASES } from "../../../src/catalog/releases/index.ts";
import { MANAGED_SETTINGS } from "../../../src/catalog/services.ts";
import { nameOf } from "../../../src/catalog/settings/index.ts";
import { TARGET_NAMES } from "../../../src/config/written-config.ts";
import type { Deployment } from "../../../src/deployment/deployment.ts";
import type { Diagnostic } from "../../../src/diagnostics/diagnostic.ts";
import { renderDeployment } from "../../../src/render/render.ts";
import { runRules } from "../../../src/rules/run-rules.ts";
import { PLAIN } from "../../render/support.ts";
import { deploymentFrom, deploymentOf, treeOf } from "../../support/fragment.ts";
import { inTurn, runs } from "../../support/runs.ts";

type Plain = { [key: string]: unknown };

const IMAGE = `ghcr.io/acme/qm@sha256:${"15".repeat(32)}`;
const SERVICES = ["core", "slack", "web-ui", "admin", "portal", "auth"];
const SANDBOX_TREE = treeOf(
  new Map([["sandbox/skills/acme/SKILL.md", "---\nname: acme\ndescription: Acme\n---\nAsk Acme.\n"]]),
  "sandbox",
);

/** What makes qm derive as many names as it can, beside what each target adds. */
const WHOLE: Plain = {
  services: SERVICES,
  model: "acme",
  botName: "Acme",
  orgName: "Acme",
  imageOverrides: Object.fromEntries(SERVICES.filter((name) => name !== "slack").map((name) => [name, IMAGE])),
  plugins: [{ name: "acme-bot", image: IMAGE }],
  securityScreen: { backend: "proxy", provider: "acme", endpoint: "https://screen.acme.dev", rollout: "shadow" },
};

const SPRITES = {
  app: "acme-sandbox",
  image: IMAGE,
  backend: "sprites",
  env: { ACME_MODE: "1" },
  secretEnv: ["ACME_LOGIN"],
};

/** The backends that set most of core's environment. */
const SANDBOXES: { readonly [target: string]: readonly Plain[] } = {
  docker: [{ backend: "boxd" }, SPRITES],
  fly: [{ backend: "boxd" }, SPRITES],
  aws: [{ backend: "boxd" }, SPRITES, { backend: "aws" }],
};

interface Base {
  readonly release: string;
  readonly config: Plain;
}

const BASES: readonly (readonly [string, Base])[] = ["0.1.6", "0.1.12"].flatMap((release) =>
  TARGET_NAMES.flatMap((target) =>
    (SANDBOXES[target] ?? []).map((sandbox): [string, Base] => {
      const sound = JSON.parse(deploymentOf(JSON.stringify({ target, ...WHOLE, sandbox })).document.text) as Plain & {
        aws?: { services: Plain };
      };
      const { aws } = sound;
      const task = { cpu: 512, memory: 1024, architecture: "arm64" };
      const workloads = Object.fromEntries(
        ["core", "web-ui", "admin", "portal", "auth", "acme-bot"].map((name) => [
          name,
          { ...task, ecrRepository: `qm/${name}`, ecsService: `acme-${name}` },
        ]),
      );
      const screen = { core: { SECURITY_SCREEN_PROXY_TOKEN: "SCREEN_TOKEN" } };
      const env = { ...(sound["env"] as Plain), auth: { AUTH_EMAIL_TRANSPORT: "resend" } };
      const config = {
        ...sound,
        env,
        secretEnv: screen,
        ...(aws === undefined ? {} : { aws: { ...aws, services: workloads } }),
      };
      return [`${target}, ${String(sandbox["backend"])}, qm ${release}`, { release, config }];
    }),
  ),
);

/** A secret that a deployer routes: the service or plugin, and the name that it has there. */
type Route = readonly [owner: string, name: string];

function withRoutes({ release, config }: Base, routes: readonly Route[], values: readonly Route[] = []): Deployment {
  const secretEnv = structuredClone(config["secretEnv"]) as { [service: string]: { [name: string]: string } };
  const env = structuredClone(config["env"]) as { [service: string]: { [name: string]: string } };
  const secrets: { name: string }[] = [];
  for (const [owner, name] of values) if (owner !== "acme-bot") env[owner] = { ...env[owner], [name]: "1" };
  for (const [owner, name] of routes) {
    if (owner === "acme-bot") secrets.push({ name });
    else secretEnv[owner] = { ...secretEnv[owner], [name]: `ACME_OWN_${name}` };
  }
  const plugins = [{ name: "acme-bot", image: IMAGE, ...(secrets.length === 0 ? {} : { secrets }) }];
  return deploymentFrom(JSON.stringify({ ...config, env, secretEnv, plugins }), { release, sandboxTree: SANDBOX_TREE });
}

/** The findings that stop `render`: not those about values in a `.env` that is not there. */
function errorsOf(deployment: Deployment): Diagnostic[] {
  return runRules(deployment).filter(({ severity, rule }) => severity === "error" && !rule.startsWith("env-file/"));
}

function refusedNames(deployment: Deployment): string[] {
  return renderDeployment(deployment, PLAIN)
    .refusals.filter(({ rule }) => rule === "render/name-twice")
    .map(({ message }) => message);
}

/** The text that a finding points at. */
function sliceOf({ document }: Deployment, { range }: Diagnostic): string | null {
  return range === null ? null : document.text.slice(range.start.offset, range.end.offset);
}

const OWNERS = [...SERVICES, "acme-bot"];
const MANAGED = [
  ...RELEASES.flatMap((release) => MANAGED_SETTINGS.flatMap(({ keys }) => keys.map((key) => nameOf(release, key)))),
  "SANDBOX_SECONDARY_BACKEND",
  "DATABASE_URL",
];

/** The names of the workload that an owner runs in, which are what qm derives and what the config says, and every managed one. */
function namesOf({ workloads }: Deployment, owner: string): string[] {
  const own = workloads.filter(({ name, hosts }) => name === owner || hosts.some((host) => host === owner));
  return [...new Set([...own.flatMap(({ environment }) => environment.map(({ name }) => name)), ...MANAGED])].sort();
}

describe.each(BASES.map(([title, base], turn) => [title, base, turn] as const))(
  "a secret under a name that qm derives, on %s",
  (_, base, turn) => {
    const sound = withRoutes(base, []);
    const all = OWNERS.flatMap((owner) => namesOf(sound, owner).map((name): Route => [owner, name]));

    test("begins with a sound deployment that has such names", () => {
      expect(errorsOf(sound).map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
      expect(renderDeployment(sound, PLAIN).refusals).toEqual([]);
      expect(all.map(([, name]) => name)).toEqual(
        expect.arrayContaining([
          "PORT",
          "ORG_ID",
          "CORE_API_URL",
          "SESSION_STORE",
          "PI_MODEL",
          "SANDBOX_BACKEND",
          "AUTH_ISSUER",
          "SECURITY_SCREEN_BACKEND",
        ]),
      );
    });

    test("is what check reports wherever render refuses it, once and at its name", () => {
      const wrong: string[] = [];
      let refused = 0;
      for (const [owner, name] of inTurn(all, 7, turn)) {
        const deployment = withRoutes(base, [[owner, name]]);
        const errors = errorsOf(deployment);
        const refusals = refusedNames(deployment);
        if (refusals.length === 0) {
          if (errors.some(({ rule }) => rule === "secrets/derived-name"))
            wrong.push(`${owner}.${name}: render takes it`);
          continue;
        }
        refused++;
        const places = errors.map((error) => sliceOf(deployment, error));
        // A name that `env` has as well is reported there, as a plain value of a secret.
        if (errors.length !== 1 || places[0] !== JSON.stringify(name))
          wrong.push(`${owner}.${name}: ${errors.map(({ rule, message }) => `${rule} ${message}`).join("; ")}`);
      }
      expect(wrong).toEqual([]);
      expect(refused).toBeGreaterThan(runs(3, 30));
    });

    test("never passes check and is refused by render, however many there are", () => {
      const route = fc.tuple(fc.constantFrom(...OWNERS), fc.constantFrom(...new Set(all.map(([, name]) => name))));
      fc.assert(
        fc.property(fc.array(route, { maxLength: 3 }), fc.array(route, { maxLength: 2 }), (routes, values) => {
          const deployment = withRoutes(base, routes, values);
          if (errorsOf(deployment).length === 0) expect(refusedNames(deployment)).toEqual([]);
        }),
        { numRuns: runs(5, 25) },
      );
    });

    test("is none where a plain value of a name that somebody else has passes", () => {
      const managed = all.filter(([, name]) => MANAGED.includes(name));
      const refused = inTurn(managed, 7, turn).filter(([owner, name]) => {
        const deployment = withRoutes(base, [], [[owner, name]]);
        return errorsOf(deployment).length === 0 && refusedNames(deployment).length > 0;
      });
      expect(refused).toEqual([]);
    });
  },
);
