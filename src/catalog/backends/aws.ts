import type { ConfigPath } from "../../base/config-path.ts";
import { nameOf, type SettingKey } from "../settings/index.ts";
import type { Backend, BackendEnv, CoreEnvContext } from "./backend.ts";
import { alwaysRefused, insteadOfFields, PLAIN } from "./parts.ts";

function microVmEnv({ aws, coreEnv, release }: CoreEnvContext): BackendEnv[] {
  if (aws === null) return [];
  const written = (key: SettingKey): ConfigPath => ["env", "core", nameOf(release, key)];
  const image = coreEnv("core.awsDeployImage");
  const role = coreEnv("core.awsDeployRole");
  const derivedRole = `arn:aws:iam::${aws.accountId}:role/${aws.cluster}-microvm-exec`;
  const account: ConfigPath[] = [
    ["aws", "accountId"],
    ["aws", "cluster"],
  ];
  const entries: BackendEnv[] = [
    {
      name: "AWS_SANDBOX_EXEC_ROLE_ARN",
      value: role ?? derivedRole,
      from: role === null ? account : [written("core.awsDeployRole")],
      how: "the role that MicroVMs run with",
    },
    {
      name: "AWS_SANDBOX_IMAGE_VERSION",
      value: coreEnv("core.awsDeployImageVersion") ?? "",
      from: [written("core.awsDeployImageVersion")],
      how: "the version of the MicroVM image, blank for the newest",
    },
    { name: "AWS_SANDBOX_REGION", value: aws.region, from: [["aws", "region"]], how: "the region of the deployment" },
    {
      name: "AWS_SANDBOX_S3_BUCKET",
      value: aws.bucket(),
      from: [["aws", "objectStoreBucket"]],
      how: "the deployment's object store",
    },
  ];
  if (image === null) return entries;
  const from = [written("core.awsDeployImage")];
  return [...entries, { name: "AWS_SANDBOX_IMAGE", value: image, from, how: "the MicroVM image" }];
}

/** Lambda MicroVMs: what an aws deployment runs when it names nothing else. */
export const BACKEND: Backend = {
  ...PLAIN,
  name: "aws",
  title: "AWS Lambda MicroVMs",
  summary: "agents work in Lambda MicroVMs of your account; needs `env.core.AWS_DEPLOY_IMAGE`",
  insteadOfField: insteadOfFields("a MicroVM", {
    app: "remove it: Lambda MicroVMs belong to no Fly app",
    image: "name the MicroVM image in `env.core.AWS_DEPLOY_IMAGE`; `qm infra build-image` builds it",
    baseImage: "remove it: the MicroVM image is built by `qm infra build-image`",
  }),
  coreEnv: microVmEnv,
  publish: alwaysRefused(
    "Lambda MicroVMs boot the image that `env.core.AWS_DEPLOY_IMAGE` names, which is not a container image",
    (release) =>
      `run \`npx @yc-software/qm@${release.version} infra build-image\`, and name what it built in \`env.core.AWS_DEPLOY_IMAGE\``,
  ),
};
