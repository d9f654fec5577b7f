import type { ChildProcess } from "node:child_process";

/** How to start a program that {@link killGroup} can end: in a group of its own, so that what it starts goes with it. Windows has no groups and would open a window. */
export const OWN_GROUP = { detached: process.platform !== "win32", windowsHide: true };

/** Kills a program that was started with {@link OWN_GROUP}, and what it started. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
