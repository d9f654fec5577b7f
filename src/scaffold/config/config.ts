import { BACKENDS, declarableTargets, inStockCore } from "../../catalog/backends/index.ts";
import { DEFAULT_BASE_PORT, DOCKER_PORT_OFFSET } from "../../catalog/targets/docker.ts";
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
import { block, type Member, member, membersText, offered } from "./members.ts";

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

/** `sandbox`: where agents work, with every choice of the target in the comment. */
function sandboxMember({ target, release, backend }: Answers, names: ResourceNames): Member {
  const choices = BACKENDS.filter((one) => declarableTargets(one, release).includes(target));
  const width = Math.max(...choices.map((one) => one.name.length));
  const says = [
    `Where agents work. On ${target} under qm ${release.version} there are:`,
    ...choices.map((one) => `  ${one.name.padEnd(width)}  ${one.summary}`),
  ];
  const fields = backend.fields(release);
  if (!fields.includes("app")) return member("sandbox", { backend: backend.name }, ...says);
  return block(
    "sandbox",
    [
      member("backend", backend.name),
      member("app", `${names.flyPrefix}-sandboxes`, "The Fly app that the agents' sandboxes belong to."),
      {
        says: [
          "`qm-deploy sandbox publish` builds the layer image of sandbox/, and records it here as `image` and `baseImage`.",
        ],
        text: null,
      },
    ],
    ...says,
  );
}

/** Everything behind a sign-in where there is one; on docker without e-mails only what trying out needs. */
function servicesFor({ target, emailTransport }: Pick<Answers, "target" | "emailTransport">): readonly ServiceName[] {
  if (target !== "docker") return ["core", "slack", "web-ui", "admin", "portal", "auth"];
  return emailTransport === null ? ["core", "web-ui"] : ["core", "web-ui", "admin", "portal", "auth"];
}

/** For whoever has not said yet; `check` warns about it until it is changed. */
const EXAMPLE = "https://qm.example.com";

/** The public address where none was given: Fly's own name, this host for trying out, else a reserved example domain. */
export function defaultPublicUrl(answers: Answers, names: Pick<ResourceNames, "flyPrefix">): string {
  if (answers.target === "fly") return `https://${names.flyPrefix}-portal.fly.dev`;
  if (answers.target === "aws" || answers.backend.remote) return EXAMPLE;
  const door = servicesFor(answers).includes("portal") ? "portal" : "web-ui";
  return `http://localhost:${DEFAULT_BASE_PORT + (DOCKER_PORT_OFFSET[door] ?? 0)}`;
}
