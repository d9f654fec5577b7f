import type { TargetName } from "../config/written-config.ts";
import type { Merge } from "./scaffold-file.ts";

/** Last, so that no earlier line takes it back. */
const LAST = ".env";

function wanted(target: TargetName): readonly string[] {
  const terraform = ["infra/.terraform/", "infra/*.tfstate", "infra/*.tfstate.*", "infra/*.tfplan", "infra/crash.log"];
  // What a write that was killed leaves beside its file; it may hold what `.env` holds.
  const leftovers = ".*.tmp";
  return ["node_modules/", ".generated/", leftovers, ...(target === "aws" ? terraform : [])];
}

/** A new .gitignore. Rendered files with secret values are ignored by the one beside them. */
export function gitignoreText(target: TargetName): string {
  return [...wanted(target), LAST, ""].join("\n");
}

/** Adds the missing lines of a .gitignore, with `.env` as its last rule. */
export function mergeGitignore(target: TargetName): Merge {
  return (before) => {
    const end = before.includes("\r\n") ? "\r\n" : "\n";
    const rules = before
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== "" && !line.startsWith("#"));
    const missing = wanted(target).filter(
      (line) => !rules.includes(line) && !rules.includes(line.replace(/\/$/, "")) && !rules.includes(`/${line}`),
    );
    const isLast = rules.at(-1) === LAST && missing.length === 0;
    const added = [...missing, ...(isLast ? [] : [LAST])];
    if (added.length === 0) return { text: before, notes: [] };
    const start = before === "" || before.endsWith("\n") ? before : before + end;
    return { text: start + added.map((line) => line + end).join(""), notes: [`added ${added.join(", ")}`] };
  };
}
