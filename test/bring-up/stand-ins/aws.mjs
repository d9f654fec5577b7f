// The aws command line: commands and flags as botocore's models have them.
import { Absent, fileText, must, VALUE } from "./answers.mjs";
import { asText, query } from "./query.mjs";

/** What the operator's console shows for an answer. */
function answer(value, { one }) {
  const found = one("--query") === undefined ? value : query(value, one("--query"));
  return one("--output") === "text" ? asText(found) : JSON.stringify(found);
}

function bucket(world, name) {
  if (world.aws.buckets[name] === undefined) throw new Absent(`Not Found: ${name}`);
  return world.aws.buckets[name];
}

function provider(world, arn) {
  if (!world.aws.providers.includes(arn)) throw new Absent(`NoSuchEntity: ${arn}`);
  return arn;
}

/** The object of `--cli-input-json file://…`. */
function inputJson({ one }) {
  const path = /^file:\/\/(.+)$/.exec(one("--cli-input-json") ?? "")?.[1];
  must(path !== undefined, "--cli-input-json is no file");
  return JSON.parse(fileText(path));
}

function register(world, call) {
  const task = inputJson(call);
  const cluster = Object.values(world.aws.clusters)[0];
  must(cluster?.services[task.family] !== undefined, `no family ${task.family}`);
  for (const { image, secrets } of task.containerDefinitions) {
    const [name, digest] = image.split("@");
    const repository = name.replace(/^[^/]+\//, "");
    must(world.aws.repositories[repository]?.includes(digest), `no image ${image}`);
    for (const { valueFrom } of secrets ?? []) {
      const secret = /:secret:(.+)$/.exec(valueFrom)?.[1];
      must(world.aws.secrets[secret] === "set", `the secret ${secret} has no value`);
    }
  }
  const revisions = (world.aws.families[task.family] ??= []);
  revisions.push(task);
  return answer({ taskDefinition: { taskDefinitionArn: `arn:${task.family}:${revisions.length}` } }, call);
}

function newest(world, family) {
  const task = world.aws.families[family]?.at(-1);
  must(task !== undefined, `no task definition ${family}`);
  return task;
}

function cluster(world, { one }) {
  const found = world.aws.clusters[one("--cluster")];
  must(found !== undefined, `ClusterNotFoundException: ${one("--cluster")}`);
  return found;
}

function services(world, call) {
  return call.flags["--services"].concat(call.args).map((name) => {
    const found = cluster(world, call).services[name];
    must(found !== undefined, `ServiceNotFoundException: ${name}`);
    return found;
  });
}

function update(world, call) {
  const service = cluster(world, call).services[call.one("--service")];
  must(service !== undefined, `ServiceNotFoundException: ${call.one("--service")}`);
  if (call.one("--task-definition") !== undefined) {
    newest(world, call.one("--task-definition"));
    service.taskDefinition = call.one("--task-definition");
  }
  if (call.one("--desired-count") !== undefined) service.desiredCount = Number(call.one("--desired-count"));
  const core = Object.values(cluster(world, call).services).find(({ workload }) => workload === "core");
  must(service.desiredCount === 0 || service === core || core.runningCount > 0, "core does not run yet");
  must(service.desiredCount === 0 || service.taskDefinition !== undefined, "runs what Terraform put there");
  return answer({ service }, call);
}

function stable(world, call) {
  for (const service of services(world, call)) service.runningCount = service.desiredCount;
}

function runTask(world, call) {
  cluster(world, call);
  newest(world, call.one("--task-definition"));
  must(JSON.parse(call.one("--network-configuration")).awsvpcConfiguration?.subnets?.length > 0, "no subnets");
  const [override] = JSON.parse(call.one("--overrides")).containerOverrides;
  must(override.name === "core" && override.command[1] === "src/migrate-main.ts", "no such container or command");
  world.aws.tasks["arn:task/1"] = "running";
  return answer({ tasks: [{ taskArn: "arn:task/1" }] }, call);
}

function task(world, { one }) {
  must(world.aws.tasks[one("--tasks")] !== undefined, `no task ${one("--tasks")}`);
  return world.aws.tasks[one("--tasks")];
}

function certificate(world, { one }) {
  must(world.aws.certificates[one("--certificate-arn")] !== undefined, `no certificate ${one("--certificate-arn")}`);
  return world.aws.certificates[one("--certificate-arn")];
}

const place = { "--cluster": VALUE };
const needs = (...names) => ["--region", ...names];

export const PROGRAM = {
  name: "aws",
  globals: { "--region": VALUE, "--query": VALUE, "--output": VALUE },
  commands: {
    "s3api head-bucket": {
      flags: { "--bucket": VALUE },
      needs: needs("--bucket"),
      run: (world, { one }) => void bucket(world, one("--bucket")),
    },
    "s3api create-bucket": {
      flags: { "--bucket": VALUE, "--create-bucket-configuration": VALUE },
      needs: needs("--bucket"),
      run(world, { one }) {
        must(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(one("--bucket")), `InvalidBucketName: ${one("--bucket")}`);
        const wanted = one("--region") === "us-east-1" ? undefined : `LocationConstraint=${one("--region")}`;
        must(one("--create-bucket-configuration") === wanted, "IllegalLocationConstraintException");
        world.aws.buckets[one("--bucket")] = {};
      },
    },
    "s3api put-bucket-versioning": {
      flags: { "--bucket": VALUE, "--versioning-configuration": VALUE },
      needs: needs("--bucket", "--versioning-configuration"),
      run(world, { one }) {
        must(one("--versioning-configuration") === "Status=Enabled", "MalformedXML");
        bucket(world, one("--bucket")).versioned = true;
      },
    },
    "s3api get-bucket-versioning": {
      flags: { "--bucket": VALUE },
      needs: needs("--bucket"),
      run: (world, { one }) => JSON.stringify({ Status: bucket(world, one("--bucket")).versioned ? "Enabled" : null }),
    },
    "iam get-open-id-connect-provider": {
      flags: { "--open-id-connect-provider-arn": VALUE },
      needs: ["--open-id-connect-provider-arn"],
      run: (world, { one }) => provider(world, one("--open-id-connect-provider-arn")),
    },
    "iam create-open-id-connect-provider": {
      flags: { "--url": VALUE, "--client-id-list": VALUE },
      needs: ["--url", "--client-id-list"],
      run(world, { one }) {
        const host = one("--url").replace("https://", "");
        world.aws.providers.push(`arn:aws:iam::${world.aws.account}:oidc-provider/${host}`);
      },
    },
    "iam delete-open-id-connect-provider": {
      flags: { "--open-id-connect-provider-arn": VALUE },
      needs: ["--open-id-connect-provider-arn"],
      run(world, { one }) {
        provider(world, one("--open-id-connect-provider-arn"));
        world.aws.providers = [];
      },
    },
    "acm request-certificate": {
      flags: {
        "--domain-name": VALUE,
        "--subject-alternative-names": VALUE,
        "--validation-method": VALUE,
        "--idempotency-token": VALUE,
      },
      needs: needs("--domain-name"),
      run(world, call) {
        must(call.one("--validation-method") === "DNS", "would send mails");
        const CertificateArn = `arn:aws:acm:${call.one("--region")}:${world.aws.account}:certificate/1a2b-3c`;
        world.aws.certificates[CertificateArn] = {
          Status: "PENDING_VALIDATION",
          host: call.one("--domain-name"),
          others: call.flags["--subject-alternative-names"] ?? [],
        };
        return answer({ CertificateArn }, call);
      },
    },
    "acm describe-certificate": {
      flags: { "--certificate-arn": VALUE },
      needs: needs("--certificate-arn"),
      run(world, call) {
        const { Status } = certificate(world, call);
        const ResourceRecord = { Name: "_x.", Type: "CNAME", Value: "_y.acm-validations.aws." };
        return answer({ Certificate: { Status, DomainValidationOptions: [{ ResourceRecord }] } }, call);
      },
    },
    "acm wait certificate-validated": {
      flags: { "--certificate-arn": VALUE },
      needs: needs("--certificate-arn"),
      run: (world, call) => void (certificate(world, call).Status = "ISSUED"),
    },
    "acm delete-certificate": {
      flags: { "--certificate-arn": VALUE },
      needs: needs("--certificate-arn"),
      run(world, call) {
        certificate(world, call);
        must(Object.keys(world.aws.clusters).length === 0, "ResourceInUseException");
        world.aws.certificates = {};
      },
    },
    "secretsmanager put-secret-value": {
      flags: { "--cli-input-json": VALUE },
      needs: needs("--cli-input-json"),
      run(world, call) {
        const { SecretId, SecretString } = inputJson(call);
        must(world.aws.secrets[SecretId] !== undefined, `ResourceNotFoundException: ${SecretId}`);
        must(typeof SecretString === "string" && SecretString !== "", "no value");
        world.aws.secrets[SecretId] = "set";
        return answer({ Name: SecretId }, call);
      },
    },
    "ecr get-login-password": { needs: needs(), run: (world) => world.aws.password },
    "ecr describe-images": {
      flags: { "--repository-name": VALUE, "--image-ids": VALUE },
      needs: needs("--repository-name", "--image-ids"),
      run(world, call) {
        const imageDigest = call.one("--image-ids").replace("imageDigest=", "");
        const found = world.aws.repositories[call.one("--repository-name")]?.includes(imageDigest);
        must(found, `ImageNotFoundException: ${imageDigest}`);
        return answer({ imageDetails: [{ imageDigest }] }, call);
      },
    },
    "ecs register-task-definition": {
      flags: { "--cli-input-json": VALUE },
      needs: needs("--cli-input-json"),
      run: register,
    },
    "ecs describe-task-definition": {
      flags: { "--task-definition": VALUE },
      needs: needs("--task-definition"),
      run: (world, call) => answer({ taskDefinition: newest(world, call.one("--task-definition")) }, call),
    },
    "ecs describe-services": {
      flags: { ...place, "--services": VALUE },
      args: [0, 99],
      needs: needs("--cluster", "--services"),
      run: (world, call) => answer({ services: services(world, call) }, call),
    },
    "ecs update-service": {
      flags: { ...place, "--service": VALUE, "--task-definition": VALUE, "--desired-count": VALUE },
      needs: needs("--cluster", "--service"),
      run: update,
    },
    "ecs wait services-stable": {
      flags: { ...place, "--services": VALUE },
      args: [0, 99],
      needs: needs("--cluster", "--services"),
      run: stable,
    },
    "ecs run-task": {
      flags: {
        ...place,
        "--task-definition": VALUE,
        "--launch-type": VALUE,
        "--network-configuration": VALUE,
        "--overrides": VALUE,
        "--started-by": VALUE,
      },
      needs: needs("--cluster", "--task-definition", "--network-configuration", "--overrides"),
      run: runTask,
    },
    "ecs wait tasks-stopped": {
      flags: { ...place, "--tasks": VALUE },
      needs: needs("--cluster", "--tasks"),
      run: (world, call) => void (task(world, call), (world.aws.tasks[call.one("--tasks")] = "stopped")),
    },
    "ecs describe-tasks": {
      flags: { ...place, "--tasks": VALUE },
      needs: needs("--cluster", "--tasks"),
      run(world, call) {
        must(task(world, call) === "stopped", "still runs");
        return answer({ tasks: [{ containers: [{ exitCode: 0 }] }] }, call);
      },
    },
  },
};
