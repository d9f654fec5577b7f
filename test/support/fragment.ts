import { loadConfig } from "../../src/config/load.ts";
import type { Deployment } from "../../src/deployment/deployment.ts";
import { PLUGINS_EXTENT, SANDBOX_EXTENT, treeOfFiles } from "../../src/deployment/files.ts";
import type { DeploymentInputs, SkillsPath, TreeEntry } from "../../src/deployment/inputs.ts";
import { resolveDeployment } from "../../src/deployment/resolve.ts";

/** Begins a file of a fragment; its text is what follows. */
const FILE_LINE = /^\/\/ ((?:sandbox|plugins)\/\S+)$/m;

/** The files that a fragment shows, by path. */
function filesOf(fragment: string): Map<string, string> {
  const parts = fragment.split(new RegExp(FILE_LINE, "m"));
  const files = new Map<string, string>();
  for (let at = 1; at < parts.length; at += 2)
    files.set(parts[at] as string, (parts[at + 1] as string).replace(/^\n/, ""));
  return files;
}

/** Files as the workspace lists what is below `root`. */
export function treeOf(files: ReadonlyMap<string, string>, root: "sandbox" | "plugins"): TreeEntry[] {
  return treeOfFiles(Object.fromEntries(files), root, root === "sandbox" ? SANDBOX_EXTENT : PLUGINS_EXTENT);
}

/** What a rule's fragment cannot say of the deployment around it. */
export interface FragmentContext {
  readonly release?: string;
  /** Laid over the sound deployment before the fragment, top-level keys replacing. */
  readonly config?: Record<string, unknown>;
  /** Dotted paths that the sound deployment lacks: a fragment can add or replace, and not take away. */
  readonly without?: readonly string[];
  /** Lines that stand in `.env` above those of a fragment. */
  readonly env?: string;
  readonly mode?: number;
  readonly sandboxTree?: readonly TreeEntry[];
  readonly pluginsTree?: readonly TreeEntry[];
  readonly skillsPaths?: readonly SkillsPath[];
}

type Plain = { [key: string]: unknown };

/** The sound deployment on docker that fragments are laid over. */
const DOCKER: Plain = {
  contract: 1,
  orgId: "acme",
  publicUrl: "https://qm.acme.dev",
  target: "docker",
  modelProvider: "anthropic",
  services: ["core", "web-ui"],
  env: { core: { HARNESS: "pi" } },
  sandbox: { backend: "boxd" },
};

const SERVICE = (name: string): Plain => ({
  ecrRepository: `qm/${name}`,
  ecsService: `acme-${name}`,
  cpu: 512,
  memory: 1024,
  architecture: "arm64",
});

/** What the other targets need beside it. */
const EXTRA: { readonly [target: string]: Plain } = {
  docker: {},
  fly: {
    appPrefix: "acme",
    region: "sjc",
    flyOrg: "acme-inc",
    env: {
      core: { HARNESS: "pi", SNAPSHOT_STORE: "s3", TRANSFER_STORE: "s3", S3_BUCKET: "acme-qm-data", S3_REGION: "auto" },
    },
  },
  aws: {
    services: ["core", "web-ui", "portal", "auth"],
    env: { core: { HARNESS: "pi", AWS_DEPLOY_IMAGE: "acme-apps" }, auth: { AUTH_EMAIL_TRANSPORT: "resend" } },
    aws: {
      accountId: "210987654321",
      region: "us-west-2",
      cluster: "acme-qm",
      deployRoleArn: "arn:aws:iam::210987654321:role/acme-qm-deploy",
      secretsPrefix: "acme-qm/",
      imageLabel: "stable",
      networking: { cloudMapNamespace: "acme-qm.internal" },
      alb: "acme-qm",
      rdsInstance: "acme-qm-db",
      services: {
        core: SERVICE("core"),
        "web-ui": SERVICE("web-ui"),
        portal: SERVICE("portal"),
        auth: SERVICE("auth"),
      },
    },
  },
};

function isPlain(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function merge(under: unknown, over: unknown): unknown {
  if (!isPlain(under) || !isPlain(over)) return over;
  const all: Plain = { ...under };
  for (const [key, value] of Object.entries(over)) all[key] = merge(under[key], value);
  return all;
}

/** Lays a fragment's top-level keys over the sound deployment; `aws`, which is long, is merged. */
function overlay(base: Plain, fragment: Plain): Plain {
  const all = { ...base, ...fragment };
  return isPlain(base["aws"]) && isPlain(fragment["aws"]) ? { ...all, aws: merge(base["aws"], fragment["aws"]) } : all;
}

/** Text that is no config, no package.json and no other files is a `.env`. */
export function kindOf(fragment: string): "config" | "package" | "files" | "env" {
  if (fragment.startsWith("// package.json")) return "package";
  if (FILE_LINE.test(fragment)) return "files";
  return /^\s*(?:\/\/|\{|\/\*)/.test(fragment) ? "config" : "env";
}

function lacking(config: Plain, paths: readonly string[]): Plain {
  const copy = structuredClone(config);
  for (const path of paths) {
    const steps = path.split(".");
    const parent = steps
      .slice(0, -1)
      .reduce<unknown>((value, step) => (isPlain(value) ? value[step] : undefined), copy);
    if (isPlain(parent)) delete parent[steps.at(-1) as string];
  }
  return copy;
}

/** The deployment that a rule's fragment describes, inside the sound one. */
export function deploymentOf(fragment: string, context: FragmentContext = {}): Deployment {
  const kind = kindOf(fragment);
  const said = kind === "config" ? (valueOf(fragment) as Plain) : {};
  const target = String(said["target"] ?? context.config?.["target"] ?? "docker");
  const sound = lacking({ ...DOCKER, ...EXTRA[target], target }, context.without ?? []);
  const config = overlay(overlay(sound, context.config ?? {}), said);
  if (kind === "files") {
    const files = filesOf(fragment);
    return deploymentFrom(JSON.stringify(config, null, 2), {
      ...context,
      sandboxTree: treeOf(files, "sandbox"),
      pluginsTree: treeOf(files, "plugins"),
    });
  }
  return deploymentFrom(
    JSON.stringify(config, null, 2),
    kind === "env" && fragment !== "" ? { ...context, env: (context.env ?? "") + fragment } : context,
    kind === "package" ? fragment : null,
  );
}

/** The deployment of a whole config text. */
export function deploymentFrom(
  text: string,
  context: FragmentContext = {},
  packageFile: string | null = null,
): Deployment {
  const source = { file: "qm.config.jsonc", text };
  const loaded = loadConfig(source);
  const inputs: DeploymentInputs = {
    config: source,
    directory: ".",
    envFile: context.env === undefined ? null : { file: ".env", text: context.env, mode: context.mode ?? 0o600 },
    packageFiles:
      packageFile === null ? [] : [{ file: "package.json", text: packageFile.replace(/^.*\n/, ""), relation: "own" }],
    sandboxTree: context.sandboxTree ?? [],
    pluginsTree: context.pluginsTree ?? [],
    skillsPaths: (context.skillsPaths ?? []).filter(({ written }) => loaded.config.skills?.includes(written)),
    flags: { release: packageFile === null ? (context.release ?? "0.1.6") : null, target: null },
  };
  return resolveDeployment(inputs, loaded);
}

function valueOf(fragment: string): unknown {
  const { document } = loadConfig({ file: "fragment", text: fragment });
  return JSON.parse(JSON.stringify(document.value([]) ?? {}));
}
