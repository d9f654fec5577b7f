import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
/** What generating and building need of the repository. */
const PARTS = [
  ...["src", "scripts", "schema", "templates", "docs", "package.json", "package-lock.json"],
  ...["tsconfig.json", "tsconfig.build.json", "LICENSE", "README.md", "CHANGELOG.md"],
];

/** A copy of the sources in a directory of its own, to add files to. */
export class SourceCopy {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "qm-deploy-extension-")));

  constructor() {
    for (const part of PARTS) cpSync(join(ROOT, part), join(this.root, part), { recursive: true });
    linkPackages(join(ROOT, "node_modules"), join(this.root, "node_modules"));
  }

  /** Runs an npm script's file in the copy; throws with what it printed where it fails. */
  run(script: string): void {
    const done = spawnSync(process.execPath, [join(this.root, script)], { cwd: this.root, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`${script}: ${done.stdout}${done.stderr}`);
  }

  /** Runs the copy's own built command line. */
  cli(args: readonly string[], cwd: string, env: { readonly [name: string]: string } = {}) {
    const bin = join(this.root, "dist/bin/qm-deploy.cjs");
    const done = spawnSync(process.execPath, [bin, ...args], {
      cwd,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: cwd, ...env },
    });
    return { status: done.status, out: done.stdout, err: done.stderr };
  }

  text(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  /** The files of the sources that are not as in the repository, new ones included. */
  changed(): string[] {
    return PARTS.flatMap((part) => filesBelow(join(this.root, part)))
      .map((file) => relative(this.root, file))
      .filter((path) => {
        const original = join(ROOT, path);
        return !existsSync(original) || !readFileSync(original).equals(readFileSync(join(this.root, path)));
      })
      .sort();
  }
}

/**
 * The packages, each as a link of its own: node_modules itself must be a directory of the copy, since the build keeps its
 * half-made files there and renames them into dist/.
 */
export function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name === ".cache") continue;
    if (name.startsWith("@")) linkPackages(join(from, name), join(to, name));
    else symlinkSync(join(from, name), join(to, name));
  }
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
}
