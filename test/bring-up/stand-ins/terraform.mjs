// Terraform with qm's module: flags as its help has them.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileText, must, VALUE } from "./answers.mjs";

const HOSTS = {
  cloudfront_hostname: "d111111abcdef8.cloudfront.net",
  alb_hostname: "acme-qm-1.us-west-2.elb.amazonaws.com",
};

/** The module's directory, with its backend. */
function moduleAt(world, { one }) {
  const directory = one("-chdir") ?? ".";
  for (const name of ["main", "outputs", "variables", "versions"]) fileText(join(directory, `${name}.tf`));
  const bucket = /bucket\s*=\s*"([^"]+)"/.exec(fileText(join(directory, "backend.tf")))?.[1];
  must(world.aws.buckets[bucket]?.versioned, `the backend's bucket ${bucket} is missing, or not versioned`);
  return directory;
}

/** The variables, as far as the module asks something of them. */
function variables(world, call) {
  const directory = moduleAt(world, call);
  must(world.terraform.initialized, "Backend initialization required, please run: terraform init");
  const text = fileText(join(directory, call.one("-var-file")));
  const text_ = (name) => new RegExp(`^${name}\\s*=\\s*"([^"]*)"`, "m").exec(text)?.[1];
  must(text_("github_repository") !== "replace-me/repository", "github_repository must be the explicit owner/name");
  must(world.aws.providers.includes(text_("github_oidc_provider_arn")), "no such OIDC provider");
  const certificate = text_("certificate_arn");
  must(certificate === "" || world.aws.certificates[certificate]?.Status === "ISSUED", "no issued certificate");
  const [, list = ""] = /^core_public_hosts\s*=\s*\[([^\]]*)\]/m.exec(text) ?? [];
  const coreHosts = [...list.matchAll(/"([^"]+)"/g)].map(([, host]) => host);
  for (const host of coreHosts)
    must(world.aws.certificates[certificate]?.others.includes(host), `core_public_hosts: no certificate of ${host}`);
  return { text, text_, certificate, coreHosts };
}

function apply(world, call) {
  const { text, text_, certificate, coreHosts } = variables(world, call);
  must(call.stdin.trim() === "yes", "Apply cancelled.");
  const name = text_("cluster_name");
  const blocks = [...text.matchAll(/^ {2}"([\w-]+)" = \{\n([\s\S]*?)^ {2}\}/gm)];
  const cluster = (world.aws.clusters[name] ??= { services: {} });
  for (const [, workload, block] of blocks) {
    const repository = /"ecr_repository"\s*= "([^"]+)"/.exec(block)[1];
    const serviceName = /"ecs_service"\s*= "([^"]+)"/.exec(block)[1];
    world.aws.repositories[repository] ??= [];
    cluster.services[serviceName] ??= {
      workload,
      serviceName,
      runningCount: 0,
      desiredCount: 0,
      networkConfiguration: { awsvpcConfiguration: { subnets: ["subnet-1"], securityGroups: ["sg-1"] } },
    };
  }
  const names = /^secret_names\s*=\s*\[([^\]]*)\]/m.exec(text)[1];
  for (const [, secret] of names.matchAll(/"([^"]+)"/g))
    world.aws.secrets[`${text_("secrets_prefix")}${secret}`] ??= secret === "DATABASE_URL" ? "set" : "empty";
  // Images that an operator has in the deployment's own registry get there once the registry is made.
  for (const [repository, digest] of world.aws.toPush) world.aws.repositories[repository]?.push(digest);
  world.terraform.outputs = {
    ...HOSTS,
    deploy_role_arn: `arn:aws:iam::${text_("account_id")}:role/${name}-github-deploy`,
  };
  // Who answers under which name.
  const front = certificate === "" ? HOSTS.cloudfront_hostname : world.aws.certificates[certificate].host;
  world.aws.doors = Object.fromEntries([[front, "portal"], ...coreHosts.map((host) => [host, "core"])]);
}

function destroy(world, call) {
  variables(world, call);
  must(call.stdin.trim() === "yes", "Destroy cancelled.");
  for (const { services } of Object.values(world.aws.clusters))
    for (const { runningCount, desiredCount, serviceName } of Object.values(services))
      must(Math.min(runningCount, desiredCount) === 0, `${serviceName} still has tasks`);
  Object.assign(world.aws, { clusters: {}, repositories: {}, secrets: {}, doors: {} });
}

const withVariables = { "-var-file": VALUE };

export const PROGRAM = {
  name: "terraform",
  onlyEquals: true,
  globals: { "-chdir": VALUE },
  commands: {
    init: { run: (world, call) => void (moduleAt(world, call), (world.terraform.initialized = true)) },
    plan: {
      flags: withVariables,
      run(world, call) {
        variables(world, call);
        must(existsSync("infra") && world.terraform.outputs, "would make everything");
        return "No changes.";
      },
    },
    apply: { flags: withVariables, stdin: true, run: apply },
    destroy: { flags: withVariables, stdin: true, run: destroy },
    output: {
      flags: { "-raw": "flag" },
      args: [1, 1],
      needs: ["-raw"],
      run(world, call) {
        moduleAt(world, call);
        const value = world.terraform.outputs?.[call.args[0]];
        must(value !== undefined, `Output "${call.args[0]}" not found`);
        // Without a newline, as the real one.
        return value;
      },
    },
  },
};
