import { shellWord } from "../../base/shell-word.ts";
import { readWebUrl } from "../../catalog/grammar/host.ts";
import { nameOf } from "../../catalog/settings/index.ts";
import { findReservedDomain } from "../../config/placeholder.ts";
import type { RenderContext } from "../artifact.ts";
import { corePublicHosts } from "../aws/core-hosts.ts";
import { TFVARS } from "../aws/tfvars.ts";
import { MODULE, region, terraform, terraformOutput } from "./aws-names.ts";
import { renderCommand, type Step } from "./step.ts";

/** CloudFront gives every distribution a name in this domain, with a certificate. */
const CLOUDFRONT_DOMAIN = ".cloudfront.net";

/** The name that the deployer owns and people come in under; null for CloudFront's, and for one that nobody can own. */
function ownHost({ deployment: { publicOrigin } }: RenderContext): string | null {
  const host = publicOrigin === null ? undefined : readWebUrl(publicOrigin)?.hostname;
  if (host === undefined || host.endsWith(CLOUDFRONT_DOMAIN)) return null;
  return findReservedDomain(publicOrigin ?? "") === null ? host : null;
}

/** The names that need a certificate at the load balancer: the deployer's own, and those that lead to core alone. */
function certifiedHosts(context: RenderContext): readonly string[] {
  return [ownHost(context) ?? [], corePublicHosts(context.deployment)].flat();
}

/** The certificate of own names, which the load balancer needs from the start. */
export function certificateStep(context: RenderContext): Step | [] {
  const [host, ...others] = certifiedHosts(context);
  if (host === undefined) return [];
  const names = [host, ...others].join(" and ");
  const alternative =
    others.length === 0 ? "" : ` --subject-alternative-names ${others.map((name) => shellWord(name)).join(" ")}`;
  const arn = `--certificate-arn "$CERTIFICATE"`;
  return {
    title: "Get the certificate of your name",
    text: `The second command prints CNAME records: make them where ${names} ${others.length === 0 ? "is" : "are"} registered, and leave them there. The third waits until AWS has seen it.`,
    commands: [
      `CERTIFICATE="$(aws acm request-certificate ${region(context)} --domain-name ${shellWord(host)}${alternative} --validation-method DNS --idempotency-token qm --query CertificateArn --output text)"`,
      `aws acm describe-certificate ${region(context)} ${arn} --query 'Certificate.DomainValidationOptions[].ResourceRecord' --output text`,
      `aws acm wait certificate-validated ${region(context)} ${arn}`,
      'echo "$CERTIFICATE"',
    ],
    changes: "a certificate of the account, which renews itself; your DNS.",
    check: {
      commands: [`aws acm describe-certificate ${region(context)} ${arn} --query Certificate.Status --output text`],
      text: "says ISSUED; the next step needs the ARN",
    },
    undo: { commands: [`aws acm delete-certificate ${region(context)} ${arn}`] },
  };
}

/** What only the operator knows, into the rendered variables; rendering keeps it. */
export function variablesStep(context: RenderContext): Step {
  const file = shellWord(`${context.options.place}/${TFVARS}`);
  const certificate =
    certifiedHosts(context).length === 0
      ? "`certificate_arn` stays empty: people come in by CloudFront's name and certificate."
      : "`certificate_arn` is the ARN of the last step.";
  return {
    title: "Set the variables that only you know",
    text: `\`github_repository\` is the owner/name of the repository whose workflows may deploy, \`github_ref\` their branch. ${certificate} Rendering keeps what you set.`,
    commands: [`sh -c "\${EDITOR:-vi} ${file}"`],
    changes: `\`${TFVARS}\`, which is committed.`,
    check: { commands: [`grep -E '^(github_repository|github_ref|certificate_arn) ' ${file}`], text: "shows them" },
  };
}

/** The first `apply`. */
export function applyStep(context: RenderContext): Step {
  return {
    title: "Make the infrastructure",
    text: "`apply` shows what it will make and asks; it takes about a quarter of an hour. The services are made with no tasks.",
    commands: [`terraform -chdir=${MODULE} init`, terraform(context, "apply")],
    changes:
      "network, load balancer, CloudFront, database, buckets, registries, secrets without values, roles, an idle ECS cluster: AWS bills the database and the load balancer from now on.",
    check: { commands: [terraform(context, "plan")], text: "says `No changes`" },
    undo: {
      commands: [terraform(context, "destroy")],
      text: "keeps a last snapshot of the database. What still holds images or objects it does not delete: apply with `-var=ecr_force_delete=true` and `-var=object_store_force_destroy=true` first, and give `destroy` both too",
    },
  };
}

/** What Terraform has made up goes into the config, and from there into everything that is rendered. */
export function frontDoorStep(context: RenderContext): Step {
  const host = ownHost(context);
  const origin = nameOf(context.deployment.release.release, "core.awsPublicOrigin");
  const [load, scheme] = [terraformOutput("alb_hostname"), host === null ? "http" : "https"];
  return {
    title: "Take the front door's names over",
    text: `${
      host === null
        ? "People and agents come in by CloudFront, which alone may call the load balancer."
        : `Make a CNAME record (or an alias) of ${certifiedHosts(context).join(" and of ")} that leads to what the first command prints: the load balancer, which has your certificate.`
    } This page is rendered again too: go on with its next step.`,
    commands: [
      host === null
        ? `qm-deploy config set publicUrl "https://${terraformOutput("cloudfront_hostname")}"`
        : `terraform -chdir=${MODULE} output -raw alb_hostname`,
      ...(host === null ? [`qm-deploy config set env.core.${origin} "${scheme}://${load}"`] : []),
      `qm-deploy config set aws.deployRoleArn "${terraformOutput("deploy_role_arn")}"`,
      renderCommand(context),
      terraform(context, "apply"),
    ],
    changes: `${host === null ? "`publicUrl`, " : ""}\`aws.deployRoleArn\` and what follows from ${host === null ? "them" : "it"} in qm.config.jsonc and the rendered files; your DNS, where the name is yours.`,
    check: {
      commands: ["qm-deploy check", `${renderCommand(context)} --check`],
      text: "no errors, and nothing to render",
    },
    undo: { text: "take the former qm.config.jsonc out of git, and render again." },
  };
}

/** The image that MicroVMs boot. qm writes what it made into the config that it was handed: the real one gets it from there. */
export function microVmStep(context: RenderContext, qm: (command: string) => string, projection: string | null): Step {
  const { release } = context.deployment.release;
  const names = [nameOf(release, "core.awsDeployImageVersion"), nameOf(release, "core.awsDeployRole")];
  const taken = projection === null ? [] : names.map((name) => takeOver(name, projection));
  return {
    title: "Build the MicroVM image",
    text: `Agents' apps boot it, and Lambda sandboxes where they are the backend. Needs Node 24, and takes some minutes. qm records what it made${projection === null ? "" : " in the config that it was handed, and the next commands take it over into yours"}.`,
    commands: [qm("infra build-image"), ...taken, renderCommand(context)],
    changes: `the image \`${context.deployment.config.env?.core?.[nameOf(release, "core.awsDeployImage")] ?? "AWS_DEPLOY_IMAGE"}\` in the account; ${names.map((name) => `\`env.core.${name}\``).join(" and ")}, and what is rendered from them.`,
    check: { commands: names.map((name) => `qm-deploy config get env.core.${name}`), text: "print them" },
    undo: { commands: [qm("infra delete-image --yes")], text: "ends the MicroVMs that run it" },
  };
}

function takeOver(name: string, projection: string): string {
  return `qm-deploy config set --string env.core.${name} "$(qm-deploy config get env.core.${name} --in ${shellWord(projection)})"`;
}
