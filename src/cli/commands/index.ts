import type { CommandDefinition } from "../command-definition.ts";
import { BOXD } from "./boxd/boxd.command.ts";
import { CHECK } from "./check/check.command.ts";
import { COMPLETION } from "./completion/completion.command.ts";
import { CONFIG } from "./config/config.command.ts";
import { DEV_ENV } from "./dev-env/dev-env.command.ts";
import { DIFF } from "./diff/diff.command.ts";
import { DOCTOR } from "./doctor/doctor.command.ts";
import { DRIFT } from "./drift/drift.command.ts";
import { EXPLAIN } from "./explain/explain.command.ts";
import { GRAPH } from "./graph/graph.command.ts";
import { INIT } from "./init/init.command.ts";
import { LSP } from "./lsp/lsp.command.ts";
import { OPENENV } from "./openenv/openenv.command.ts";
import { RENDER } from "./render/render.command.ts";
import { SANDBOX } from "./sandbox/sandbox.command.ts";
import { SCHEMA } from "./schema/schema.command.ts";
import { SECRETS } from "./secrets/secrets.command.ts";
import { STATUS } from "./status/status.command.ts";
import { UPGRADE } from "./upgrade/upgrade.command.ts";
import { VERSION_COMMAND } from "./version/version.command.ts";

/** Every command, in the order of help. A new one is a spec here and an implementation beside it, loaded on use. */
export const COMMANDS: readonly CommandDefinition[] = [
  CHECK,
  STATUS,
  RENDER,
  SECRETS,
  EXPLAIN,
  DIFF,
  UPGRADE,
  GRAPH,
  CONFIG,
  INIT,
  DOCTOR,
  DRIFT,
  SANDBOX,
  BOXD,
  OPENENV,
  DEV_ENV,
  LSP,
  SCHEMA,
  COMPLETION,
  VERSION_COMMAND,
];
