import type { Backend } from "../../catalog/backends/backend.ts";
import type { ServiceName } from "../../config/written-config.ts";
import type { Answers } from "../answers.ts";
import type { ResourceNames } from "../resource-names.ts";
import { block, type Member, member, offered } from "./members.ts";

/** `env` and `secretEnv`: what each service is started with. */
export function environment(
  answers: Answers,
  services: readonly ServiceName[],
  names: ResourceNames,
): readonly Member[] {
  const env = [block("core", coreMembers(answers, names))];
  if (services.includes("slack"))
    env.push(
      member("slack", { SLACK_IDENTITY_EMAIL: "1" }, "People are known by the e-mail address of their Slack account."),
    );
  if (services.includes("auth") && answers.emailTransport !== null) {
    env.push(
      block("auth", [
        member("AUTH_EMAIL_TRANSPORT", answers.emailTransport, "How sign-in e-mails are sent: resend or smtp."),
        offered(
          "AUTH_ALLOWED_EMAIL_DOMAIN",
          `${answers.org}.com`,
          "Let everybody of a domain in; without it AUTH_ALLOWED_EMAILS in .env lists who may.",
        ),
      ]),
    );
  }
  const says = [
    "Secrets of .env that reach a service only because they are named here: { variable: name in .env }.",
    "ADMIN_GRANTS makes administrators: a comma list such as ada@acme.dev:org_admin.",
  ];
  const routed = services.includes("admin")
    ? [member("secretEnv", { core: { ADMIN_GRANTS: "ADMIN_GRANTS" } }, ...says)]
    : [];
  return [block("env", env, "Environment of the services. Every value is text, also numbers."), ...routed];
}

function coreMembers({ target, backend, release }: Answers, names: ResourceNames): readonly Member[] {
  const stores = [
    member("SNAPSHOT_STORE", "s3", "Files of agents are kept in a bucket; Fly's own storage speaks S3."),
    member("TRANSFER_STORE", "s3"),
    member("S3_BUCKET", names.bucket, "Bucket names are unique in the whole world."),
    member("S3_REGION", "auto"),
  ];
  const needsApps =
    target === "aws" &&
    (release.awsDeployImage === "always" || backend.name === "aws" || release.defaultBackend.aws !== undefined);
  return [
    member("HARNESS", "pi", "What runs the agents: pi works with every model provider; mock answers without a model."),
    ...(target === "fly" ? stores : []),
    ...(needsApps
      ? [
          member(
            "AWS_DEPLOY_IMAGE",
            names.appsImage,
            "Image of the MicroVMs that deployed apps (and Lambda sandboxes) boot; `qm infra build-image` builds it.",
          ),
        ]
      : []),
    ...backend.settings.flatMap((setting) => settingMember(backend, setting, names)),
  ];
}

/** A setting of the backend: its own value, one that the operator must give, or an offer. */
function settingMember(
  backend: Backend,
  setting: Backend["settings"][number],
  names: ResourceNames,
): readonly Member[] {
  const says = `${backend.title}: ${setting.description}.`;
  if (setting === backend.machineNames?.prefix) return [member(setting.name, names.machines, says)];
  return [setting.required ? member(setting.name, "replace-me", says) : offered(setting.name, setting.example, says)];
}
