import { parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { answers } from "../support/programs.ts";
import { bringUp, takeDown } from "./walk.ts";

const EXAMPLES = ["docker-boxd", "docker-local", "fly-boxd", "fly-sprites", "aws-boxd", "aws-lambda"];

type Config = { [key: string]: unknown; services: string[]; aws?: { services: { [name: string]: object } } };

/** qm 0.1.6 published no images, and runs admin and auth by themselves: the config says what it needs of that. */
function forOldRelease(text: string): string {
  const config = parse(text) as Config;
  const services = config.services.filter((name) => name !== "slack");
  const image = (name: string): string => `ghcr.io/acme/qm-${name}@sha256:${name.length.toString(16).repeat(64)}`;
  const imageOverrides = Object.fromEntries(services.map((name) => [name, image(name)]));
  const aws = config.aws && {
    ...config.aws,
    services: Object.fromEntries(
      services.map((name) => {
        const own = { ecrRepository: `qm/${name}`, ecsService: `acme-${name}`, cpu: 512, memory: 1024 };
        return [name, { ...own, ...config.aws?.services[name], architecture: "arm64" }];
      }),
    ),
  };
  const written = {
    ...config,
    ...(aws && { aws }),
    imageOverrides: { ...imageOverrides, ...(config["imageOverrides"] as object) },
  };
  return JSON.stringify(written, null, 2);
}

/** A name that is the deployer's own. */
const ownName = (text: string): string =>
  text.replace(/"publicUrl": "[^"]+"/, '"publicUrl": "https://qm.acme-corp.dev"');
/** A name of core's own beside it. */
const ownNames = (text: string): string =>
  ownName(text).replace('"target"', '"apiUrl": "https://api.acme-corp.dev", "target"');
/** A database that the deployer brings. */
const ownDatabase = (text: string): string =>
  text.replace(/"secretEnv": \{\s*"core": \{/, (start) => `${start} "DATABASE_URL": "MY_DATABASE",`);

const PAGES = [
  ...EXAMPLES.map((example) => ({ example, release: "0.1.12", as: "as it is" })),
  // It has no local sandboxes.
  ...EXAMPLES.filter((example) => example !== "docker-local").map((example) => ({
    example,
    release: "0.1.6",
    as: "with own images",
    config: forOldRelease,
  })),
  { example: "fly-boxd", release: "0.1.12", as: "with an own domain", config: ownName },
  { example: "aws-boxd", release: "0.1.12", as: "with an own domain", config: ownName },
  { example: "aws-boxd", release: "0.1.12", as: "with a name for core", config: ownNames },
  { example: "fly-boxd", release: "0.1.12", as: "with an own database", config: ownDatabase },
];

describe.each(["bash", "zsh", "dash"])("in %s", (shell) => {
  describe.skipIf(!answers(shell, ["-c", ":"]))("every command of bring-up.md (skipped without the shell)", () => {
    test.each(PAGES)("$example under $release, $as", (page) => {
      const stage = bringUp({ ...page, shell });
      takeDown(stage);
      expect(stage.refusals).toBe("");
    });
  });
});
