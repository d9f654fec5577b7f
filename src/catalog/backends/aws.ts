import type { Backend, BackendEnv, CoreEnvContext, SandboxField } from "./backend.ts";
import { alwaysRefused, backendName } from "./parts/common.ts";

const INSTEAD: { readonly [field in SandboxField]: string } = {
  app: "remove it: Lambda MicroVMs belong to no Fly app",
  image: "name the MicroVM image in `env.core.AWS_DEPLOY_IMAGE`; `qm infra build-image` builds it",
  baseImage: "remove it: the MicroVM image is built by `qm infra build-image`",
  env: "nothing delivers `sandbox.env` to a MicroVM; put what agents must know into a skill in `sandbox/skills`",
  secretEnv:
    "nothing delivers `sandbox.secretEnv` to a MicroVM; let agents sign in through a connector or a tool's `auth` in tool.json",
};

function microVmEnv(context: CoreEnvContext): BackendEnv[] {
  const { aws, coreEnv } = context;
  if (aws === null) return [];
  const fromEnv = (name: string): string | null =>
    Object.hasOwn(coreEnv, name) && coreEnv[name] !== "" ? (coreEnv[name] as string) : null;
  const image = fromEnv("AWS_DEPLOY_IMAGE");
  const version = fromEnv("AWS_DEPLOY_IMAGE_VERSION");
  const role = fromEnv("AWS_DEPLOY_EXEC_ROLE_ARN");
  const derivedRole = `arn:aws:iam::${aws.accountId}:role/${aws.cluster}-microvm-exec`;
  return [
    {
      name: "AWS_SANDBOX_EXEC_ROLE_ARN",
      value: role ?? derivedRole,
      from:
        role === null
          ? [
              ["aws", "accountId"],
              ["aws", "cluster"],
            ]
          : [["env", "core", "AWS_DEPLOY_EXEC_ROLE_ARN"]],
      how: "the role that MicroVMs run with",
    },
    ...(image === null
      ? []
      : [
          {
            name: "AWS_SANDBOX_IMAGE",
            value: image,
            from: [["env", "core", "AWS_DEPLOY_IMAGE"]],
            how: "the MicroVM image",
          },
        ]),
    {
      name: "AWS_SANDBOX_IMAGE_VERSION",
      value: version ?? "",
      from: [["env", "core", "AWS_DEPLOY_IMAGE_VERSION"]],
      how: "the version of the MicroVM image, blank for the newest",
    },
    { name: "AWS_SANDBOX_REGION", value: aws.region, from: [["aws", "region"]], how: "the region of the deployment" },
    {
      name: "AWS_SANDBOX_S3_BUCKET",
      value: aws.bucket,
      from: [["aws", "objectStoreBucket"]],
      how: "the deployment's object store",
    },
  ];
}

/** Lambda MicroVMs: what an aws deployment runs when it names nothing else. */
export const BACKEND: Backend = {
  name: "aws",
  title: "AWS Lambda MicroVMs",
  summary: "agents work in Lambda MicroVMs of your account; needs `env.core.AWS_DEPLOY_IMAGE`",
  proposedOn: [],
  fields: () => [],
  idleFields: () => [],
  insteadOfField: (field) => INSTEAD[field],
  sandboxEnvPrefix: null,
  secrets: [],
  settings: [],
  coreEnv: (context) => [...microVmEnv(context), ...backendName("aws", context)],
  remote: true,
  dockerSocket: false,
  layerImage: () => false,
  egressSetting: null,
  publish: alwaysRefused(
    "Lambda MicroVMs boot the image that `env.core.AWS_DEPLOY_IMAGE` names, which is not a container image",
    (release) =>
      `run \`npx @yc-software/qm@${release.version} infra build-image\`, and name what it built in \`env.core.AWS_DEPLOY_IMAGE\``,
  ),
};
