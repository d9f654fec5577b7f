import type { CommandSpec } from "../spec.ts";
import { BOXD } from "./boxd.spec.ts";
import { CHECK } from "./check.spec.ts";
import { COMPLETION } from "./completion.spec.ts";
import { CONFIG } from "./config.spec.ts";
import { DEV_ENV } from "./dev-env.spec.ts";
import { DIFF } from "./diff.spec.ts";
import { DOCTOR } from "./doctor.spec.ts";
import { EXPLAIN } from "./explain.spec.ts";
import { INIT } from "./init.spec.ts";
import { RENDER } from "./render.spec.ts";
import { SANDBOX } from "./sandbox.spec.ts";
import { SCHEMA } from "./schema.spec.ts";
import { SECRETS } from "./secrets.spec.ts";
import { VERSION_COMMAND } from "./version.spec.ts";

/** Every command, in the order of help. A new one is a spec here and an implementation beside it, loaded on use. */
export const COMMANDS: readonly CommandSpec[] = [CHECK, RENDER, SECRETS, EXPLAIN, DIFF, CONFIG, INIT, DOCTOR, SANDBOX, BOXD, DEV_ENV, SCHEMA, COMPLETION, VERSION_COMMAND];
