import { DECLARABLE_BACKENDS, RELEASE_VERSIONS } from "../../catalog-names.generated.ts";
import { type CommandDefinition, valueOption } from "../../command-definition.ts";

export const INIT: CommandDefinition = {
  name: "init",
  summary: "make a new deployment: config, secrets, CI, and the rendered files",
  description:
    "Asks on a terminal for what is not given; elsewhere, and with --yes, takes the defaults. Files that exist are never overwritten: each " +
    "is kept, or merged where that is safe. Keys that can be made are made and written into .env (0600); what only you can supply stays " +
    "blank and is listed at the end. Running it again completes what an interrupted run left.",
  args: [{ name: "dir", description: "deployment directory (default: the working directory)", completes: "directory" }],
  options: [
    valueOption("org", "name", "short name of your organisation (default: from the directory's name)"),
    valueOption("target", "name", "hosting target: docker, fly, aws (default: docker)", {
      suggests: ["docker", "fly", "aws"],
    }),
    valueOption("backend", "name", "where agents work: boxd, sprites, aws, local, … (default: boxd)", {
      suggests: DECLARABLE_BACKENDS,
    }),
    valueOption("release", "version", "release of qm (default: the pinned one, else the newest known)", {
      suggests: RELEASE_VERSIONS,
    }),
    valueOption("model-provider", "name", "anthropic, openai, openrouter (default: anthropic)", {
      suggests: ["anthropic", "openai", "openrouter"],
    }),
    valueOption(
      "email-transport",
      "name",
      "how sign-in e-mails are sent: resend, smtp (default: resend; on docker: no sign-in)",
      { suggests: ["resend", "smtp"] },
    ),
    valueOption("public-url", "url", "where people will open qm: scheme and host"),
    valueOption("aws-account", "digits", "aws: the 12 digits of the account"),
    valueOption("toolkit", "spec", "add this toolkit to package.json, as this npm spec"),
    valueOption("action", "name", "let the workflow run this toolkit's GitHub Action, named as owner/repo@tag"),
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
