import { parse } from "jsonc-parser";
import type { Stage } from "./stage.ts";

type Json = { [key: string]: any };

/** A change of a deployment that runs, and what has come of it once the steps of `diff` are done. */
export interface Change {
  readonly example: string;
  readonly what: string;
  /** Of the config that it is brought up with; left out: the example's. */
  readonly before?: (config: Json) => void;
  readonly after: (config: Json) => void;
  /** True where it has come about. */
  readonly isDone: (world: any) => boolean;
}

/** A config with a change, as text. */
export function withChange(change: (config: Json) => void): (text: string) => string {
  return (text) => {
    const config = parse(text) as Json;
    change(config);
    return JSON.stringify(config, null, 2);
  };
}

const IMAGE = `ghcr.io/acme/one@sha256:${"1a".repeat(32)}`;
const plugin = (config: Json): void => {
  config["plugins"] = [{ name: "one", image: IMAGE, secrets: [{ name: "ONE_KEY" }] }];
  if (config["aws"]) {
    const service = { ecrRepository: "qm/one", ecsService: "acme-one", cpu: 256, memory: 512, architecture: "arm64" };
    config["aws"].services.one = service;
  }
};

/** Each target's most telling change first. */
export const CHANGES: { readonly [target in "docker" | "fly" | "aws"]: readonly [Change, ...Change[]] } = {
  docker: [
    {
      example: "docker-boxd",
      what: "a plugin goes",
      before: plugin,
      after: (config) => delete config["plugins"],
      isDone: ({ docker }) => !("qm-acme-one" in docker.containers),
    },
    {
      example: "docker-boxd",
      what: "a plugin comes, and a setting is another",
      after(config) {
        plugin(config);
        config["env"].core.BOXD_VCPU = "8";
      },
      isDone: ({ docker }) => docker.containers["qm-acme-one"]?.running === true,
    },
    {
      example: "docker-boxd",
      what: "it moves to another org",
      after: (config) => (config["orgId"] = "other"),
      isDone: ({ docker }) => !("qm-acme-core" in docker.containers),
    },
  ],
  fly: [
    {
      example: "fly-boxd",
      what: "a plugin comes, core grows, and the region is another",
      after(config) {
        plugin(config);
        config["vms"] = { core: { memory: "8gb" } };
        config["region"] = "iad";
      },
      isDone: ({ fly }) => fly.apps["acme-one"]?.machines === 1 && fly.apps["acme-one"].secrets.ONE_KEY === "deployed",
    },
    {
      example: "fly-boxd",
      what: "a plugin and a secret go",
      before(config) {
        plugin(config);
        config["secretEnv"].core.MORE = "MORE";
      },
      after(config) {
        delete config["plugins"];
        delete config["secretEnv"].core.MORE;
      },
      isDone: ({ fly }) => !("acme-one" in fly.apps) && !("MORE" in fly.apps["acme-core"].secrets),
    },
    {
      example: "fly-boxd",
      what: "it moves to other apps",
      after: (config) => (config["appPrefix"] = "other"),
      isDone: ({ fly }) => !("acme-core" in fly.apps),
    },
  ],
  aws: [
    {
      example: "aws-boxd",
      what: "a plugin comes, web-ui has another image, and core a secret more",
      after(config) {
        plugin(config);
        config["secretEnv"].core.MORE = "MORE";
        config["imageOverrides"]["web-ui"] = IMAGE;
        config["aws"].services["web-ui"].architecture = "arm64";
      },
      isDone: ({ aws }) =>
        aws.secrets["acme-qm/MORE"] === "set" && aws.clusters["acme-qm"].services["acme-one"]?.runningCount === 1,
    },
    {
      example: "aws-boxd",
      what: "core has a newer image",
      before: (config) => (config["imageOverrides"].core = IMAGE),
      after: (config) => (config["imageOverrides"].core = IMAGE.replaceAll("1a", "2b")),
      isDone: ({ aws }) => aws.families["acme-core"].length === 2,
    },
  ],
};

/** What `diff` says to do, and what it leads to. */
export function changeConfig(stage: Stage, change: (config: Json) => void): readonly string[] {
  stage.run("git add . && git commit --quiet --allow-empty --message before");
  stage.rewrite(withChange(change));
  const diff = JSON.parse(stage.run("qm-deploy diff --format json")) as { steps: { commands: string[] }[] };
  return diff.steps.flatMap(({ commands }) => commands);
}
