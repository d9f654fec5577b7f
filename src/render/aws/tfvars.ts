import { commentLines, generatedLines, publicArtifact } from "../artifact-text.ts";
import { piece, type Piece, type RenderContext } from "../context.ts";
import { refuse } from "../refusal.ts";
import { hclValue, type HclValue } from "./hcl.ts";
import { derivedVariables } from "./terraform-variables.ts";
import { readTfvars } from "./tfvars-document.ts";

/** File name below `rendered/aws/`. */
export const TFVARS = "terraform.tfvars";

/** Variables that only the operator knows; kept from an existing file, else these starting values (facts/qm-contract.md §10). */
const OPERATOR_VARIABLES: { readonly [name: string]: string } = {
  github_repository: "replace-me/repository",
  github_ref: "refs/heads/main",
  certificate_arn: "",
};

/** `terraform.tfvars` for the operator's copy of qm's module: derived values are set, everything else in an existing file is kept byte for byte. */
export function renderTfvars({ deployment, options }: RenderContext): Piece {
  const derived = derivedVariables(deployment);
  if (derived === null) {
    return piece({
      refusals: [
        refuse(deployment, {
          artifact: TFVARS,
          rule: "render/incomplete",
          path: ["aws"],
          message: "`aws` has no sound `accountId`, `region` and `cluster`",
          help: "mend the findings of `qm-deploy check` first",
        }),
      ],
    });
  }
  const text = options.existingTfvars === null ? newTfvars(derived) : updatedTfvars(options.existingTfvars, derived);
  return piece({ artifacts: [publicArtifact(TFVARS, text)], notes: placeholderNotes(text) });
}

function newTfvars(derived: ReadonlyMap<string, HclValue>): string {
  const lead = commentLines("#", generatedLines("The operator's values below are yours: rendering again keeps them, and all comments."));
  return `${lead}\n${assignments(OPERATOR_VARIABLES)}\n${assignments(Object.fromEntries(derived))}`;
}

function updatedTfvars(existing: string, derived: ReadonlyMap<string, HclValue>): string {
  const newline = existing.includes("\r\n") ? "\r\n" : "\n";
  const parts = readTfvars(existing);
  const written = new Set<string>();
  let text = "";
  for (const part of parts) {
    const value = part.kind === "assignment" ? derived.get(part.name) : undefined;
    if (part.kind !== "assignment" || value === undefined) text += part.text;
    // Terraform refuses a second assignment of a variable, so only the first one stays.
    else if (!written.has(part.name)) text += assignment(part.name, value).replaceAll("\n", newline);
    if (part.kind === "assignment") written.add(part.name);
  }
  if (text !== "" && !text.endsWith("\n")) text += newline;
  const missing = Object.entries({ ...OPERATOR_VARIABLES, ...Object.fromEntries(derived) }).filter(([name]) => !written.has(name));
  return text + assignments(Object.fromEntries(missing)).replaceAll("\n", newline);
}

function assignments(values: { readonly [name: string]: HclValue }): string {
  return Object.entries(values)
    .map(([name, value]) => assignment(name, value))
    .join("");
}

function assignment(name: string, value: HclValue): string {
  return `${name} = ${hclValue(value)}\n`;
}

function placeholderNotes(text: string): Piece["notes"] {
  return text.includes('"replace-me/repository"')
    ? [{ artifact: TFVARS, message: "`github_repository` is still a placeholder: set the owner/name of the repository that may deploy, in the rendered file" }]
    : [];
}
