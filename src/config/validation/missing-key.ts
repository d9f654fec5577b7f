import { type ConfigPath, showPath } from "../../base/config-path.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { ConfigDocument } from "../document.ts";
import { diagnose, setFix } from "./finding.ts";

const WHAT: { readonly [key: string]: string } = {
  contract: 'add `"contract": 1`',
  orgId: 'add the name of your organisation, such as `"orgId": "acme"`',
  publicUrl: 'add the address that users open, such as `"publicUrl": "https://qm.acme.com"`',
  target: 'add `"target"` with docker, fly or aws',
  services: 'add the services to run, such as `"services": ["core", "web-ui"]`',
};

/** True where a key stands in the document, whatever became of its value. */
export function hasKey(document: ConfigDocument, path: ConfigPath): boolean {
  const parent = document.node(path.slice(0, -1));
  return parent?.kind === "object" && parent.members.some((member) => member.key === path.at(-1));
}

export function missingKey(document: ConfigDocument, path: ConfigPath): Diagnostic {
  const key = String(path.at(-1));
  const fix = path.length === 1 && key === "contract" ? setFix("suggested", "add `contract`", path, 1) : null;
  const help = (path.length === 1 ? WHAT[key] : undefined) ?? `add \`"${key}"\``;
  return diagnose(document, path, "key", {
    rule: "config/missing-key",
    message: `\`${showPath(path)}\` is missing`,
    help,
    fix,
  });
}
