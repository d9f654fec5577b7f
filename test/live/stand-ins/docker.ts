import { createHash } from "node:crypto";
import { join } from "node:path/posix";
import { parse } from "yaml";

/** A service as compose reads it from our file. */
export interface ComposeService {
  image?: string;
  container_name: string;
  labels: { [name: string]: string };
  restart: string;
  networks: { default: { aliases: string[] } };
  ports?: string[];
  environment: { [name: string]: string };
  volumes?: { type: string; source: string; target: string; read_only?: boolean }[];
  group_add?: string[];
  user?: string;
  command?: string[];
  privileged?: boolean;
  cap_add?: string[];
  healthcheck?: { test: string[]; interval: string; timeout: string; retries: number; start_period: string };
}

export interface ComposeFile {
  name: string;
  services: { [name: string]: ComposeService };
  volumes?: { [name: string]: { name: string } };
}

/** Our compose file as compose reads it: `$$` is a dollar. */
export function readComposeFile(text: string): ComposeFile {
  return JSON.parse(JSON.stringify(parse(text)), (_, value: unknown) =>
    typeof value === "string" ? value.replaceAll("$$", () => "$") : value,
  ) as ComposeFile;
}

/** Where the compose file lies on the host that runs it. */
const PLACE = "/srv/acme/rendered/docker";

const IMAGE_ENV = ["PATH=/usr/local/bin:/usr/bin", "NODE_VERSION=24.4.0"];
const IMAGE_USER = "node";
const IMAGE_CMD = ["node", "server.mjs"];

function idOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * What docker says of the containers that compose makes of a file, as `docker container inspect` and `docker image inspect` print
 * it (docs/contract/live.md#docker). `secrets`: the names in the env file of each service.
 */
export function dockerOf(file: ComposeFile, secrets: (service: string) => readonly string[]) {
  const entries = Object.entries(file.services);
  return {
    version: 1,
    target: "docker",
    containers: entries.map(([name, service]) => containerOf(file, name, service, secrets(name))),
    images: entries.map(([name, service]) => imageOf(file, name, service)),
  };
}

/** Compose names what it builds after the project and the service. */
function imageName({ name: project }: ComposeFile, name: string, { image }: ComposeService): string {
  return image ?? `${project}-${name}`;
}

function imageOf(file: ComposeFile, name: string, service: ComposeService) {
  const image = imageName(file, name, service);
  const digest = /^(.*?)(?::[^/:@]+)?@(sha256:.*)$/.exec(image);
  return {
    Id: `sha256:${idOf(image)}`,
    RepoTags: digest === null ? [image.includes(":") ? image : `${image}:latest`] : [],
    RepoDigests: digest === null ? [] : [`${digest[1]}@${digest[2]}`],
    Config: { User: IMAGE_USER, Env: IMAGE_ENV, Cmd: IMAGE_CMD, Labels: null },
    Architecture: "amd64",
    Os: "linux",
  };
}

const nanoseconds = (text: string): number => Number(text.replace("s", "")) * 1e9;

function containerOf(file: ComposeFile, name: string, service: ComposeService, secrets: readonly string[]) {
  const id = idOf(service.container_name);
  const image = imageName(file, name, service);
  const { healthcheck: check } = service;
  return {
    Id: id,
    Created: "2026-11-29T08:00:00.123456789Z",
    Path: "docker-entrypoint.sh",
    Name: `/${service.container_name}`,
    Image: `sha256:${idOf(image)}`,
    State: {
      Status: "running",
      Running: true,
      Paused: false,
      Restarting: false,
      ExitCode: 0,
      Health: { Status: "healthy" },
    },
    RestartCount: 0,
    Config: {
      Hostname: id.slice(0, 12),
      Env: [
        ...Object.entries(service.environment).map(([key, value]) => `${key}=${value}`),
        ...secrets.map((key) => `${key}=value-of-${key.toLowerCase()}`),
        ...IMAGE_ENV,
      ],
      User: service.user ?? IMAGE_USER,
      Cmd: service.command ?? IMAGE_CMD,
      Image: image,
      Labels: {
        ...service.labels,
        "com.docker.compose.config-hash": idOf(JSON.stringify(service)),
        "com.docker.compose.container-number": "1",
        "com.docker.compose.oneoff": "False",
        "com.docker.compose.project": file.name,
        "com.docker.compose.project.config_files": `${PLACE}/compose.yaml`,
        "com.docker.compose.project.working_dir": PLACE,
        "com.docker.compose.service": name,
        "com.docker.compose.version": "2.39.1",
      },
      ...(check === undefined
        ? {}
        : {
            Healthcheck: {
              Test: check.test,
              Interval: nanoseconds(check.interval),
              Timeout: nanoseconds(check.timeout),
              StartPeriod: nanoseconds(check.start_period),
              Retries: check.retries,
            },
          }),
    },
    HostConfig: {
      NetworkMode: `${file.name}_default`,
      PortBindings: bindingsOf(service.ports ?? []),
      RestartPolicy: { Name: service.restart, MaximumRetryCount: 0 },
      GroupAdd: service.group_add === undefined ? null : ["998"],
      Privileged: service.privileged ?? false,
      CapAdd: service.cap_add ?? null,
      Memory: 0,
      NanoCpus: 0,
    },
    Mounts: (service.volumes ?? []).map((volume) => mountOf(file, volume)),
    NetworkSettings: {
      Networks: {
        [`${file.name}_default`]: {
          Aliases: [service.container_name, name, ...service.networks.default.aliases, id.slice(0, 12)],
          IPAddress: "172.18.0.3",
        },
      },
    },
  };
}

function bindingsOf(ports: readonly string[]) {
  const bindings: { [inside: string]: { HostIp: string; HostPort: string }[] } = {};
  for (const port of ports) {
    const [, host = "", published = "", inside = ""] = /^\[?([^\]]*?)\]?:(\d+):(\d+)$/.exec(port) ?? [];
    (bindings[`${inside}/tcp`] ??= []).push({ HostIp: host, HostPort: published });
  }
  return bindings;
}

type Volume = NonNullable<ComposeService["volumes"]>[number];

function mountOf({ volumes = {} }: ComposeFile, { type, source, target, read_only: readOnly = false }: Volume) {
  const rest = { Destination: target, RW: !readOnly, Mode: readOnly ? "ro" : "rw", Propagation: "" };
  if (type === "bind") return { Type: "bind", Source: source.startsWith("/") ? source : join(PLACE, source), ...rest };
  const name = volumes[source]?.name ?? source;
  return { Type: "volume", Name: name, Source: `/var/lib/docker/volumes/${name}/_data`, Driver: "local", ...rest };
}
