import { describe, expect, test } from "vitest";
import { type Answers, changed, DEPLOYMENTS, driftOf, type RenderedDeployment } from "./rig.ts";

interface Case {
  readonly change: (answers: Answers) => void;
  /** Each finding with its commands, as people read them. */
  readonly says: readonly string[];
}

const FOUND: { readonly [deployment: string]: { readonly [what: string]: Case } } = {
  "docker-boxd": {
    "nothing runs": {
      change: (answers) => (answers.containers = []),
      says: [
        "pg: does not run: nothing of it is there",
        "  docker compose -f rendered/docker/compose.yaml up --detach --wait",
        "core: does not run: nothing of it is there",
        "  docker compose -f rendered/docker/compose.yaml up --detach --wait",
        "web-ui: does not run: nothing of it is there",
        "  docker compose -f rendered/docker/compose.yaml up --detach --wait",
      ],
    },
    "a container that is gone": {
      change: ({ containers }) => containers.splice(2, 1),
      says: [
        "web-ui: does not run: nothing of it is there",
        "  docker compose -f rendered/docker/compose.yaml up --detach --wait",
      ],
    },
    "a container that stopped": {
      change: ({ containers }) => (containers[1].State = { Status: "exited", Running: false, ExitCode: 1 }),
      says: ["core: does not run: it is exited", "  docker compose -f rendered/docker/compose.yaml up --detach --wait"],
    },
    "a container that is started over and over": {
      change: ({ containers }) => Object.assign(containers[1].State, { Status: "restarting", Restarting: true }),
      says: [
        "core: does not run: it is restarting",
        "  docker compose -f rendered/docker/compose.yaml up --detach --wait",
      ],
    },
    "a service that is no longer rendered": {
      change({ containers }) {
        const old = structuredClone(containers[2]);
        old.Name = "/qm-acme-auth";
        old.Config.Labels["com.docker.compose.service"] = "auth";
        containers.push(old);
      },
      says: [
        "qm-acme-auth: container qm-acme-auth runs, and nothing rendered names it",
        "  docker compose -f rendered/docker/compose.yaml up --detach --wait --remove-orphans",
      ],
    },
    "containers that `qm up` made": {
      change({ containers }) {
        const { Config, NetworkSettings } = containers[2];
        Config.Labels = { "qm.org": "acme" };
        NetworkSettings.Networks = { "qm-acme": NetworkSettings.Networks["qm-acme_default"] };
      },
      says: [
        "web-ui: `compose project` is `none`; rendered is `qm-acme`",
        "  npx --no qm down --config rendered/docker/qm/qm.config.jsonc --env-file .env --sandbox-dir sandbox",
        "  docker compose -f rendered/docker/compose.yaml up --detach --wait",
      ],
    },
    "a variable by hand, whose value is not shown": {
      change: ({ containers }) => containers[1].Config.Env.push("EXTRA=sk-live-0123456789abcdefghijklmnop"),
      says: [
        "core: `EXTRA` is set, and nothing rendered sets it",
        "  docker compose -f rendered/docker/compose.yaml up --detach --wait",
      ],
    },
    "a secret that is not there, and one that is blank": {
      change({ containers }) {
        containers[1].Config.Env = containers[1].Config.Env.map((one: string) =>
          one.startsWith("BOXD_API_KEY=") ? "BOXD_API_KEY=" : one,
        ).filter((one: string) => !one.startsWith("DATABASE_URL="));
      },
      says: [
        "core: the secret `BOXD_API_KEY` is not there",
        "  qm-deploy secrets set BOXD_API_KEY",
        "  qm-deploy render --secrets",
        "  docker compose -f rendered/docker/compose.yaml up --detach --wait",
        "core: the secret `DATABASE_URL` is not there",
        "  qm-deploy secrets set POSTGRES_PASSWORD",
        "  qm-deploy render --secrets",
        "  docker compose -f rendered/docker/compose.yaml up --detach --wait",
      ],
    },
    "limits by `docker update`": {
      change: ({ containers }) => Object.assign(containers[1].HostConfig, { Memory: 536_870_912, NanoCpus: 5e8 }),
      says: [
        "core: `cpus` is `0.5`; rendered is `no limit`",
        "  docker compose -f rendered/docker/compose.yaml up --detach --wait --force-recreate core",
        "core: `memory` is `512 MiB`; rendered is `no limit`",
        "  docker compose -f rendered/docker/compose.yaml up --detach --wait --force-recreate core",
      ],
    },
    "a container with more rights than it is given": {
      change({ containers }) {
        containers[1].HostConfig.Privileged = true;
        containers[1].Config.User = "0:0";
      },
      says: [
        "core: `user` is `0:0`, and nothing rendered says so",
        "  docker compose -f rendered/docker/compose.yaml up --detach --wait",
        "core: `privileged` is `true`, and nothing rendered says so",
        "  docker compose -f rendered/docker/compose.yaml up --detach --wait",
      ],
    },
    "a port on every address": {
      change: ({ containers }) => (containers[1].HostConfig.PortBindings["8080/tcp"][0].HostIp = ""),
      says: [
        "core: publishes `0.0.0.0:8080->8080/tcp`; rendered is `127.0.0.1:8080->8080/tcp`",
        "  docker compose -f rendered/docker/compose.yaml up --detach --wait",
      ],
    },
  },
  "fly-boxd": {
    "an app that is not there": {
      change({ apps, details }) {
        apps.splice(2, 1);
        delete details["acme-admin"];
      },
      says: [
        "admin: does not run: nothing of it is there",
        "  fly apps create acme-admin --org acme-inc",
        "  fly secrets set --stage --app acme-admin QM_OWNER_8E0D4C7CE90F6863=1",
        "  qm-deploy render --secrets",
        "  fly secrets import --stage --app acme-admin < rendered/fly/admin.secrets.fly",
        "  fly deploy --config rendered/fly/admin.fly.toml --app acme-admin --ha=false",
      ],
    },
    "an app that was not deployed": {
      change: ({ details }) => (details["acme-admin"].machines = []),
      says: [
        "admin: does not run: its place is there, with nothing in it",
        "  fly secrets set --stage --app acme-admin QM_OWNER_8E0D4C7CE90F6863=1",
        "  qm-deploy render --secrets",
        "  fly secrets import --stage --app acme-admin < rendered/fly/admin.secrets.fly",
        "  fly deploy --config rendered/fly/admin.fly.toml --app acme-admin --ha=false",
      ],
    },
    "a machine that stopped": {
      change: ({ details }) => (details["acme-core"].machines[0].state = "stopped"),
      says: ["core: does not run: it is stopped", "  fly machine start 3d8d9014a32789 --app acme-core"],
    },
    "one of two machines that was changed": {
      change({ details }) {
        const { machines } = details["acme-core"];
        const other = { ...structuredClone(machines[0]), id: "5e8d9014a32790" };
        other.config.guest.memory_mb = 4096;
        machines.push(other);
      },
      says: [
        "core: `memory` is `4096 MB`; rendered is `2048 MB` (machine 5e8d9014a32790)",
        "  fly deploy --config rendered/fly/core.fly.toml --app acme-core --ha=false",
      ],
    },
    "a secret that is staged, one that is gone, one too many": {
      change({ details }) {
        const { secrets } = details["acme-core"];
        secrets.find((one: Answers) => one.name === "BOXD_API_KEY").status = "Staged";
        secrets.splice(
          secrets.findIndex((one: Answers) => one.name === "ANTHROPIC_API_KEY"),
          1,
        );
        secrets.splice(
          secrets.findIndex((one: Answers) => one.name === "DATABASE_URL"),
          1,
        );
        secrets.push({ name: "OLD_KEY", digest: "00", status: "Deployed" });
      },
      says: [
        "core: the secret `ANTHROPIC_API_KEY` is not there",
        "  qm-deploy secrets set ANTHROPIC_API_KEY",
        "  qm-deploy render --secrets",
        "  fly secrets import --stage --app acme-core < rendered/fly/core.secrets.fly",
        "  fly deploy --config rendered/fly/core.fly.toml --app acme-core --ha=false",
        "core: the secret `BOXD_API_KEY` is stored and not in force yet",
        "  fly secrets deploy --app acme-core",
        "core: the secret `DATABASE_URL` is not there",
        "  qm-deploy explain DATABASE_URL",
        "core: the secret `OLD_KEY` is there, and nothing rendered names it",
        "  fly secrets unset --app acme-core OLD_KEY",
      ],
    },
    "a secret that wins over a rendered value": {
      change: ({ details }) => details["acme-core"].secrets.push({ name: "HARNESS", digest: "00", status: "Deployed" }),
      says: [
        "core: a secret of the name `HARNESS` is there, and wins over the rendered value",
        "  fly secrets unset --app acme-core HARNESS",
      ],
    },
    "a secret in the environment of a machine": {
      change({ details }) {
        const app = details["acme-core"];
        app.secrets = app.secrets.filter((one: Answers) => one.name !== "BOXD_API_KEY");
        app.machines[0].config.env.BOXD_API_KEY = "bxk_live_0123456789abcdef";
      },
      says: [
        "core: `BOXD_API_KEY` is a plain entry of its environment, and is to come as a secret",
        "  qm-deploy secrets set BOXD_API_KEY",
        "  qm-deploy render --secrets",
        "  fly secrets import --stage --app acme-core < rendered/fly/core.secrets.fly",
        "  fly deploy --config rendered/fly/core.fly.toml --app acme-core --ha=false",
      ],
    },
    "a machine in another region": {
      change: ({ details }) => (details["acme-core"].machines[0].region = "iad"),
      says: [
        "core: `primary_region` is `iad`; rendered is `sjc`",
        "  fly deploy --config rendered/fly/core.fly.toml --app acme-core --ha=false",
        "  fly scale count 1 --app acme-core --region sjc",
        "  fly scale count 0 --app acme-core --region iad",
      ],
    },
    "a volume, and a command": {
      change({ details }) {
        const { config } = details["acme-core"].machines[0];
        config.mounts = [{ path: "/data", name: "coredata", volume: "vol_1", size_gb: 3 }];
        config.init = { cmd: ["sleep", "inf"] };
      },
      says: [
        "core: `volume coredata` is mounted at `/data`, and nothing rendered mounts it",
        "  fly machine destroy --force 3d8d9014a32789 --app acme-core",
        "  fly deploy --config rendered/fly/core.fly.toml --app acme-core --ha=false",
        "core: `command` is `sleep inf`, and nothing rendered says so",
        "  fly deploy --config rendered/fly/core.fly.toml --app acme-core --ha=false",
      ],
    },
    "apps of services that are not rendered": {
      change: ({ apps }) => apps.push({ Name: "acme-web-ui-2" }),
      says: [],
    },
  },
  "fly under 0.1.12 with a plugin": {
    "the broker's app from before": {
      change: ({ apps }) => apps.push({ Name: "acme-auth" }),
      says: ["acme-auth: app acme-auth runs, and nothing rendered names it", "  fly apps destroy acme-auth"],
    },
  },
  "aws-boxd": {
    "no service": {
      change(answers) {
        answers.describeServices.services.splice(0, 1);
        answers.listServices.serviceArns.splice(0, 1);
      },
      says: [
        "core: does not run: nothing of it is there",
        "  terraform -chdir=infra apply -var-file=../rendered/aws/terraform.tfvars",
        "  aws ecr get-login-password --region us-west-2 | docker login --username AWS --password-stdin 210987654321.dkr.ecr.us-west-2.amazonaws.com",
        "  aws ecs register-task-definition --region us-west-2 --cli-input-json file://rendered/aws/core.task-definition.json --query taskDefinition.taskDefinitionArn --output text",
        "  NETWORK=\"$(aws ecs describe-services --region us-west-2 --cluster acme-qm --services acme-core --query 'services[0].networkConfiguration' --output json)\"",
        '  TASK="$(aws ecs run-task --region us-west-2 --cluster acme-qm --task-definition acme-core --launch-type FARGATE --network-configuration "$NETWORK" --overrides \'{"containerOverrides":[{"name":"core","command":["node","src/migrate-main.ts"]}]}\' --started-by qm-deploy --query \'tasks[0].taskArn\' --output text)"',
        '  aws ecs wait tasks-stopped --region us-west-2 --cluster acme-qm --tasks "$TASK"',
        "  aws ecs update-service --region us-west-2 --cluster acme-qm --service acme-core --task-definition acme-core --desired-count 1 --query service.serviceName --output text",
        "  aws ecs wait services-stable --region us-west-2 --cluster acme-qm --services acme-core",
      ],
    },
    "a service with no tasks": {
      change: ({ describeServices }) => (describeServices.services[0].desiredCount = 0),
      says: [
        "core: does not run: it is set to no tasks",
        "  aws ecs register-task-definition --region us-west-2 --cli-input-json file://rendered/aws/core.task-definition.json --query taskDefinition.taskDefinitionArn --output text",
        "  aws ecs update-service --region us-west-2 --cluster acme-qm --service acme-core --task-definition acme-core --desired-count 1 --query service.serviceName --output text",
        "  aws ecs wait services-stable --region us-west-2 --cluster acme-qm --services acme-core",
      ],
    },
    "a service whose tasks do not start": {
      change: ({ describeServices }) => (describeServices.services[0].runningCount = 0),
      says: [
        "core: does not run: it is without a running task",
        "  aws ecs register-task-definition --region us-west-2 --cli-input-json file://rendered/aws/core.task-definition.json --query taskDefinition.taskDefinitionArn --output text",
        "  aws ecs update-service --region us-west-2 --cluster acme-qm --service acme-core --task-definition acme-core --desired-count 1 --query service.serviceName --output text",
        "  aws ecs wait services-stable --region us-west-2 --cluster acme-qm --services acme-core",
      ],
    },
    "a service that is not declared": {
      change({ listServices, describeServices }) {
        listServices.serviceArns.push("arn:aws:ecs:us-west-2:210987654321:service/acme-qm/acme-auth");
        describeServices.services.push({
          serviceName: "acme-auth",
          status: "ACTIVE",
          desiredCount: 1,
          runningCount: 1,
        });
      },
      says: [
        "acme-auth: service acme-auth runs, and nothing rendered names it",
        "  aws ecs update-service --region us-west-2 --cluster acme-qm --service acme-auth --desired-count 0 --query service.serviceName --output text",
      ],
    },
    "a sidecar, and a mount": {
      change({ describeTaskDefinition }) {
        const { taskDefinition } = describeTaskDefinition[0];
        taskDefinition.containerDefinitions.push({ name: "agent", image: "datadog/agent" });
        taskDefinition.containerDefinitions[0].mountPoints = [{ sourceVolume: "data", containerPath: "/data" }];
        taskDefinition.volumes = [{ name: "data", efsVolumeConfiguration: { fileSystemId: "fs-1" } }];
      },
      says: [
        "core: `volume fs-1` is mounted at `/data`, and nothing rendered mounts it",
        "  aws ecs register-task-definition --region us-west-2 --cli-input-json file://rendered/aws/core.task-definition.json --query taskDefinition.taskDefinitionArn --output text",
        "  aws ecs update-service --region us-west-2 --cluster acme-qm --service acme-core --task-definition acme-core --query service.serviceName --output text",
        "  aws ecs wait services-stable --region us-west-2 --cluster acme-qm --services acme-core",
        "core: `containers` is `core, agent`; rendered is `core`",
        "  aws ecs register-task-definition --region us-west-2 --cli-input-json file://rendered/aws/core.task-definition.json --query taskDefinition.taskDefinitionArn --output text",
        "  aws ecs update-service --region us-west-2 --cluster acme-qm --service acme-core --task-definition acme-core --query service.serviceName --output text",
        "  aws ecs wait services-stable --region us-west-2 --cluster acme-qm --services acme-core",
      ],
    },
    "a secret that stands in the environment": {
      change({ describeTaskDefinition }) {
        const [container] = describeTaskDefinition[0].taskDefinition.containerDefinitions;
        container.secrets = container.secrets.filter((one: Answers) => one.name !== "BOXD_API_KEY");
        container.environment.push({ name: "BOXD_API_KEY", value: "bxk_live_0123456789abcdef" });
      },
      says: [
        "core: `BOXD_API_KEY` is a plain entry of its environment, and is to come as a secret",
        "  terraform -chdir=infra apply -var-file=../rendered/aws/terraform.tfvars",
        "  qm-deploy secrets set BOXD_API_KEY",
        "  qm-deploy render --secrets",
        '  for file in rendered/aws/secrets/*.secrets.json; do aws secretsmanager put-secret-value --region us-west-2 --cli-input-json "file://$file" --query Name --output text || break; done',
        "  aws ecs register-task-definition --region us-west-2 --cli-input-json file://rendered/aws/core.task-definition.json --query taskDefinition.taskDefinitionArn --output text",
        "  aws ecs update-service --region us-west-2 --cluster acme-qm --service acme-core --task-definition acme-core --query service.serviceName --output text",
        "  aws ecs wait services-stable --region us-west-2 --cluster acme-qm --services acme-core",
      ],
    },
  },
  "aws with a number of tasks": {
    "a service with fewer tasks than the config says": {
      change: ({ describeServices }) =>
        (describeServices.services.find((one: Answers) => one.serviceName === "acme-web-ui").desiredCount = 1),
      says: [
        "web-ui: `desiredCount` is `1`; rendered is `2`",
        "  aws ecs register-task-definition --region us-west-2 --cli-input-json file://rendered/aws/web-ui.task-definition.json --query taskDefinition.taskDefinitionArn --output text",
        "  aws ecs update-service --region us-west-2 --cluster acme-qm --service acme-web-ui --task-definition acme-web-ui --desired-count 2 --query service.serviceName --output text",
        "  aws ecs wait services-stable --region us-west-2 --cluster acme-qm --services acme-web-ui",
      ],
    },
  },
};

describe.each(Object.entries(FOUND))("%s", (name, all) => {
  const deployment = (DEPLOYMENTS[name] as () => RenderedDeployment)();
  test.each(Object.entries(all))("%s", async (_, { change, says }) => {
    const found = await driftOf(deployment, changed(deployment, change));
    const told = found.flatMap(({ workload, message, commands }) => [
      `${workload}: ${message.text}`,
      ...commands.map((command) => `  ${command}`),
    ]);
    expect(told).toEqual(says);
  });
});
