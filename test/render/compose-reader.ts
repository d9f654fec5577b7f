import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { answers, DEBIAN_PYTHON } from "../support/programs.ts";

/** Why tests with a real reader are skipped where it is missing. */
export const HAS_COMPOSE = answers("docker-compose", ["version"]) && answers(DEBIAN_PYTHON, ["-c", "import yaml"]);

export interface ReadService {
  readonly image?: string;
  readonly container_name?: string;
  readonly environment?: { readonly [name: string]: string };
  readonly ports?: readonly string[];
  readonly volumes?: readonly {
    readonly type: string;
    readonly source: string;
    readonly target: string;
    readonly read_only?: boolean;
  }[];
  readonly group_add?: readonly string[];
  readonly labels?: { readonly [name: string]: string };
  readonly depends_on?: { readonly [name: string]: { readonly condition: string } };
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly networks?: { readonly [name: string]: { readonly aliases: readonly string[] } };
  readonly restart?: string;
}

export type ComposeReading =
  | {
      readonly ok: true;
      readonly services: { readonly [name: string]: ReadService };
      readonly volumes: { readonly [name: string]: { readonly name: string } };
    }
  | { readonly ok: false; readonly stderr: string };

/** What docker-compose 1.29.2 makes of files (path to text, compose.yaml among them) of one directory. It predates the top-level `name`, which is taken out for it. */
export function readCompose(
  files: { readonly [path: string]: string },
  env: { readonly [name: string]: string } = {},
): ComposeReading {
  const root = mkdtempSync(join(tmpdir(), "qm-compose-"));
  try {
    // As deep as rendered/docker/, so that `../..` stays in the temporary directory.
    const directory = join(root, "rendered", "docker");
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), path === "compose.yaml" ? text.replace(/^name: .*\n/m, "") : text);
    }
    const { status, stdout, stderr } = spawnSync("docker-compose", ["-f", join(directory, "compose.yaml"), "config"], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 1 << 26,
      env: { PATH: process.env["PATH"], HOME: root, LANG: "C.UTF-8", ...env },
    });
    if (status !== 0) return { ok: false, stderr };
    // `config` prints a literal `$` as `$$`, so that its output is a compose file again.
    const read = JSON.parse(yaml11ToJson(stdout), (_key, value: unknown) =>
      typeof value === "string" ? value.replaceAll("$$", () => "$").replaceAll(root, () => "<root>") : value,
    );
    return { ok: true, services: read.services, volumes: read.volumes ?? {} };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** What PyYAML, a reader of YAML 1.1, makes of a text. */
export function yaml11ToJson(text: string): string {
  const { status, stdout, stderr } = spawnSync(
    DEBIAN_PYTHON,
    ["-c", "import sys,json,yaml; json.dump(yaml.safe_load(sys.stdin.buffer), sys.stdout)"],
    { input: text, encoding: "utf8", maxBuffer: 1 << 26 },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
