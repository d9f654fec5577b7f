import type { Tool } from "../tool.ts";

/** `vals`, which reads Vault and some thirty other stores; a reference may be a part of the value. */
export const VALS: Tool = {
  program: "vals",
  install: "vals (https://github.com/helmfile/vals)",
  help: "run `vals get` with the value by hand, and sign in to the store that it names",
  callFor: ({ text }) =>
    text.startsWith("-")
      ? {
          problem: "begins with a hyphen, which `vals` would take for an option",
          help: "let the value begin with something else",
        }
      : { args: ["get", "-s", text], read: (printed) => printed },
};
