/** Text in which `$` starts a reference that compose is meant to fill in; any other text is literal. */
export interface Reference {
  readonly reference: string;
}

/** Data of a compose file. */
export type ComposeValue =
  string | number | boolean | Reference | readonly ComposeValue[] | { readonly [key: string]: ComposeValue };

/** A reference such as `${DOCKER_GID:?…}`. */
export function reference(text: string): Reference {
  return { reference: text };
}

/** The tree as it is written: compose interpolates values, quoted or not, so that every literal `$` is doubled. Keys are left alone. */
export function escapeDollars(value: ComposeValue): unknown {
  if (typeof value === "string") return value.replaceAll("$", () => "$$");
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item: ComposeValue) => escapeDollars(item));
  if (isReference(value)) return value.reference;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, escapeDollars(member as ComposeValue)]));
}

function isReference(value: object): value is Reference {
  return "reference" in value && typeof value.reference === "string";
}
