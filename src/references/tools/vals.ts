import type { Tool } from "../tool.ts";

/** `vals`, which reads Vault and some thirty other stores; a reference may be a part of the value. */
export const VALS: Tool = {
  program: "vals",
  install: "vals (https://github.com/helmfile/vals)",
  help: "run `vals get` with the value by hand, and sign in to the store that it names",
  failures:
    /permission denied|access denied|Code: [1-5]\d\d|no such host|connection refused|no value found|missing client token|no such secret|AccessDeniedException|ResourceNotFoundException|ParameterNotFound|Unable to locate credentials/i,
  callFor: ({ text }) =>
    text.startsWith("-")
      ? {
          problem: "begins with a hyphen, which `vals` would take for an option",
          help: "let the value begin with something else",
        }
      : { args: ["get", "-s", text], read: (printed) => printed },
};
