import { inStockCore } from "../../catalog/backends/index.ts";
import {
  MODEL_PROVIDER_NAMES,
  type RunnableServiceName,
  SERVICE_NAMES,
  type ServiceName,
} from "../../config/written-config.ts";
import type { Answers } from "../answers.ts";
import type { ResourceNames } from "../resource-names.ts";
import { awsMembers } from "./aws.ts";
import { environment } from "./environment.ts";
import { type Member, member, membersText, offered } from "./members.ts";
import { defaultPublicUrl } from "./public-url.ts";
import { sandboxMember } from "./sandbox.ts";
import { servicesFor } from "./services.ts";

/** Text of a new `qm.config.jsonc`, commented for somebody who has never seen one. */
export function configText(answers: Answers, names: ResourceNames): string {
  const { org, target, release } = answers;
  const services = servicesFor(answers);
  const groups: readonly (readonly Member[])[] = [
    [
      member("contract", 1, "Version of this file's format; always 1."),
      member("orgId", org, "Short name of your organisation; containers, apps and volumes are named after it."),
      member("publicUrl", answers.publicUrl ?? defaultPublicUrl(answers, names), ...publicUrlSays(answers)),
      member("target", target, "Where qm's own services run: docker, fly or aws."),
      member(
        "modelProvider",
        answers.modelProvider,
        `Whose models agents use: ${MODEL_PROVIDER_NAMES.join(", ")}. Its API key goes into .env.`,
      ),
      member(
        "services",
        services,
        "The parts of qm that run: core always, and what else you need of",
        ...serviceLines(),
      ),
    ],
    target === "fly" ? flyMembers(names) : [],
    imageMembers(answers, services),
    environment(answers, services, names),
    [sandboxMember(answers, names)],
    target === "aws" ? awsMembers(answers, services, names) : [],
  ];
  const lead = [
    `// ${org} on ${target}, for qm ${release.version}. Comments and trailing commas are allowed. After a change: qm-deploy check, then qm-deploy render.`,
    "// Keys and passwords never stand here: they go into .env, which git ignores.",
  ];
  return `${lead.join("\n")}\n{\n${groups
    .filter((group) => group.length > 0)
    .map(membersText)
    .join("\n")}}\n`;
}

const SERVICE_SAYS: { readonly [service in ServiceName]?: string } = {
  "web-ui": "web-ui  the chat in the browser",
  admin: "admin   settings and grants, in the browser",
  portal: "portal  the front door: sign-in before everything else",
  auth: "auth    sign-in by e-mail, for the portal",
  slack: "slack   the chat in Slack; takes the tokens of a Slack app",
};

function serviceLines(): readonly string[] {
  return SERVICE_NAMES.flatMap((service) => SERVICE_SAYS[service] ?? []).map((line) => `  ${line}`);
}

function publicUrlSays({ target, backend }: Answers): readonly string[] {
  const says = ["The address at which people open qm: scheme and host, no path."];
  if (target === "docker" && backend.remote)
    says.push("Agents work outside of this host and call core from there, so localhost will not do.");
  return says;
}

function flyMembers(names: ResourceNames): readonly Member[] {
  return [
    member(
      "appPrefix",
      names.flyPrefix,
      "Apps are called <appPrefix>-core, <appPrefix>-portal, …; names are unique in all of Fly.",
    ),
    member("region", "sjc", "Where machines run; `fly platform regions` lists them."),
    member("flyOrg", "personal", "The Fly organisation that owns the apps; `fly orgs list` shows its slug."),
  ];
}

/** What names images: nothing published, or a backend that no published core implements. */
function imageMembers({ release, backend }: Answers, services: readonly ServiceName[]): readonly Member[] {
  const hosts = [...new Set(services.map((service) => release.host[service]))];
  const image = (host: RunnableServiceName): string => `ghcr.io/<you>/qm-${host}@sha256:<64 hex digits>`;
  if (release.images === null) {
    const says = `qm ${release.version} published no images: build and push your own, and pin each by digest before you render.`;
    const core = inStockCore(backend, release) ? [] : [`The one of core must implement ${backend.title}.`];
    return [offered("imageOverrides", Object.fromEntries(hosts.map((host) => [host, image(host)])), says, ...core)];
  }
  if (inStockCore(backend, release)) return [];
  const says = `No core image that qm ${release.version} published implements ${backend.title}: build one that does, push it, and pin it by digest.`;
  return [offered("imageOverrides", { core: image("core") }, says)];
}
