import type { ServiceName } from "../../config/written-config.ts";
import type { Answers } from "../answers.ts";
import type { ResourceNames } from "../resource-names.ts";
import { block, type Member, member } from "./members.ts";

/** No account has this number, so that nothing is deployed before it is changed; `check` says so. */
const NO_ACCOUNT = "000000000000";

/** `aws`: the names of what qm's Terraform module makes in the account. */
export function awsMembers(
  { awsAccount, release, org }: Answers,
  services: readonly ServiceName[],
  names: ResourceNames,
): readonly Member[] {
  const account = awsAccount ?? NO_ACCOUNT;
  const hosts = [...new Set(services.map((service) => release.host[service]))];
  const size = (host: string) => (host === "core" ? { cpu: 2048, memory: 4096 } : { cpu: 512, memory: 1024 });
  return [
    block(
      "aws",
      [
        member("accountId", account, "The 12 digits that `aws sts get-caller-identity --query Account` prints."),
        member("region", "us-west-2"),
        member("cluster", names.cluster),
        member(
          "deployRoleArn",
          `arn:aws:iam::${account}:role/${names.cluster}-deploy`,
          "The role that CI deploys with; in the same account.",
        ),
        member("secretsPrefix", `${names.cluster}/`, "Names of the secrets in Secrets Manager begin with it."),
        member("imageLabel", "stable"),
        member(
          "networking",
          { cloudMapNamespace: `${names.cluster}.internal` },
          "Where services find each other inside the network.",
        ),
        member("alb", names.alb),
        member("rdsInstance", names.database),
        block(
          "services",
          hosts.map((host) =>
            member(host, {
              ecrRepository: `${names.cluster}/${host}`,
              ecsService: `${names.cluster}-${host}`,
              ...size(host),
              architecture: "arm64",
            }),
          ),
          "cpu is in units of 1/1024 vCPU, memory in MiB; Fargate offers certain pairs, which check knows.",
        ),
      ],
      `Names of what qm's Terraform module makes for ${org}. The tfvars that render writes give them to it.`,
    ),
  ];
}
