import { spawnSync } from "node:child_process";

/** Runs git in a directory, as somebody whose own settings play no part; its output without the blanks around it. */
export function git(cwd: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", ["-c", "user.name=t", "-c", "user.email=t@t.dev", ...args], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: "/", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** Commits everything in a directory, which becomes a repository first where it is none; the commit's id. */
export function commitAll(cwd: string, message = "x"): string {
  git(cwd, "init", "-q", "-b", "main");
  git(cwd, "add", "-A", "-f");
  git(cwd, "commit", "-q", "--allow-empty", "-m", message);
  return git(cwd, "rev-parse", "HEAD");
}
