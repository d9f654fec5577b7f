/** What a program takes, as the `*.mjs` beside this say. */
export interface Program {
  readonly name: string;
  readonly globals?: { readonly [flag: string]: "value" | "flag" };
  readonly commands: { readonly [words: string]: { readonly flags?: { readonly [flag: string]: "value" | "flag" } } };
}

/** Throws where a program does not take the arguments. */
export function readCall(program: Program, argv: readonly string[]): { readonly title: string };
