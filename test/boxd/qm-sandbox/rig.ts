import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { scopeName } from "../../../src/boxd/driver/index.ts";
import {
  createBoxdSandbox,
  type BoxdSandbox,
  type BoxdSandboxOptions,
  type SandboxHandle,
  type SandboxIncident,
  type WorkspaceLayer,
  type WorkspaceSource,
} from "../../../src/boxd/qm-sandbox/index.ts";
import {
  FakePlane,
  processesSupported,
  TEST_KEY,
  type FakeMachine,
  type PlaneOptions,
} from "../../support/boxd-fake/index.ts";

/** Part of the title of every suite whose machines run processes. */
export const needsProcesses = processesSupported ? "" : " (skipped: the fake's machines need /proc)";
export const skipWithoutProcesses = !processesSupported;

export const SCOPE = "channel:C123";
export const LAYERS: readonly WorkspaceLayer[] = [{ scopeId: SCOPE, mountPath: "", mode: "rw" }];

/** A workspace store on a real temporary directory. */
export class DiskWorkspace implements WorkspaceSource {
  readonly root = mkdtempSync(join(tmpdir(), "qm-workspace-"));
  readonly #files = new Map<string, string[]>();

  /** Replaces the files of a scope. */
  put(scopeId: string, files: Readonly<Record<string, string | Uint8Array>>): void {
    this.#files.set(
      scopeId,
      Object.entries(files).map(([path, data]) => {
        const file = join(this.scopeDir(scopeId), path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, data);
        return file;
      }),
    );
  }

  scopeDir(scopeId: string): string {
    return join(this.root, encodeURIComponent(scopeId));
  }

  list(scopeId: string): Promise<string[]> {
    return Promise.resolve(this.#files.get(scopeId) ?? []);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A plane and backends on it. Time is real, because real processes run in it; only polls are short. */
export class Rig implements AsyncDisposable {
  readonly plane: FakePlane;
  readonly workspace = new DiskWorkspace();
  readonly incidents: SandboxIncident[] = [];
  readonly sandbox: BoxdSandbox;

  constructor(options: BoxdSandboxOptions = {}, plane: PlaneOptions = {}) {
    this.plane = new FakePlane(plane);
    this.sandbox = this.another(options);
  }

  /** A backend that knows nothing of the first: another process of qm. */
  another(options: BoxdSandboxOptions = {}): BoxdSandbox {
    return createBoxdSandbox(this.workspace, {
      client: this.plane.client(),
      apiKey: TEST_KEY,
      org: "acme",
      onError: (incident) => this.incidents.push(incident),
      driver: { times: { pollMs: 10, listingLagMs: 100, cleanupMs: 3_000, settleMs: 5_000 } },
      ...options,
    });
  }

  provision(): Promise<SandboxHandle> {
    return this.sandbox.provision(LAYERS);
  }

  /** The machine of the usual scope. */
  get machine(): FakeMachine {
    return this.plane.machine(scopeName("qm", SCOPE));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sandbox.close();
    this.workspace.remove();
    await this.plane.dispose();
  }
}

/** Polls for what another process brings about. */
export async function until<T>(read: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (let attempt = 0; attempt < 6_000; attempt += 1) {
    const found = await read();
    if (found !== undefined) return found;
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
  throw new Error("it did not happen");
}
