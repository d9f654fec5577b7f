import { applyChanges } from "../../config/edit.ts";
import { parseDocument } from "../../config/parse.ts";
import type { ValueChange } from "../../diagnostics/diagnostic.ts";
import { lowestVersion } from "./version.ts";
import { PIN_SECTIONS, QM_PACKAGE } from "./pin.ts";

/** A package.json with another pin, or why it cannot have one; the reason names no specifier, which may hold credentials. */
export type PinEdit = { readonly text: string } | { readonly reason: string };

const ALIAS = `npm:${QM_PACKAGE}@`;

/** What npm takes for a tag of the registry, `latest`, or any version at all. */
const TAG = /^[A-Za-z*][\w.-]*$|^$/;

/**
 * Pins qm exactly in the text of a package.json, wherever it is pinned there, else in `devDependencies`; layout and all else stay.
 * Refused where the file is no JSON object, or the pin is no version of the registry: whoever runs a fork knows what to put there.
 */
export function withPin(text: string, version: string): PinEdit {
  const document = parseDocument({ file: "package.json", text });
  if (document.root?.kind !== "object" || document.diagnostics.some(({ severity }) => severity === "error"))
    return { reason: "it is no JSON object" };
  const written = PIN_SECTIONS.map((section) => [section, document.value([section, QM_PACKAGE])] as const).filter(
    ([, specifier]) => specifier !== undefined,
  );
  const places = written.length === 0 ? ([["devDependencies", version]] as const) : written;
  const changes: ValueChange[] = [];
  for (const [section, specifier] of places) {
    const value = exactly(specifier, version);
    if (value === null)
      return { reason: `its \`${section}\` name qm by something else than a version of the registry` };
    changes.push({ kind: "set", path: [section, QM_PACKAGE], value });
  }
  const edited = applyChanges(text, changes);
  return edited.ok ? { text: edited.text } : { reason: edited.reason };
}

/** A specifier of the same form for one version; null where it is a URL, a path or the like. */
function exactly(specifier: unknown, version: string): string | null {
  if (typeof specifier !== "string") return null;
  const written = specifier.trim();
  if (written.startsWith(ALIAS)) return `${ALIAS}${version}`;
  return lowestVersion(written) !== null || TAG.test(written) ? version : null;
}
