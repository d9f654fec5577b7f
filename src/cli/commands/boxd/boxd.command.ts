import { type CommandDefinition, OPTIONS, valueOption } from "../../command-definition.ts";

const ABOUT =
  "The key is BOXD_API_KEY of the deployment's .env, else of the environment; org and base URL are BOXD_ORG and BOXD_BASE_URL of env.core, else of the " +
  "environment. Needs the package @boxd-sh/sdk. The key is never printed.";

const PREFIX_OPTION = valueOption(
  "prefix",
  "prefix",
  "machines of this name prefix, instead of those of smoke runs (`qmdeploy-smoke`)",
);

const LAST_OPTIONS = [OPTIONS.format, OPTIONS.in, OPTIONS.envFile];

export const BOXD: CommandDefinition = {
  name: "boxd",
  summary: "prove a boxd key end to end; see and remove machines that this toolkit made",
  description: ABOUT,
  examples: [
    ["qm-deploy boxd smoke", "make a throw-away machine, try everything on it, delete it"],
    ["qm-deploy boxd list", "machines that a smoke run left behind"],
    ["qm-deploy boxd rm --yes qmdeploy-smoke-0123456789ab", "delete one of them, without a question"],
  ],
  commands: [
    {
      name: "smoke",
      summary: "on a throw-away machine: commands, files, a timeout, suspend, stop, delete",
      description: ABOUT,
      options: [
        { name: "keep", description: "leave the machine; boxd deletes it half an hour after it was made" },
        ...LAST_OPTIONS,
      ],
      load: async () => (await import("./smoke.ts")).run,
    },
    {
      name: "list",
      summary: "machines that this toolkit made, with state and age; wakes none",
      description: ABOUT,
      options: [PREFIX_OPTION, ...LAST_OPTIONS],
      load: async () => (await import("./machines.ts")).list,
    },
    {
      name: "rm",
      summary: "delete machines that this toolkit made, each confirmed",
      description: ABOUT,
      args: [{ name: "name", description: "machine names as `list` shows them; none: all of them", many: true }],
      options: [{ name: "yes", short: "y", description: "do not ask first" }, PREFIX_OPTION, ...LAST_OPTIONS],
      load: async () => (await import("./machines.ts")).rm,
    },
  ],
};
