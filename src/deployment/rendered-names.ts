/** The files below `rendered/<target>/` by which what `render` wrote is told from a deployment of the user. */

/** Which files are ours, and what they were when they were written. */
export const MANIFEST = "manifest.json";

/** The config for qm's own command line. */
export const PROJECTION = "qm/qm.config.jsonc";

/**
 * The rendered files that differ, as people are told: without the manifest, whose hashes follow the others, unless it differs alone.
 * What is shown, named and counted of them are the same ones.
 */
export function toldChanges<File extends { readonly change: string }>(
  files: readonly File[],
  nameOf: (file: File) => string,
): readonly File[] {
  const changed = files.filter(({ change }) => change !== "unchanged");
  return changed.length === 1 ? changed : changed.filter((file) => nameOf(file) !== MANIFEST);
}
