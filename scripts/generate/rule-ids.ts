/** The source of `src/diagnostics/rule-ids.generated.ts`: the ids of the registry as a type. */
export function ruleIdsSource(ids: readonly string[]): string {
  return `// Generated from the rule registry by \`npm run generate\`; do not edit.
/** The id of a rule of the registry. Any other text in its place does not compile. */
export type RuleId =
${[...ids]
  .sort()
  .map((id) => `  | "${id}"`)
  .join("\n")};
`;
}
