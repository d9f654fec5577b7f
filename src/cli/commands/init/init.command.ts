import { DECLARABLE_BACKENDS, RELEASE_VERSIONS } from "../../catalog-names.generated.ts";
import type { CommandDefinition } from "../../command-definition.ts";

export const INIT: CommandDefinition = {
  name: "init",
  summary: "make a new deployment: config, secrets, CI, and the rendered files",
  description:
    "Asks on a terminal for what is not given; elsewhere, and with --yes, takes the defaults. Files that exist are never overwritten: each " +
    "is kept, or merged where that is safe. Keys that can be made are made and written into .env (0600); what only you can supply stays " +
    "blank and is listed at the end. Running it again completes what an interrupted run left.",
  args: [{ name: "dir", description: "deployment directory (default: the working directory)", completes: "directory" }],
  options: [
    {
      name: "org",
      description: "short name of your organisation (default: from the directory's name)",
      value: { name: "name" },
    },
    {
      name: "target",
      description: "hosting target: docker, fly, aws (default: docker)",
      value: { name: "name", suggests: ["docker", "fly", "aws"] },
    },
    {
      name: "backend",
      description: "where agents work: boxd, sprites, aws, local, … (default: boxd)",
      value: { name: "name", suggests: DECLARABLE_BACKENDS },
    },
    {
      name: "release",
      description: "release of qm (default: the pinned one, else the newest known)",
      value: { name: "version", suggests: RELEASE_VERSIONS },
    },
    {
      name: "model-provider",
      description: "anthropic, openai, openrouter (default: anthropic)",
      value: { name: "name", suggests: ["anthropic", "openai", "openrouter"] },
    },
    {
      name: "email-transport",
      description: "how sign-in e-mails are sent: resend, smtp (default: resend; on docker: no sign-in)",
      value: { name: "name", suggests: ["resend", "smtp"] },
    },
    { name: "public-url", description: "where people will open qm: scheme and host", value: { name: "url" } },
    { name: "aws-account", description: "aws: the 12 digits of the account", value: { name: "digits" } },
    { name: "toolkit", description: "add this toolkit to package.json, as this npm spec", value: { name: "spec" } },
    { name: "yes", short: "y", description: "ask nothing" },
    { name: "dry-run", description: "write nothing; show the files and how existing ones would change" },
  ],
  examples: [
    ["qm-deploy init acme --target fly", "a deployment on fly whose agents work on boxd machines"],
    ["qm-deploy init --target docker --backend local --yes", "everything on this host, for trying it out"],
    ["qm-deploy init --toolkit qm-deploy@0.1.0 --dry-run", "look first"],
  ],
  load: async () => (await import("./init.ts")).run,
};
