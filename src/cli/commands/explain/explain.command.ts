import { type CommandDefinition, OPTIONS } from "../../command-definition.ts";

export const EXPLAIN: CommandDefinition = {
  name: "explain",
  summary: "say of a name, field, secret or rule: its value, where it comes from, what it reaches, what changes it",
  description:
    "A thing is a name that a workload gets (`SANDBOX_BACKEND`, or `core.SANDBOX_BACKEND` for one workload), a field of the config, a secret, " +
    "a setting that qm reads, the id of a rule, a sandbox backend or a release. Without one, every name of every workload is listed with its origin. What may be secret is never shown.",
  args: [{ name: "thing", completes: "setting", description: "what to explain" }],
  options: [OPTIONS.format, OPTIONS.in, OPTIONS.release, OPTIONS.target],
  examples: [
    ["qm-deploy explain core.SANDBOX_BACKEND", "a rendered name"],
    ["qm-deploy explain sandbox.backend", "a field of the config"],
    ["qm-deploy explain BOXD_API_KEY", "a secret"],
    ["qm-deploy explain sandbox/fly-only-field", "a rule"],
    ["qm-deploy explain", "every name of every workload"],
  ],
  load: async () => (await import("./explain.ts")).run,
};
