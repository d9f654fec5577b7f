import type { Tool } from "../tool.ts";

/** `op`, the command line of 1Password. */
export const OP: Tool = {
  program: "op",
  install: "1Password CLI (https://developer.1password.com/docs/cli)",
  help: "run `op whoami`, sign in with `op signin` or OP_SERVICE_ACCOUNT_TOKEN, and look whether the item is there",
  failures:
    /You are not currently signed in|No accounts configured|session expired|isn't an? (?:item|vault|field|section)|More than one item matches|invalid secret reference|authorization (?:prompt dismissed|timeout|denied)|connecting to desktop app|Too many requests/i,
  callFor: ({ text }) => ({
    // In braces a reference is written for `op inject`.
    args: ["read", "--no-newline", text.startsWith("{{") ? text.slice(2, -2).trim() : text],
    read: (printed) => printed,
  }),
};
