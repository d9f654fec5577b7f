import type { Deployment } from "../../deployment/deployment.ts";
import { inTool, itemsAt, textAt, type Tool, toolId } from "../../deployment/tools.ts";
import { field, names, refusedAtBoot, type Rule } from "../rule.ts";

const BROKER = ["auth", "broker"];

/** What the platform of a target sets in every container, whatever the config says. */
const SET_BY_PLATFORM: { readonly [target: string]: readonly string[] } = { aws: ["AWS_REGION", "AWS_DEFAULT_REGION"] };

/** Tools to which core hands over credentials of AWS. */
export const BROKER_RULES: readonly Rule[] = [
  {
    id: "layer/second-broker",
    title: "Credential broker on a second tool",
    clause: "sandbox.descriptors",
    why: "Core hands over credentials to one tool of a deployment, and refuses a layer in which two ask for it.",
    bad: brokered("acme", "") + brokered("other", ""),
    good: brokered("acme", ""),
    check(deployment, report) {
      const [first, ...more] = brokeredTools(deployment);
      for (const tool of more)
        report({
          message: `${field(BROKER)} stands in \`sandbox/tools/${first?.directory}/tool.json\` too, and one tool alone can have it`,
          help: "leave it with the tool that needs the credentials most, and let the others sign in by themselves",
          severity: refusedAtBoot(deployment),
          place: inTool(tool, BROKER, "key"),
          related: first === undefined ? [] : [{ place: inTool(first, BROKER, "key"), message: "the other broker" }],
        });
    },
  },
  {
    id: "layer/broker-service",
    title: "Brokered tool with credentials of several services",
    clause: "sandbox.descriptors",
    why: "Core names the service of a brokered tool after its credential paths. Where they belong to several, one of them must be called as the tool, or core refuses the layer.",
    bad: brokered("acme", ".aws .config/gh"),
    good: brokered("acme", ".aws"),
    check(deployment, report) {
      for (const tool of brokeredTools(deployment)) {
        const services = servicesOf(tool);
        if (services.size < 2 || services.has(toolId(tool) ?? "")) continue;
        report({
          message: `the credential paths of a brokered tool belong to one service, and these belong to ${names([...services])}`,
          help: "keep the paths of one service, or name the tool after one of them",
          severity: refusedAtBoot(deployment),
          place: inTool(tool, ["auth", "credentialPaths"], "key"),
        });
      }
    },
  },
  {
    id: "layer/broker-setting",
    title: "Broker that names a setting which core does not have",
    severity: "warning",
    clause: "sandbox.descriptors",
    why: "Core takes the role and the region from its own environment. Where they are not there, it hands over no credentials, and says nothing.",
    bad: brokered("acme", ""),
    good: brokered("acme", "").replace("ACME_ROLE_ARN", "ORG_ID"),
    check(deployment, report) {
      const tools = brokeredTools(deployment);
      const isSet = tools.length === 0 ? null : settingsOfCore(deployment);
      for (const tool of isSet === null ? [] : tools) {
        for (const key of ["roleArnEnv", "regionEnv"]) {
          const path = [...BROKER, key];
          const name = textAt(tool, path);
          // What is no name of an environment is another rule's finding.
          const state = name === null || !/^[A-Z][A-Z0-9_]*$/.test(name) ? true : isSet?.(name);
          // `region` stands in for a name that is absent, not for one that is blank.
          if (
            state === true ||
            (state === undefined && key === "regionEnv" && textAt(tool, [...BROKER, "region"]) !== null)
          )
            continue;
          report({
            message: `${field(path)} names \`${name}\`, which ${state === false ? "is blank in the environment of core" : "core does not have"}: it hands over no credentials`,
            help: `set \`${name}\` in \`env.core\`, or in \`secretEnv.core\` where it is a secret`,
            place: inTool(tool, path),
          });
        }
      }
    },
  },
];

/** Files of a tool with a broker, as the examples of these rules show them. */
function brokered(id: string, paths: string): string {
  const credentialPaths = paths === "" ? [] : paths.split(" ").map((path) => ({ path, kind: "directory" }));
  const broker = {
    kind: "aws-role",
    roleArnEnv: "ACME_ROLE_ARN",
    region: "us-west-2",
    sessionActions: ["s3:GetObject"],
  };
  const descriptor = { id, auth: { check: `${id} whoami`, reauth: `${id} login`, credentialPaths, broker } };
  return `// sandbox/tools/${id}/tool.json\n${JSON.stringify(descriptor)}\n// sandbox/tools/${id}/${id}\n`;
}

function brokeredTools({ tools }: Deployment): readonly Tool[] {
  return tools.filter((tool) => tool.document?.node(BROKER)?.kind === "object");
}

/** The services that core sees in a tool's credential paths: `.aws` is `aws`, `.config/gh/hosts` is `gh`. */
function servicesOf(tool: Tool): ReadonlySet<string> {
  const paths = itemsAt(tool, ["auth", "credentialPaths"]).map(({ path }) => textAt(tool, [...path, "path"]) ?? "");
  const services = paths
    .map((path) => /^\.config\/([^/]+)|^\.([^/]+)/.exec(path))
    .map((match) => match?.[1] ?? match?.[2]);
  return new Set(services.filter((service) => service !== undefined));
}

/** Whether core has a name: true, false where it is blank, undefined where it is nowhere. Null where core does not run. */
function settingsOfCore({ workloads, secrets, target }: Deployment): ((name: string) => boolean | undefined) | null {
  const core = workloads.find(({ name }) => name === "core");
  if (core === undefined) return null;
  const known = new Map(core.environment.map(({ name, value }) => [name, value !== ""]));
  const brought = secrets.flatMap(({ destinations }) => destinations.filter(({ workload }) => workload === "core"));
  for (const name of [...brought.map(({ env }) => env), ...(SET_BY_PLATFORM[target ?? ""] ?? [])])
    known.set(name, true);
  return (name) => known.get(name);
}
