import { describe, expect, test } from "vitest";
import { type Answers, changed, DEPLOYMENTS, driftOf, type RenderedDeployment, told } from "./rig.ts";

/** What platforms may say otherwise without anything being other. */
const NOISE: { readonly [deployment: string]: { readonly [what: string]: (answers: Answers) => void } } = {
  "docker-boxd": {
    "lists in another order": ({ containers, images }) => {
      containers.reverse();
      images.reverse();
      for (const { Config, Mounts, NetworkSettings } of containers) {
        Config.Env.reverse();
        Mounts.reverse();
        NetworkSettings.Networks["qm-acme_default"].Aliases.reverse();
      }
    },
    "a volume that the image calls for": ({ containers }) => {
      containers[1].Mounts.push({
        Type: "volume",
        Name: "ab".repeat(32),
        Source: "/x",
        Destination: "/cache",
        RW: true,
      });
    },
    "Docker Hub written out": ({ containers }) => {
      containers[0].Config.Image = "docker.io/library/postgres:16";
    },
    "an image that is gone from the host": (answers) => {
      answers.images = [];
    },
    "an image that is kept by the digest of its manifest": ({ containers, images }) => {
      containers[1].Config.Image = "ghcr.io/acme/qm-core:stable";
      containers[1].Image = images[1].Id = `sha256:${"1".repeat(64)}`;
    },
    "a container that is not well": ({ containers }) => {
      containers[1].State.Health.Status = "unhealthy";
      containers[1].RestartCount = 4;
    },
    "a container of `docker compose run`": ({ containers }) => {
      const once = structuredClone(containers[1]);
      once.Name = "/qm-acme-core-run-1";
      once.Config.Labels["com.docker.compose.oneoff"] = "True";
      containers.push(once);
    },
    "what was stopped and is no longer rendered": ({ containers }) => {
      const old = structuredClone(containers[1]);
      old.Name = "/qm-acme-auth";
      old.Config.Labels["com.docker.compose.service"] = "auth";
      old.State = { Status: "exited", Running: false };
      containers.push(old);
    },
    "a container that core made for an agent": ({ containers }) => {
      const agent = structuredClone(containers[1]);
      agent.Name = "/qm-sandbox-1";
      agent.Config.Labels = { "qm.org": "acme" };
      containers.push(agent);
    },
    "an optional secret": ({ containers }) => {
      containers[1].Config.Env.push("OPENROUTER_API_KEY=sk-or-anything");
    },
    "a variable that the image sets": ({ containers, images }) => {
      images[1].Config.Env.push("YARN_VERSION=1.22");
      containers[1].Config.Env.push("YARN_VERSION=1.22");
    },
  },
  "fly-boxd": {
    "lists in another order": ({ apps, details }) => {
      apps.reverse();
      for (const app of Object.values(details) as Answers[]) app.secrets.reverse();
    },
    "durations in seconds, and methods in capitals": ({ details }) => {
      const { stop_config: stop, checks } = details["acme-core"].machines[0].config;
      stop.timeout = "300s";
      checks.health.method = "GET";
    },
    "auto stop as a word": ({ details }) => {
      details["acme-web-ui"].machines[0].config.services[0].autostop = "stop";
      details["acme-portal"].machines[0].config.services[0].autostop = "off";
    },
    "a machine that stopped as nobody asked": ({ details }) => {
      details["acme-web-ui"].machines[0].state = "suspended";
    },
    "a machine of a release command, one that is gone, and one that stands by": ({ details }) => {
      const { machines } = details["acme-core"];
      const [release, gone, standby] = [0, 1, 2].map(() => structuredClone(machines[0]));
      release.config = { metadata: { fly_process_group: "fly_app_release_command" }, image: "other" };
      gone.state = "destroyed";
      gone.config.image = "other";
      standby.state = "stopped";
      standby.config.standbys = ["3d8d9014a32789"];
      machines.push(release, gone, standby);
    },
    "a second machine that is alike": ({ details }) => {
      const { machines } = details["acme-core"];
      machines.push({ ...structuredClone(machines[0]), id: "5e8d9014a32790" });
    },
    "an image that was pulled by a tag": ({ details }) => {
      const [machine] = details["acme-core"].machines;
      machine.config.image = "docker-hub-mirror.fly.io/acme/qm-core:stable";
      machine.image_ref.tag = "stable";
    },
    "secrets as they were printed before they had a status": ({ details }) => {
      for (const app of Object.values(details) as Answers[])
        app.secrets = app.secrets.map(({ name, digest }: Answers) => ({ Name: name, Digest: digest }));
    },
    "an app that agents made, and the one they live in": ({ apps }) => {
      apps.push({ Name: "acme-d-blog" }, { Name: "acme-sandboxes" }, { Name: "other-core" });
    },
    "no configuration of the last release": ({ details }) => {
      details["acme-core"].config = null;
    },
  },
  "aws-boxd": {
    "lists in another order": ({ listServices, describeServices, describeTaskDefinition }) => {
      listServices.serviceArns.reverse();
      describeServices.services.reverse();
      describeTaskDefinition.reverse();
      for (const { taskDefinition } of describeTaskDefinition) {
        taskDefinition.containerDefinitions[0].environment.reverse();
        taskDefinition.containerDefinitions[0].secrets.reverse();
      }
    },
    "sizes as words, and defaults left out": ({ describeTaskDefinition }) => {
      const [{ taskDefinition }] = describeTaskDefinition;
      Object.assign(taskDefinition, { cpu: "2 vCPU", memory: "4GB" });
      const [container] = taskDefinition.containerDefinitions;
      delete container.essential;
      delete container.portMappings[0].hostPort;
      delete container.portMappings[0].protocol;
    },
    "more tasks than one, and a rollout": ({ describeServices }) => {
      const [service] = describeServices.services;
      Object.assign(service, { desiredCount: 3, runningCount: 2 });
      service.deployments.push({ ...service.deployments[0], status: "ACTIVE", taskDefinition: "older" });
    },
    "another service that has no tasks": ({ listServices, describeServices }) => {
      listServices.serviceArns.push("arn:aws:ecs:us-west-2:210987654321:service/acme-qm/acme-auth");
      describeServices.services.push({ serviceName: "acme-auth", status: "ACTIVE", desiredCount: 0 });
    },
  },
};

describe.each(Object.entries(NOISE))("%s", (name, all) => {
  const deployment = (DEPLOYMENTS[name] as () => RenderedDeployment)();
  test.each(Object.entries(all))("%s is no drift", async (_, change) => {
    expect(told(await driftOf(deployment, changed(deployment, change)))).toEqual([]);
  });
});
