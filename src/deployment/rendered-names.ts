/** The files below `rendered/<target>/` by which what `render` wrote is told from a deployment of the user. */

/** Which files are ours, and what they were when they were written. */
export const MANIFEST = "manifest.json";

/** The config for qm's own command line. */
export const PROJECTION = "qm/qm.config.jsonc";
