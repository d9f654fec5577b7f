import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "smol-toml";
import { afterAll, describe, expect, test } from "vitest";
import { findRelease } from "../../../src/catalog/releases/index.ts";
import type { Release } from "../../../src/catalog/releases/release.ts";
import { targetOwnedEnv } from "../../../src/catalog/services.ts";
import { SERVICE_NAMES } from "../../../src/config/written-config.ts";
import { deployment, loadWithPeer, type PeerConfig, peerModule } from "./peer.ts";

const release = findRelease("0.1.12") as Release;
const { derivedTomlFor } = await peerModule("backends/fly.js");
const { serviceEnvironment } = await peerModule("backends/aws.js");

// qm reads its fly templates from `deploy/` of a checkout.
const checkout = mkdtempSync(join(tmpdir(), "qm-checkout-"));
symlinkSync(join(import.meta.dirname, "../../../node_modules/@yc-software/qm/templates/fly"), join(checkout, "deploy"));

afterAll(() => rmSync(checkout, { recursive: true }));

type Environment = { readonly [name: string]: string };

function rendered(target: "fly" | "aws", config: PeerConfig, service: string): Environment {
  return target === "aws"
    ? serviceEnvironment(config, service)
    : (parse(derivedTomlFor(config, service, checkout)) as { env: Environment }).env;
}

/** Names that `env.<service>` cannot change, found by trying each one that qm renders. */
function ownedByQm(target: "fly" | "aws", service: "core" | "web-ui" | "portal"): string[] {
  // Without the sandbox block of aws, which is the backend's and not the target's.
  const change = {
    services: [...SERVICE_NAMES],
    model: "claude",
    botName: "Bot",
    orgName: "Acme",
    sandbox: { backend: "sprites" },
  };
  const load = (env: Environment): PeerConfig | null => {
    const loaded = loadWithPeer(deployment(target, change, { [service]: env }));
    return loaded.ok ? loaded.config : null;
  };
  const plain = rendered(target, load({}) as PeerConfig, service);
  return Object.keys(plain).filter((name) => {
    const config = load({ [name]: "probe" });
    try {
      return config !== null && rendered(target, config, service)[name] !== "probe";
    } catch {
      return false; // refused out loud: two services of one host that disagree
    }
  });
}

/** Wiring with the sign-in broker that is refused in `env.portal` or `env.auth` wherever it can be named. */
const BROKER = ["AUTH_CLIENT_ID", "AUTH_EMBEDDED", "AUTH_ISSUER", "AUTH_REDIRECT_URI"];

describe("names that a target decides after `env`, as qm 0.1.12 does", () => {
  test.each(
    (["fly", "aws"] as const).flatMap((target) =>
      (["core", "web-ui", "portal"] as const).map((service) => [target, service] as const),
    ),
  )("%s, %s", (target, service) => {
    expect(
      ownedByQm(target, service)
        .filter((name) => !BROKER.includes(name))
        .sort(),
    ).toEqual(targetOwnedEnv(target, release, service));
  });
});
