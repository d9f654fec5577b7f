import { commentLines, generatedLines, publicArtifact } from "../artifact-text.ts";
import { piece, type Piece, type RenderContext } from "../context.ts";
import { refuse } from "../refusal.ts";
import { hclMembers, hclValue, type HclValue } from "./hcl.ts";
import { derivedVariables } from "./terraform-variables.ts";
import { readTfvars, tfvarsText, type TfvarsPart } from "./tfvars-document.ts";

/** File name below `rendered/aws/`. */
export const TFVARS = "terraform.tfvars";

/** Variables that only the operator knows; kept from an existing file, else these starting values (docs/contract/qm-rendering.md#terraform-variables). */
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
  const lead = commentLines(
    "#",
    generatedLines("The operator's values below are yours: rendering again keeps them, and all comments."),
  );
  return `${lead}\n${assignments(OPERATOR_VARIABLES)}\n${assignments(Object.fromEntries(derived))}`;
}

function updatedTfvars(existing: string, derived: ReadonlyMap<string, HclValue>): string {
  const newline = existing.includes("\r\n") ? "\r\n" : "\n";
  const written = new Set<string>();
  const parts = readTfvars(existing).filter((part) => {
    // Terraform refuses a second assignment of a variable, so of the derived ones only the first stays.
    const repeated = part.kind === "assignment" && derived.has(part.name) && written.has(part.name);
    if (part.kind === "assignment") written.add(part.name);
    return !repeated;
  });
  const updated = tfvarsText(parts.map((part) => withDerived(part, derived, newline)));
  const missing = Object.entries({ ...OPERATOR_VARIABLES, ...Object.fromEntries(derived) }).filter(
    ([name]) => !written.has(name),
  );
  const gap = updated === "" || updated.endsWith("\n") ? "" : newline;
  return updated + gap + assignments(Object.fromEntries(missing)).replaceAll("\n", newline);
}

function withDerived(part: TfvarsPart, derived: ReadonlyMap<string, HclValue>, newline: string): TfvarsPart {
  const value = part.kind === "assignment" ? derived.get(part.name) : undefined;
  return part.kind === "other" || value === undefined
    ? part
    : { ...part, value: hclValue(value).replaceAll("\n", newline) };
}

/** Assignments in the layout of `terraform fmt`, which aligns the `=` of neighbours that take one line. */
function assignments(values: { readonly [name: string]: HclValue }): string {
  return hclMembers(values, "", (name) => name);
}

function placeholderNotes(text: string): Piece["notes"] {
  return text.includes('"replace-me/repository"')
    ? [
        {
          artifact: TFVARS,
          message:
            "`github_repository` is still a placeholder: set the owner/name of the repository that may deploy, in the rendered file",
        },
      ]
    : [];
}
