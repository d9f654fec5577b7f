import { shellWord } from "../../base/shell-word.ts";
import { objectStoreBucket } from "../../deployment/derived-names.ts";
import type { RenderContext } from "../artifact.ts";
import { aws, MODULE, region } from "./aws-names.ts";
import type { Step } from "./step.ts";

/** The region whose buckets are made without saying where. */
const FIRST_REGION = "us-east-1";

/** The issuer of the tokens that GitHub's workflows sign in to AWS with. */
const GITHUB_ISSUER = "token.actions.githubusercontent.com";

/** Where qm's package has its Terraform module, once npm has installed it. */
export const MODULE_SOURCE = "node_modules/@yc-software/qm/templates/aws";

/** qm's Terraform module, from its package into the deployment directory. */
export function moduleStep({ deployment }: RenderContext): Step {
  return {
    title: "Copy qm's Terraform module",
    text: `It comes with the package that package.json pins; where npm does not have qm ${deployment.release.resolved}, it is \`cli/templates/aws\` of qm's source. A copy that is there already stays.`,
    commands: [
      `test -e ${MODULE}/main.tf || { mkdir -p ${MODULE} && cp ${MODULE_SOURCE}/*.tf ${MODULE}/; }`,
      `test -e ${MODULE}/.gitignore || printf '%s\\n' .terraform/ '*.tfstate' '*.tfstate.*' '*.tfplan' crash.log > ${MODULE}/.gitignore`,
    ],
    changes: `\`${MODULE}/\`, which is yours from now on.`,
    check: { commands: [`ls ${MODULE}`], text: "shows main.tf, outputs.tf, variables.tf and versions.tf" },
    undo: { text: "delete the directory, while nothing was made with it." },
  };
}

/** A bucket for Terraform's state, which holds the database's password. */
export function stateStep(context: RenderContext): Step {
  const { deployment } = context;
  const config = aws(context);
  const { objectStoreBucket: _own, ...rest } = config;
  const bucket = `${objectStoreBucket({ ...deployment.config, aws: rest })?.value ?? "qm"}-tfstate`;
  const name = `--bucket ${shellWord(bucket)} ${region(context)}`;
  const place =
    config.region === FIRST_REGION
      ? ""
      : ` --create-bucket-configuration ${shellWord(`LocationConstraint=${config.region ?? ""}`)}`;
  return {
    title: "Keep Terraform's state in a bucket",
    text: "The state holds the database's password and what everything is called; without it Terraform finds nothing of what it made. New buckets are private and encrypted.",
    commands: [
      `aws s3api head-bucket ${name} || aws s3api create-bucket ${name}${place}`,
      `aws s3api put-bucket-versioning ${name} --versioning-configuration Status=Enabled`,
      `test -e ${MODULE}/backend.tf || cat > ${MODULE}/backend.tf <<'END'`,
      ...backendText(bucket, config.cluster ?? "qm", config.region ?? ""),
      "END",
    ],
    changes: `the bucket \`${bucket}\`, and \`${MODULE}/backend.tf\`.`,
    check: { commands: [`aws s3api get-bucket-versioning ${name}`], text: "says `Enabled`" },
    undo: { text: "empty and delete the bucket last of all, once Terraform has destroyed the rest." },
  };
}

function backendText(bucket: string, cluster: string, inRegion: string): readonly string[] {
  return [
    "terraform {",
    '  backend "s3" {',
    `    bucket       = ${JSON.stringify(bucket)}`,
    `    key          = ${JSON.stringify(`${cluster}/terraform.tfstate`)}`,
    `    region       = ${JSON.stringify(inRegion)}`,
    "    encrypt      = true",
    "    use_lockfile = true",
    "  }",
    "}",
  ];
}

/** What the module only looks up: an account has one, for all of its deployments. */
export function identityProviderStep(context: RenderContext): Step {
  const arn = `--open-id-connect-provider-arn ${shellWord(`arn:aws:iam::${aws(context).accountId ?? ""}:oidc-provider/${GITHUB_ISSUER}`)}`;
  const look = `aws iam get-open-id-connect-provider ${arn}`;
  return {
    title: "Let the account know GitHub's identity provider",
    text: "The module looks it up for the role that CI deploys with, and `apply` fails without it. An account has one for all repositories.",
    commands: [
      `${look} || aws iam create-open-id-connect-provider --url https://${GITHUB_ISSUER} --client-id-list sts.amazonaws.com`,
    ],
    changes: "an identity provider of the account; by itself it lets nobody in.",
    check: { commands: [look], text: "has `sts.amazonaws.com` in ClientIDList" },
    undo: {
      commands: [`aws iam delete-open-id-connect-provider ${arn}`],
      text: "only where nothing else in the account uses it",
    },
  };
}
