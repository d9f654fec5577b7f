/** Steps into a JSON value. */
export type Steps = readonly (string | number)[];

type Container = { [key: string]: unknown };

/** Every path into a JSON value, the value itself left out. */
export function* pathsOf(value: unknown, at: Steps = []): Iterable<Steps> {
  if (at.length > 0) yield at;
  if (typeof value !== "object" || value === null) return;
  for (const [key, child] of Object.entries(value))
    yield* pathsOf(child, [...at, Array.isArray(value) ? Number(key) : key]);
}

/** A copy of a JSON value with something else at a path; undefined takes out what is there. */
export function replacedAt(value: unknown, path: Steps, put: unknown): unknown {
  const copy = structuredClone(value) as Container;
  let parent = copy;
  for (const step of path.slice(0, -1)) parent = parent[step] as Container;
  const last = path.at(-1) as string;
  if (put !== undefined) parent[last] = put;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return copy;
}
