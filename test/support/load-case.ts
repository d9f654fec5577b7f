import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Deployment } from "../../src/deployment/deployment.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { runRules } from "../../src/rules/run-rules.ts";
import { loadDeployment, sourcesOf } from "../../src/workspace/load-deployment.ts";

/** What a case's `expected.json` may say of how its input is loaded. */
export interface CaseArgs {
  readonly release?: string;
  readonly target?: string;
  /** Permission bits of `.env`, octal; 600 where it is not said. */
  readonly envMode?: string;
}

/** A diagnostic as cases write it down: `slice` is the source text of its range, null for a whole file. */
export interface CaseDiagnostic {
  readonly rule: string;
  readonly severity: string;
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly slice: string | null;
  /** Why it is suppressed; left out where it is not. */
  readonly suppressed?: string;
}

/** Copies a case's input to a directory of its own for as long as `use` runs, where it is read as any deployment is. */
export async function inCaseDirectory<T>(
  input: string,
  args: CaseArgs,
  use: (directory: string) => T | Promise<T>,
): Promise<T> {
  const cwd = mkdtempSync(join(tmpdir(), "qm-case-"));
  try {
    cpSync(input, cwd, { recursive: true });
    if (existsSync(join(cwd, "env"))) {
      renameSync(join(cwd, "env"), join(cwd, ".env"));
      chmodSync(join(cwd, ".env"), Number.parseInt(args.envMode ?? "600", 8));
    }
    return await use(cwd);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Judges the deployment in a directory, as `check` does. */
export function judgeCase(
  cwd: string,
  args: CaseArgs,
): { diagnostics: Diagnostic[]; sources: Map<string, string>; deployment: Deployment | null } {
  const { deployment, problem } = loadDeployment(".", { cwd, release: args.release, target: args.target });
  if (deployment === undefined) return { diagnostics: [problem], sources: new Map(), deployment: null };
  return { diagnostics: runRules(deployment), sources: textsOf(deployment), deployment };
}

/** The texts as they are: `sourcesOf` blanks out of them what `.env` keeps for a secret. */
function textsOf(deployment: Deployment): Map<string, string> {
  const { config, envFile } = deployment.inputs;
  const texts = new Map(sourcesOf(deployment));
  for (const source of [config, ...(envFile === null ? [] : [envFile])]) texts.set(source.file, source.text);
  return texts;
}

/** The case's form of a diagnostic. */
export function describeDiagnostic(diagnostic: Diagnostic, sources: ReadonlyMap<string, string>): CaseDiagnostic {
  const { rule, severity, file, range, suppression } = diagnostic;
  const suppressed = suppression === undefined ? {} : { suppressed: suppression.reason };
  if (range === null) return { rule, severity, file, line: null, column: null, slice: null, ...suppressed };
  const slice = sources.get(file)?.slice(range.start.offset, range.end.offset) ?? null;
  return { rule, severity, file, line: range.start.line, column: range.start.column, slice, ...suppressed };
}

/** Every directory below `root` that is a case (has an `expected.json` or an `input/`), as a path relative to it. */
export function findCases(root: string, below = ""): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (["expected.json", "input"].some((name) => existsSync(join(root, path, name)))) found.push(path);
    else found.push(...findCases(root, path));
  }
  return found.sort();
}
