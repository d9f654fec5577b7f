/** The package that this toolkit is installed as where nothing else is said. */
export const OWN_NAME = "qm-deploy";

/** How a deployment's package.json depends on this toolkit. */
export interface Toolkit {
  readonly name: string;
  readonly spec: string;
}

export type ToolkitReading = { readonly toolkit: Toolkit } | { readonly reason: string };

const NAMED = /^((?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*)(?:@(.+))?$/;
const VERSION = /^[~^]?\d+\.\d+\.\d+/;

/**
 * Reads an npm spec: `name@version`, a version alone, a tarball, a directory, a git or an http address. A bare name is
 * refused: it means whatever is newest on the day of the install.
 */
export function readToolkit(written: string): ToolkitReading {
  const text = written.trim();
  if (text === "") return { reason: "is empty" };
  if (/\s/.test(text)) return { reason: "has spaces in it, which no npm spec has" };
  if (VERSION.test(text)) return { toolkit: { name: OWN_NAME, spec: text } };
  const named = isPlace(text) ? null : NAMED.exec(text);
  if (named === null) return isPlace(text) ? { toolkit: { name: OWN_NAME, spec: text } } : { reason: "is no npm spec" };
  const [, name = "", spec] = named;
  return spec === undefined
    ? { reason: `names no version of ${name}, so that every install could bring another` }
    : { toolkit: { name, spec } };
}

/** A path, a tarball or an address, which names no package itself. */
function isPlace(text: string): boolean {
  return (
    /^(?:[a-z+]+:|\.{0,2}\/|~\/)/i.test(text) || /\.t(?:ar\.)?gz$/.test(text) || /^[\w.-]+\/[\w.-]+(?:#.+)?$/.test(text)
  );
}

/** The path of a spec that is relative to the working directory; null for any other spec. */
export function relativeSpecPath(spec: string): string | null {
  const path = spec.replace(/^file:(?!\/)/, "");
  if (path !== spec) return path;
  return /^\.{1,2}\//.test(spec) || (/\.t(?:ar\.)?gz$/.test(spec) && !/^(?:[a-z+]+:|\/|~)/i.test(spec)) ? spec : null;
}
