import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What the docker client asked for when it created a container. */
export interface ContainerCreate {
  readonly Image: string;
  /** `NAME=value`, in the order of the command line and env files. */
  readonly Env: readonly string[] | null;
  readonly [field: string]: unknown;
}

export interface DockerRun {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** True where a docker client is on PATH; it needs no daemon of its own. */
export function hasDockerClient(): boolean {
  return spawnSync("docker", ["--version"]).status === 0;
}

const ID = "0".repeat(64);

/** A container or an image as the API describes it. */
export interface Described {
  readonly Id: string;
  readonly Name?: string;
  readonly Config?: { readonly Labels?: { readonly [name: string]: string } | null };
  readonly [field: string]: unknown;
}

/** A docker daemon on a unix socket that runs nothing, records every container-create request, and describes what it is given. */
export class FakeDockerDaemon {
  readonly creates: ContainerCreate[] = [];
  containers: readonly Described[] = [];
  images: readonly Described[] = [];
  readonly #directory = mkdtempSync(join(tmpdir(), "fake-docker-"));
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  /** The value of DOCKER_HOST that leads here. */
  get host(): string {
    return `unix://${join(this.#directory, "docker.sock")}`;
  }

  /** Starts listening. */
  static async start(): Promise<FakeDockerDaemon> {
    const daemon = new FakeDockerDaemon();
    await new Promise<void>((resolve) => daemon.#server.listen(join(daemon.#directory, "docker.sock"), resolve));
    return daemon;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname: path, searchParams } = new URL(request.url ?? "/", "http://docker");
    const [, kind, id] = /\/(containers|images)\/([^/]+(?:\/[^/]+)*)\/json$/.exec(path) ?? [];
    response.setHeader("Api-Version", "1.43");
    response.setHeader("Content-Type", "application/json");
    if (path === "/_ping") response.end("OK");
    else if (path.endsWith("/containers/create")) {
      this.creates.push(JSON.parse(Buffer.concat(chunks).toString("utf8")) as ContainerCreate);
      response.writeHead(201).end(JSON.stringify({ Id: ID, Warnings: [] }));
    } else if (path.endsWith("/containers/json")) response.end(JSON.stringify(this.#listed(searchParams)));
    else if (kind !== undefined) {
      const found = (kind === "images" ? this.images : this.containers).find(
        (one) => one.Id === id || one.Name === `/${id}`,
      );
      const missing = { message: `No such ${kind === "images" ? "image" : "container"}: ${id}` };
      response.writeHead(found === undefined ? 404 : 200).end(JSON.stringify(found ?? missing));
    } else response.writeHead(404).end(JSON.stringify({ message: `the fake daemon knows no ${path}` }));
  }

  /** `GET /containers/json`, with the filter by labels as the engine has it: each label must be there. */
  #listed(query: URLSearchParams): readonly object[] {
    const { label = {} } = JSON.parse(query.get("filters") ?? "{}") as { label?: { [pair: string]: boolean } };
    const wanted = Object.keys(label).map((pair) => pair.split("="));
    return this.containers
      .filter(({ Config }) => wanted.every(([name = "", value]) => Config?.Labels?.[name] === value))
      .map(({ Id, Name, Config, Image }) => ({
        ...{ Id, Names: [Name], Image, Labels: Config?.Labels, State: "running", Status: "Up 2 hours" },
        ...{ Command: "node", Created: 1_790_000_000, Ports: [], Mounts: [] },
      }));
  }

  /** Runs the real docker client against this daemon, without any configuration of the user. */
  run(args: readonly string[], cwd?: string): Promise<DockerRun> {
    const env = { PATH: process.env["PATH"], DOCKER_HOST: this.host, DOCKER_CONFIG: this.#directory };
    const child = spawn("docker", args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (status) => resolve({ status: status ?? 1, stdout, stderr }));
    });
  }

  /** The environment that the client makes of an env file; null where it refuses the file. */
  async envOf(envFile: string): Promise<Map<string, string> | null> {
    const before = this.creates.length;
    const { status } = await this.run(["create", "--pull", "never", "--env-file", envFile, "example"]);
    const create = this.creates[before];
    if (status !== 0 || create === undefined) return null;
    return new Map(
      (create.Env ?? []).map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
    );
  }

  /** Stops listening and removes the socket. */
  async stop(): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
    rmSync(this.#directory, { recursive: true });
  }
}
