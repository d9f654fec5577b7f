/** A relative path with `/`, without `.`, `..` and doubled slashes; `.` for where it starts, null where it leads out of there. */
export function tidyPath(path: string): string | null {
  if (path.startsWith("/")) return null;
  const steps: string[] = [];
  for (const step of path.split("/")) {
    if (step === "" || step === ".") continue;
    if (step !== "..") steps.push(step);
    else if (steps.pop() === undefined) return null;
  }
  return steps.join("/") || ".";
}
