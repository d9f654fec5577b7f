import type { Workload } from "../../deployment/deployment.ts";
import type { RenderContext } from "../artifact.ts";
import { startCommand } from "../docker/names.ts";
import { inStartOrder } from "../workloads.ts";
import { awsMigrationStep, registerCommand, startCommands } from "./aws-roll.ts";
import { deployCommand } from "./fly.ts";

/** How workloads of a deployment that runs already come to run what was rendered. */
interface Roll {
  /** Those that never ran. */
  readonly isNew: (workload: Workload) => boolean;
  /** True where core runs another image than before, so that tables may have to change first. */
  readonly migrates: boolean;
}

/**
 * Brings the rendered files of some workloads into force where a deployment runs already, in the order in which workloads start.
 * On docker compose finds out itself which containers changed.
 */
export function deployCommands(context: RenderContext, workloads: readonly Workload[], roll: Roll): readonly string[] {
  const ordered = inStartOrder(workloads);
  if (ordered.length === 0) return [];
  if (context.target === "docker") return [startCommand(context)];
  if (context.target === "fly") return ordered.map((workload) => deployCommand(context, workload));
  const groups = [true, false].map((isCore) => ordered.filter(({ name }) => (name === "core") === isCore));
  const migration = roll.migrates ? [awsMigrationStep(context)].flat() : [];
  return [
    ...ordered.map(({ name }) => registerCommand(context, name)),
    ...migration.flatMap(({ commands = [] }) => commands),
    ...groups.flatMap((group) => startCommands(context, group, roll.isNew)),
  ];
}
