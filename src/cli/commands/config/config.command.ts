import { type ArgumentDefinition, type CommandDefinition, OPTIONS } from "../../command-definition.ts";

const FIELD: ArgumentDefinition = {
  name: "field",
  description: 'where the value stands: `sandbox.backend`, `plugins[0].image`, `env.core["MY.KEY"]`',
  required: true,
  completes: "setting",
};

const FORCE = { name: "force", description: "write even where the change adds errors" };

export const CONFIG: CommandDefinition = {
  name: "config",
  summary: "read or change one value of qm.config.jsonc; comments and layout stay",
  commands: [
    {
      name: "get",
      summary: "print a value: text as it is, everything else as JSON; ends with 1 where there is none",
      args: [FIELD],
      options: [OPTIONS.format, OPTIONS.in],
      load: async () => (await import("./config.ts")).get,
    },
    {
      name: "set",
      summary: "set a value; refused where that adds errors",
      description:
        "The value is read as JSON where it is JSON, else as text. Where the config takes only text, a number or an object is taken as text too, " +
        "so that `env.core.BOXD_VCPU 4` means what it says. Secret values do not belong here: use `secrets set`.",
      args: [
        FIELD,
        {
          name: "value",
          description: "the new value; put `--` before one that starts with a hyphen",
          required: true,
          completes: "setting-value",
        },
      ],
      options: [
        { name: "string", description: "take the value as text, whatever it looks like" },
        { name: "json", description: "take the value as JSON, and refuse what is none" },
        FORCE,
        OPTIONS.in,
      ],
      examples: [
        ["qm-deploy config set sandbox.backend boxd", "choose the sandbox backend"],
        ['qm-deploy config set services \'["core", "web-ui"]\'', "a list"],
      ],
      load: async () => (await import("./config.ts")).set,
    },
    {
      name: "unset",
      summary: "remove a value with the comments right above and behind it; refused where that adds errors",
      args: [FIELD],
      options: [FORCE, OPTIONS.in],
      load: async () => (await import("./config.ts")).unset,
    },
  ],
};
