import { until, type Answer, type PaperclipServer } from "./paperclip-server.ts";

export interface Lease {
  id: string;
  status: string;
  leasePolicy: string;
  providerLeaseId: string | null;
  cleanupStatus: string | null;
  failureReason: string | null;
}

export interface Run {
  id: string;
  status: string;
  error: string | null;
}

/** What is over, as far as machines are concerned: a run that waits for another try has none. */
const OVER = new Set(["succeeded", "failed", "cancelled", "timed_out", "scheduled_retry"]);
const RUN_MS = 180_000;

/** What a board member does at the host's API, in one company. */
export class Board {
  readonly #server: PaperclipServer;
  readonly #config: object;
  readonly company: string;

  private constructor(server: PaperclipServer, company: string, config: object) {
    this.#server = server;
    this.company = company;
    this.#config = config;
  }

  /** A company of its own; `config` are the settings that all its environments have. */
  static async open(server: PaperclipServer, config: object): Promise<Board> {
    const { id } = await server.get<{ id: string }>("POST", "/companies", { name: "Acme" });
    return new Board(server, id, config);
  }

  /** The settings of an environment, tried and not stored. */
  probe(config: object): Promise<Answer> {
    return this.#server.ask("POST", `/companies/${this.company}/environments/probe-config`, this.#settings(config));
  }

  tryEnvironment(config: object): Promise<Answer> {
    return this.#server.ask("POST", `/companies/${this.company}/environments`, this.#settings(config));
  }

  async environment(config: object = {}): Promise<string> {
    const { status, body } = await this.tryEnvironment(config);
    if (status !== 201) throw new Error(`environment: ${String(status)} ${JSON.stringify(body)}`);
    return (body as { id: string }).id;
  }

  #settings(config: object) {
    const all = { provider: "boxd", timeoutMs: 120_000, ...this.#config, ...config };
    return { driver: "sandbox", name: `boxd ${crypto.randomUUID()}`, config: all };
  }

  async agent(environment: string, command = "claude"): Promise<string> {
    const { id } = await this.#server.get<{ id: string }>("POST", `/companies/${this.company}/agents`, {
      name: `Agent ${crypto.randomUUID()}`,
      role: "engineer",
      adapterType: "claude_local",
      adapterConfig: { engine: "cli", command, model: "claude-test" },
      defaultEnvironmentId: environment,
    });
    return id;
  }

  async project(cwd: string, defaultMode: "isolated_workspace" | "shared_workspace"): Promise<string> {
    const { id } = await this.#server.get<{ id: string }>("POST", `/companies/${this.company}/projects`, {
      name: `Project ${crypto.randomUUID()}`,
      executionWorkspacePolicy: { enabled: true, defaultMode },
      workspace: { name: "main", cwd, isPrimary: true },
    });
    return id;
  }

  /** Work for an agent, which begins within seconds. */
  async issue(assigneeAgentId: string, projectId?: string): Promise<string> {
    const { id } = await this.#server.get<{ id: string }>("POST", `/companies/${this.company}/issues`, {
      // The host takes an equal issue for the same one, asked for twice.
      title: `Something to do ${crypto.randomUUID()}`,
      status: "todo",
      assigneeAgentId,
      ...(projectId === undefined ? {} : { projectId }),
    });
    return id;
  }

  async comment(issue: string): Promise<void> {
    await this.#server.get("POST", `/issues/${issue}/comments`, { body: "Please go on", reopen: true });
  }

  async cancel(run: string): Promise<void> {
    await this.#server.get("POST", `/heartbeat-runs/${run}/cancel`, {});
  }

  /** No run of it begins any more. */
  async pause(agent: string): Promise<void> {
    await this.#server.get("POST", `/agents/${agent}/pause`, {});
  }

  runs(agent: string): Promise<Run[]> {
    return this.#server.get("GET", `/companies/${this.company}/heartbeat-runs?agentId=${agent}`);
  }

  leases(environment: string): Promise<Lease[]> {
    return this.#server.get("GET", `/environments/${environment}/leases`);
  }

  deleteEnvironment(environment: string, query = ""): Promise<Answer> {
    return this.#server.ask("DELETE", `/environments/${environment}${query}`);
  }

  /** Waits until an agent has had `count` runs or more and all are over, and no lease of the environment is in use; answers both. */
  async settled(agent: string, environment: string, count = 1): Promise<{ runs: Run[]; leases: Lease[] }> {
    let runs: Run[] = [];
    let leases: Lease[] = [];
    const isSettled = async (): Promise<boolean> => {
      runs = await this.runs(agent);
      leases = await this.leases(environment);
      return (
        runs.length >= count &&
        runs.every(({ status }) => OVER.has(status)) &&
        leases.length >= count &&
        leases.every(({ status }) => status !== "active")
      );
    };
    await until("the runs are over", RUN_MS, isSettled).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify({ runs: runs.map(({ status }) => status), leases })}`);
    });
    return { runs, leases };
  }
}
