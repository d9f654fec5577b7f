import { afterAll, describe, expect, test } from "vitest";
import { type ContainerCreate, FakeDockerDaemon, hasDockerClient } from "../support/fake-docker-daemon/index.ts";
import { bringUp } from "./walk.ts";

const BACKUP = {
  Image: "postgres:16",
  Cmd: ["tar", "-czf", "/backups/coredata.tar.gz", "-C", "/data", "."],
  Env: null,
  volumes: ["<deployment>/backups:/backups", "qm-acme-coredata:/data:ro"],
  network: "default",
  restart: "no",
  ports: {},
};

/** The containers that each page makes beside those of compose. */
const PAGES: readonly (readonly [example: string, containers: readonly object[]])[] = [
  [
    "docker-boxd",
    [
      {
        Image: "ghcr.io/acme/qm-core@sha256:15c8a2a4c47addcea718809484b212b37bbc3ff6b99dee5f78e029ad230075be",
        Cmd: null,
        Env: ["NODE_ENV=development", "SANDBOX_BACKEND=boxd"],
        volumes: undefined,
        network: "default",
        restart: "no",
        ports: {},
      },
      {
        Image: "caddy:2",
        Cmd: null,
        Env: null,
        volumes: ["<deployment>/Caddyfile:/etc/caddy/Caddyfile:ro", "qm-acme-proxy:/data"],
        network: "qm-acme_default",
        restart: "unless-stopped",
        ports: { "80/tcp": ["80"], "443/tcp": ["443"] },
      },
      BACKUP,
    ],
  ],
  ["docker-local", [BACKUP]],
];

describe.skipIf(!hasDockerClient())("the real docker client (skipped without it)", async () => {
  const daemon = await FakeDockerDaemon.start();
  afterAll(() => daemon.stop());

  test.each(PAGES)("%s: takes every command of the page", async (example, containers) => {
    const stage = bringUp({ example, release: "0.1.12", shell: "bash" });
    const calls = stage.world.calls.filter(([name]) => name === "docker").map(([, ...argv]) => argv);
    // Plugins of the client, which may not be there.
    const own = calls.filter(([first = ""]) => !["compose", "buildx"].includes(first));
    expect(own.length).toBeGreaterThan(3);
    for (const argv of own) {
      const { stderr } = await daemon.run(argv, stage.directory);
      // What the client itself does not understand it says without asking the daemon.
      expect(stderr, argv.join(" ")).not.toMatch(/unknown (?:shorthand )?flag|requires|[Uu]sage|See 'docker|invalid/);
    }
    expect(daemon.creates.splice(0).map(asked)).toEqual(containers);
  });
});

/** What a container was to be made of, without what differs between directories. */
function asked({ Image, Cmd, Env, HostConfig }: ContainerCreate): object {
  const host = HostConfig as {
    Binds: string[] | null;
    NetworkMode: string;
    RestartPolicy: { Name: string };
    PortBindings: { [port: string]: { HostPort: string }[] };
  };
  const ports = Object.entries(host.PortBindings).map(([port, to]) => [port, to.map(({ HostPort }) => HostPort)]);
  return {
    Image,
    Cmd,
    Env,
    volumes: host.Binds?.map((bind) => bind.replace(/^\/tmp\/[^/]+/, "<deployment>")).sort(),
    network: host.NetworkMode,
    restart: host.RestartPolicy.Name,
    ports: Object.fromEntries(ports),
  };
}
