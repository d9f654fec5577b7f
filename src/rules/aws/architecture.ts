import { shellWord } from "../../base/shell-word.ts";
import { own } from "../wording.ts";
import type { Rule } from "../rule.ts";
import { awsBlock } from "./block.ts";

/** Nobody knows for which processors a prebuilt image was built. */
export const ARCHITECTURE: Rule = {
  id: "aws/architecture",
  title: "Prebuilt image without its architecture",
  severity: "error",
  clause: "config.v1",
  why: "Fargate starts a task on arm64 or on amd64. What qm builds itself is arm64; of an image from elsewhere it must be said, or the task may not start.",
  bad: `{ "target": "aws", "services": ["core", "web-ui", "portal", "auth"], "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"15".repeat(32)}" }], "aws": { "services": { "acme-bot": { "ecrRepository": "qm/bot", "ecsService": "acme-bot", "cpu": 512, "memory": 1024 } } } }`,
  good: `{ "target": "aws", "services": ["core", "web-ui", "portal", "auth"], "plugins": [{ "name": "acme-bot", "image": "ghcr.io/acme/bot@sha256:${"15".repeat(32)}" }], "aws": { "services": { "acme-bot": { "ecrRepository": "qm/bot", "ecsService": "acme-bot", "cpu": 512, "memory": 1024, "architecture": "amd64" } } } }`,
  check(deployment, report) {
    const aws = awsBlock(deployment);
    if (aws === null || deployment.broken) return;
    for (const { name, image } of deployment.workloads) {
      const path = ["aws", "services", name];
      const isPrebuilt = image?.provenance.kind === "config";
      if (
        !isPrebuilt ||
        own(aws.services, name) === undefined ||
        deployment.document.node([...path, "architecture"]) !== undefined
      )
        continue;
      report({
        message: `\`aws.services.${name}.architecture\` is missing, and \`${name}\` runs a prebuilt image`,
        help: "set it to `arm64` or `amd64`; `docker buildx imagetools inspect` shows which",
        command: `docker buildx imagetools inspect ${shellWord(image.reference)}`,
        place: { path },
      });
    }
  },
};
