import type { ConfigPath } from "../../base/config-path.ts";
import { nameOf, type SettingKey } from "../settings/index.ts";
import { number } from "../settings/readings.ts";
import type { Setting } from "../settings/setting.ts";
import { text } from "../settings/text.ts";
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

const BY_TARGET = { setBy: "the target on aws" };

const SETTINGS: readonly Setting[] = [
  text("AWS_SANDBOX_REGION", "Region of the MicroVMs", BY_TARGET),
  text("AWS_SANDBOX_IMAGE", "MicroVM image of the sandboxes", BY_TARGET),
  text("AWS_SANDBOX_IMAGE_VERSION", "Version of the MicroVM image, the newest where it is not set", BY_TARGET),
  text("AWS_SANDBOX_EXEC_ROLE_ARN", "Role that MicroVMs run with", BY_TARGET),
  text("AWS_SANDBOX_S3_BUCKET", "Bucket of the workspaces", BY_TARGET),
  text("AWS_SANDBOX_S3_PREFIX", "Start of the keys of workspaces"),
  text("AWS_SANDBOX_PROFILE", "Profile of AWS credentials for the MicroVMs"),
  text("AWS_SANDBOX_INGRESS_CONNECTORS", "Network connectors through which MicroVMs are reached"),
  text("AWS_SANDBOX_EGRESS_CONNECTORS", "Network connectors through which MicroVMs reach others"),
  number("AWS_SANDBOX_AGENT_PORT", "Port of the helper in a MicroVM"),
  number("AWS_SANDBOX_MAX_IDLE_SEC", "Seconds after which an idle MicroVM is suspended"),
  number("AWS_SANDBOX_SUSPENDED_SEC", "Seconds after which a suspended MicroVM is stopped"),
  number("AWS_SANDBOX_MAX_DURATION_SEC", "Seconds that a MicroVM lives at most"),
  number("AWS_SANDBOX_ROTATE_AFTER_SEC", "Seconds after which work moves to a new MicroVM"),
  number("AWS_SANDBOX_SNAPSHOT_INTERVAL_MS", "Milliseconds between two snapshots of a workspace"),
  number("AWS_SANDBOX_CPUS", "CPUs of each MicroVM"),
  number("AWS_SANDBOX_MEMORY_MB", "Memory of each MicroVM in MB"),
  number("AWS_SANDBOX_DISK_GB", "Disk of each MicroVM in GB"),
];

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
  settings: SETTINGS,
  coreEnv: microVmEnv,
  publish: alwaysRefused(
    "Lambda MicroVMs boot the image that `env.core.AWS_DEPLOY_IMAGE` names, which is not a container image",
    (release) =>
      `run \`npx @yc-software/qm@${release.version} infra build-image\`, and name what it built in \`env.core.AWS_DEPLOY_IMAGE\``,
  ),
};
