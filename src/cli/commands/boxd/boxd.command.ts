import type { CommandDefinition, OptionDefinition } from "../../command-definition.ts";
import { ENV_FILE_OPTION, FORMAT_OPTION, IN_OPTION } from "../../shared-options.ts";

const ABOUT =
  "The key is BOXD_API_KEY of the deployment's .env, else of the environment; org and base URL are BOXD_ORG and BOXD_BASE_URL of env.core, else of the " +
  "environment. Needs the package @boxd-sh/sdk. The key is never printed.";

const PREFIX_OPTION: OptionDefinition = {
  name: "prefix",
  says: "machines of this name prefix, instead of those of smoke runs (`qmdeploy-smoke`)",
  value: { name: "prefix" },
};

export const BOXD: CommandDefinition = {
  name: "boxd",
  says: "prove a boxd key end to end; see and remove machines that this toolkit made",
  about: ABOUT,
  examples: [
    ["qm-deploy boxd smoke", "make a throw-away machine, try everything on it, delete it"],
    ["qm-deploy boxd list", "machines that a smoke run left behind"],
    ["qm-deploy boxd rm --yes qmdeploy-smoke-0123456789ab", "delete one of them, without a question"],
  ],
  commands: [
    {
      name: "smoke",
      says: "on a throw-away machine: commands, files, a timeout, suspend, stop, delete",
      about: ABOUT,
      options: [
        { name: "keep", says: "leave the machine; boxd deletes it half an hour after it was made" },
        FORMAT_OPTION,
        IN_OPTION,
        ENV_FILE_OPTION,
      ],
      load: () => import("./smoke.ts"),
    },
    {
      name: "list",
      says: "machines that this toolkit made, with state and age; wakes none",
      about: ABOUT,
      options: [PREFIX_OPTION, FORMAT_OPTION, IN_OPTION, ENV_FILE_OPTION],
      load: () => import("./list.ts"),
    },
    {
      name: "rm",
      says: "delete machines that this toolkit made, each confirmed",
      about: ABOUT,
      args: [{ name: "name", says: "machine names as `list` shows them; none: all of them", many: true }],
      options: [
        { name: "yes", short: "y", says: "do not ask first" },
        PREFIX_OPTION,
        FORMAT_OPTION,
        IN_OPTION,
        ENV_FILE_OPTION,
      ],
      load: () => import("./rm.ts"),
    },
  ],
};
