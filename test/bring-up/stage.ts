import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BIN, plainEnv, ROOT } from "../cli/built.ts";
import { valueFor } from "../render/secret-values.ts";
import { EXAMPLES } from "../render/support.ts";
import type { Deployment } from "../../src/deployment/deployment.ts";
import { loadDeployment } from "../../src/workspace/load-deployment.ts";
import { type PageStep, pageSteps } from "./page.ts";

const STAND_INS = join(import.meta.dirname, "stand-ins");
/** The programs that are stood in for. */
const PROGRAMS = ["aws", "curl", "docker", "fly", "npm", "npx", "terraform"];

/** What the stand-ins remember; `stand-ins/*.mjs` say what it means. */
export interface World {
  /** Of qm's package in `node_modules/`. */
  readonly release: string;
  /** Program and arguments of each call, in order. */
  readonly calls: readonly (readonly [string, ...string[]])[];
  readonly fly: { readonly apps: object; readonly clusters: object; readonly buckets: readonly string[] };
  readonly aws: { readonly clusters: object; readonly secrets: object; readonly providers: readonly string[] };
  readonly docker: { readonly containers: object; readonly networks: object; readonly volumes: object };
}

export interface StageOptions {
  readonly example: string;
  readonly release: string;
  readonly shell: string;
  readonly config?: ((text: string) => string) | undefined;
}

/** A deployment directory of an example, a shell in it, and programs on PATH that stand in for the real ones. */
export class Stage {
  readonly directory = mkdtempSync(join(tmpdir(), "qm-bring-up-"));
  readonly #outside = mkdtempSync(join(tmpdir(), "qm-stand-ins-"));
  readonly #shell: string;
  readonly #target: string;

  constructor({ example, release, shell, config = (text) => text }: StageOptions) {
    this.#shell = shell;
    cpSync(join(EXAMPLES, example), this.directory, { recursive: true });
    const file = join(this.directory, "qm.config.jsonc");
    writeFileSync(file, config(readFileSync(file, "utf8")));
    const pin = { private: true, devDependencies: { "@yc-software/qm": release } };
    writeFileSync(join(this.directory, "package.json"), JSON.stringify(pin));
    writeFileSync(join(this.directory, ".gitignore"), "node_modules/\n.env\n");
    const { deployment } = loadDeployment(file, { cwd: this.directory });
    if (!deployment?.target) throw new Error(`${example} has no target`);
    this.#target = deployment.target;
    const own = new RegExp(`^${deployment.config.aws?.accountId}\\.dkr\\.ecr\\.[^/]+/(.+)@(sha256:.+)$`);
    const world = {
      release,
      calls: [],
      secrets: Object.fromEntries(deployment.secrets.map(({ name }) => [name, envValue(name)])),
      fly: { apps: {}, clusters: {}, buckets: [] },
      docker: { containers: {}, networks: {}, volumes: {}, images: {}, logins: {} },
      terraform: { initialized: false, outputs: null },
      aws: {
        account: deployment.config.aws?.accountId ?? null,
        password: "p4ssw0rd",
        toPush: deployment.workloads.flatMap(({ image }) => {
          const [, repository, digest] = own.exec(image?.reference ?? "") ?? [];
          return repository === undefined ? [] : [[repository, digest]];
        }),
        ...{ buckets: {}, providers: [], certificates: {}, secrets: {}, repositories: {}, families: {}, clusters: {} },
        ...{ tasks: {}, microVm: null, doors: {} },
      },
    };
    writeFileSync(this.#worldFile, JSON.stringify(world));
    for (const program of PROGRAMS)
      this.#shim(join(this.#outside, program), `exec node ${STAND_INS}/run.mjs ${program} "$@"`);
    const socket =
      'case "$*" in "-nL /var/run/docker.sock") echo "srw-rw---- 1 0 999 0 Jan 1 00:00 $2";; *) exec /bin/ls "$@";; esac';
    this.#shim(join(this.#outside, "ls"), socket);
    const modules = join(this.directory, "node_modules");
    mkdirSync(join(modules, ".bin"), { recursive: true });
    mkdirSync(join(modules, "@yc-software"));
    symlinkSync(join(ROOT, "node_modules/@yc-software/qm"), join(modules, "@yc-software/qm"));
    this.#shim(
      join(modules, ".bin/qm-deploy"),
      `if [ "$1" = boxd ]; then shift; exec node ${STAND_INS}/run.mjs boxd "$@"; fi\nexec node -- ${BIN} "$@"`,
    );
    this.run("git init --quiet . && node_modules/.bin/qm-deploy render");
  }

  #shim(path: string, text: string): void {
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
  }

  get #worldFile(): string {
    return join(this.#outside, "world.json");
  }

  get world(): World {
    return JSON.parse(readFileSync(this.#worldFile, "utf8")) as World;
  }

  /** What stand-ins have refused, but for questions whether something is there. */
  get refusals(): string {
    const file = `${this.#worldFile}.refusals`;
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  /** Changes the config by hand. */
  rewrite(change: (text: string) => string): void {
    const file = join(this.directory, "qm.config.jsonc");
    writeFileSync(file, change(readFileSync(file, "utf8")));
  }

  /** Changes what the stand-ins remember, as somebody else might have changed it. */
  disturb(change: (world: any) => void): void {
    const { world } = this;
    change(world);
    writeFileSync(this.#worldFile, JSON.stringify(world));
  }

  /** The deployment as its files say it now. */
  get deployment(): Deployment {
    const { deployment } = loadDeployment(join(this.directory, "qm.config.jsonc"), { cwd: this.directory });
    if (deployment === undefined) throw new Error("the deployment cannot be read");
    return deployment;
  }

  /** The page as it is now: some steps render it again. */
  get steps(): readonly PageStep[] {
    return pageSteps(readFileSync(join(this.directory, "rendered", this.#target, "bring-up.md"), "utf8"));
  }

  /** Runs commands in the shell, which keeps the variables of earlier ones; throws where one fails. */
  run(commands: string, input = "yes\n"): string {
    const saved = join(this.#outside, "variables");
    const keep = "CERTIFICATE CLUSTER NETWORK PATH TASK".split(" ");
    const save = keep.map(
      (name) => `printf '%s="%s"\\n' ${name} "$(printf %s "$${name}" | sed 's/["$\\\\\`]/\\\\&/g')"`,
    );
    const script = [`test ! -e ${saved} || . ${saved}`, "set -e", commands, `{ ${save.join("; ")}; } > ${saved}`];
    const { status, stdout, stderr } = spawnSync(this.#shell, ["-c", script.join("\n")], {
      cwd: this.directory,
      input,
      encoding: "utf8",
      env: plainEnv({
        // Bash reads the start-up file of this user when its stdin is a socket.
        HOME: this.#outside,
        PATH: `${this.#outside}:${process.env["PATH"]}`,
        BRING_UP_WORLD: this.#worldFile,
        EDITOR: `node ${STAND_INS}/edit.mjs`,
        ...{
          GIT_AUTHOR_NAME: "t",
          GIT_AUTHOR_EMAIL: "t@t.dev",
          GIT_COMMITTER_NAME: "t",
          GIT_COMMITTER_EMAIL: "t@t.dev",
        },
      }),
    });
    if (status !== 0 || this.refusals !== "")
      throw new Error(`${this.#shell}, status ${status}:\n${commands}\n${stdout}\n${stderr}\n${this.refusals}`);
    return stdout;
  }
}

/** A value as a line of `.env` takes it. */
export function envValue(name: string): string {
  if (name === "MY_DATABASE") return "postgres://qm:p4ss@db.acme-corp.dev:5432/qm";
  if (name === "ADMIN_GRANTS") return "alice@acme-corp.dev:org_admin";
  const value = valueFor(name);
  // Many write addresses in quotes, which are none of the value.
  if (name === "PUBLIC_API_URL") return `"${value}"`;
  return /^[\w./:@-]+$/.test(value) ? value : `'${value}'`;
}
