import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { programAsker } from "../../src/live/ask.ts";
import { findDrift } from "../../src/live/findings.ts";
import { type Described, FakeDockerDaemon, hasDockerClient } from "../support/fake-docker-daemon/index.ts";
import { type Answers, changed, deployed, DEPLOYMENTS, type RenderedDeployment, told } from "./rig.ts";

const HAS_CLIENT = hasDockerClient();

describe.skipIf(!HAS_CLIENT)(`through the real docker client${HAS_CLIENT ? "" : " (skipped: there is none)"}`, () => {
  const deployment = (DEPLOYMENTS["docker-boxd"] as () => RenderedDeployment)();
  let daemon: FakeDockerDaemon;
  beforeAll(async () => void (daemon = await FakeDockerDaemon.start()));
  afterAll(() => daemon.stop());

  async function drift(answers: Answers): Promise<string[]> {
    daemon.containers = answers.containers as Described[];
    daemon.images = answers.images as Described[];
    const env = { PATH: process.env["PATH"], DOCKER_HOST: daemon.host };
    const signal = new AbortController().signal;
    const ask = programAsker({ cwd: "/", env, signal, mask: (text) => text });
    return told(await findDrift(deployment, { ask }, true));
  }

  test("a deployment that runs as it is rendered", async () => {
    expect(await drift(deployed(deployment))).toEqual([]);
  });

  test("what differs, and what is nobody's", async () => {
    const answers = changed(deployment, ({ containers }) => {
      const other = structuredClone(containers[1]);
      Object.assign(other, { Id: "e".repeat(64), Name: "/other-core" });
      other.Config.Labels = { "com.docker.compose.project": "other", "com.docker.compose.service": "core" };
      const old = structuredClone(containers[1]);
      Object.assign(old, { Id: "f".repeat(64), Name: "/qm-acme-auth" });
      old.Config.Labels["com.docker.compose.service"] = "auth";
      containers[2].HostConfig.RestartPolicy.Name = "no";
      containers.push(other, old);
    });
    expect(await drift(answers)).toEqual([
      "web-ui: `restart` is `no`; rendered is `unless-stopped`",
      "qm-acme-auth: container qm-acme-auth runs, and nothing rendered names it",
    ]);
  });

  test("an image that is gone leaves the others", async () => {
    const answers = changed(deployment, ({ images }) => images.pop());
    expect(await drift(answers)).toEqual([]);
  });

  test("nothing at all", async () => {
    expect(await drift({ containers: [], images: [] })).toHaveLength(3);
  });

  test("no daemon", async () => {
    const env = { PATH: process.env["PATH"], DOCKER_HOST: "unix:///nowhere/docker.sock" };
    const ask = programAsker({ cwd: "/", env, signal: new AbortController().signal, mask: (text) => text });
    await expect(findDrift(deployment, { ask }, true)).rejects.toThrow(/`docker ps .*` failed: .*docker/i);
  });
});
