import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServiceName, TargetName } from "../../../src/config/written-config.ts";

/** A config as qm's own loader gives it back; only what the tests read. */
export interface PeerConfig {
  readonly target: TargetName;
  readonly services: readonly ServiceName[];
  readonly modelProvider?: string;
  readonly sandbox?: { readonly backend?: string };
  readonly env: { readonly [service: string]: { readonly [name: string]: string } | undefined };
  readonly aws?: { readonly backgroundWorkControl?: boolean };
}

export interface PeerSecret {
  readonly name: string;
  readonly required: boolean;
  readonly managedBy: "operator" | "terraform";
}

const DIST = join(import.meta.dirname, "../../../node_modules/@yc-software/qm/dist/src");

/** A module of the installed qm 0.1.12, untyped; `./contract` is all that its package exports. */
export async function peerModule(name: string): Promise<Record<string, any>> {
  return (await import(join(DIST, name))) as Record<string, any>;
}

const { loadConfigAt } = await peerModule("contract.js");

/** The config as qm loads it, or its refusal. */
export function loadWithPeer(config: object): { ok: true; config: PeerConfig } | { ok: false; message: string } {
  const directory = mkdtempSync(join(tmpdir(), "qm-peer-"));
  const path = join(directory, "qm.config.jsonc");
  try {
    writeFileSync(path, JSON.stringify(config));
    return { ok: true, config: loadConfigAt(path).config as PeerConfig };
  } catch (error) {
    return { ok: false, message: (error as Error).message };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** `env` of a test deployment, by service. */
export type TestEnv = { readonly [service in ServiceName]?: { readonly [name: string]: string } };

/** A sound deployment on a target; `change` is merged over its top level, `env` over each service's. */
export function deployment(
  target: TargetName,
  change: { readonly [field: string]: unknown } = {},
  env: TestEnv = {},
): { readonly [field: string]: unknown } {
  const services =
    (change["services"] as string[] | undefined) ??
    (target === "aws" ? ["core", "web-ui", "portal"] : ["core", "web-ui"]);
  const coordinates = (name: string): object => ({
    ecrRepository: `qm/${name}`,
    ecsService: `acme-${name}`,
    cpu: 2048,
    memory: 4096,
  });
  const aws = {
    accountId: "210987654321",
    region: "us-west-2",
    cluster: "acme-qm",
    deployRoleArn: "arn:aws:iam::210987654321:role/deploy",
    secretsPrefix: "acme/",
    imageLabel: "stable",
    networking: { cloudMapNamespace: "acme.internal" },
    services: Object.fromEntries(
      ["core", "web-ui", "portal"].filter((name) => services.includes(name)).map((name) => [name, coordinates(name)]),
    ),
  };
  const stores = { SNAPSHOT_STORE: "s3", TRANSFER_STORE: "s3", S3_BUCKET: "acme-data", S3_REGION: "auto" };
  return {
    contract: 1,
    orgId: "acme",
    publicUrl: "https://qm.acme.dev",
    target,
    services,
    ...(target === "fly" ? { region: "sjc", flyOrg: "acme-inc", appPrefix: "acme" } : {}),
    ...(target === "aws" ? { aws } : {}),
    ...change,
    env: {
      ...env,
      core: {
        ...(target === "fly" ? stores : {}),
        ...(target === "aws" ? { AWS_DEPLOY_IMAGE: "acme-apps" } : {}),
        ...env.core,
      },
      ...(services.includes("auth") ? { auth: { AUTH_EMAIL_TRANSPORT: "resend", ...env.auth } } : {}),
    },
  };
}
