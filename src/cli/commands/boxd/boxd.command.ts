import type { MachineKind } from "../../../boxd/driver/inventory.ts";
import { type CommandDefinition, OPTIONS, valueOption } from "../../command-definition.ts";

const ABOUT =
  "The key is BOXD_API_KEY of the deployment's .env, else of the environment; org and base URL are BOXD_ORG and BOXD_BASE_URL of env.core, else of the " +
  "environment. Needs the package @boxd-sh/sdk. The key is never printed.";

const KINDS: Readonly<Record<MachineKind, string>> = {
  qm: "a scope of qm, kept",
  scratch: "a throw-away computer of qm",
  paperclip: "a lease of Paperclip",
  openenv: "a container of OpenEnv",
  smoke: "a smoke run",
  other: "made with the driver",
};

const ABOUT_KINDS = `Kinds: ${Object.entries(KINDS)
  .map(([kind, what]) => `${kind} (${what})`)
  .join(", ")}.`;

const FILTERS = [
  valueOption("kind", "kind", "only machines of this kind", { choices: Object.keys(KINDS) }),
  valueOption("owner", "text", "only machines whose owner contains this"),
  valueOption("prefix", "prefix", "only machines of this name prefix"),
];

const LAST_OPTIONS = [OPTIONS.format, OPTIONS.in, OPTIONS.envFile];

export const BOXD: CommandDefinition = {
  name: "boxd",
  summary: "prove a boxd key end to end; see and remove machines that this toolkit made",
  description: ABOUT,
  examples: [
    ["qm-deploy boxd smoke", "make a throw-away machine, try everything on it, delete it"],
    ["qm-deploy boxd list", "every machine that this toolkit has made"],
    ["qm-deploy boxd rm qmdeploy-smoke-0123456789ab", "delete one of them, after a question"],
    ["qm-deploy boxd rm --kind smoke --yes", "delete what smoke runs have left, without one"],
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
      summary: "machines that this toolkit made: for what and whom, state, age; wakes none",
      description: `${ABOUT_KINDS} ${ABOUT}`,
      options: [...FILTERS, ...LAST_OPTIONS],
      load: async () => (await import("./machines.ts")).list,
    },
    {
      name: "rm",
      summary: "delete machines that this toolkit made, each confirmed",
      description: `${ABOUT_KINDS} A machine of kind qm holds an agent's files. ${ABOUT}`,
      args: [{ name: "name", description: "machine names as `list` shows them", many: true }],
      options: [
        { name: "all", description: "every machine that `list` shows" },
        { name: "yes", short: "y", description: "do not ask first" },
        ...FILTERS,
        ...LAST_OPTIONS,
      ],
      load: async () => (await import("./machines.ts")).rm,
    },
  ],
};
