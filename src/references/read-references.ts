import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { findReference } from "../base/stand-in.ts";
import type { ReferenceTool } from "../base/stand-in-forms.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { withReferences } from "../deployment/resolve.ts";
import { MAX_VALUE_BYTES, type ReferenceReading, withoutFinalBreak } from "../envfile/index.ts";
import { filledSecrets } from "../rules/envfile/entries.ts";
import { ask, type Answer, type AskOptions, ToolUnusable } from "./ask.ts";
import { createTurns, type Turns } from "./turns.ts";
import type { Call, Reference, ReferencePlace } from "./tool.ts";
import { TOOLS } from "./tools/index.ts";

/** For one call of a tool; some ask their user to unlock them. */
const LIMIT_MS = 60_000;
/** Calls at the same time. */
const AT_ONCE = 4;

/** How the references of a run are read. */
export interface ReadOptions {
  /** File names in reports are relative to it. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly limitMs?: number;
}

/**
 * Gives a deployment the values that its references stand for, or the reasons why there are none.
 *
 * @throws the signal's reason once that is aborted; what was started is ended then
 */
export type ReferenceReader = (deployment: Deployment, signal?: AbortSignal) => Promise<Deployment>;

/**
 * A reader for the deployments of one run, which asks for each reference once. What it reads is in memory alone. Of `.env` only what
 * the deployment needs as a secret is read.
 */
export function createReferenceReader({ limitMs = LIMIT_MS, ...options }: ReadOptions): ReferenceReader {
  const asked = new Map<string, Promise<Answer>>();
  const turns = createTurns(AT_ONCE);
  return async (deployment, signal) => {
    const place = placeOf(deployment, options.cwd);
    if (place === null) return deployment;
    const askAs = { ...options, signal, limitMs, cwd: place.directory };
    const once = (tool: ReferenceTool, call: Call): Promise<Answer> => {
      const key = JSON.stringify([tool, call.cwd ?? place.directory, call.args]);
      const answer = asked.get(key) ?? askInTurn(tool, call, askAs, turns);
      asked.set(key, answer);
      return answer;
    };
    return withReferences(deployment, await readAll(deployment, place, once));
  };
}

type Ask = (tool: ReferenceTool, call: Call) => Promise<Answer>;

function askInTurn(tool: ReferenceTool, call: Call, options: AskOptions, turns: Turns): Promise<Answer> {
  return turns(tool, () => ask(TOOLS[tool], call, options));
}

async function readAll(
  deployment: Deployment,
  place: ReferencePlace,
  once: Ask,
): Promise<ReadonlyMap<string, ReferenceReading>> {
  const byTool = new Map<ReferenceTool, Reference[]>();
  for (const { entry, value } of filledSecrets(deployment)) {
    const tool = findReference(value)?.tool;
    if (tool === undefined) continue;
    byTool.set(tool, [...(byTool.get(tool) ?? []), { text: value.trim(), entry }]);
  }
  const read = [...byTool].flatMap(([tool, references]) =>
    references.map(async (reference): Promise<readonly [string, ReferenceReading]> => {
      const call = TOOLS[tool].callFor(reference, references, place);
      return [reference.entry.key, "problem" in call ? call : await readOne(tool, call, reference, once)];
    }),
  );
  return new Map(await Promise.all(read));
}

async function readOne(tool: ReferenceTool, call: Call, reference: Reference, once: Ask): Promise<ReferenceReading> {
  try {
    const { printed, failure } = await once(tool, call);
    if (failure !== null && call.givesPart !== true) return failure;
    const value = call.read(printed, reference);
    if (value === null) return failure ?? notIn(tool);
    return typeof value === "string" ? judged(withoutFinalBreak(value), tool) : value;
  } catch (error) {
    if (error instanceof ToolUnusable) return error.reason;
    throw error;
  }
}

function notIn(tool: ReferenceTool): ReferenceReading {
  return { problem: `is not in what \`${tool}\` gave`, help: TOOLS[tool].help };
}

/** What the rules about values cannot say, as it would be no value of an env file at all. */
function judged(value: string, tool: ReferenceTool): ReferenceReading {
  if (value.trim() === "") return { problem: `is blank where \`${tool}\` read it`, help: "store the value there" };
  if (Buffer.byteLength(value) <= MAX_VALUE_BYTES) return { value };
  return {
    problem: `is longer than ${MAX_VALUE_BYTES / 1024} KiB`,
    help: "store the key alone, not what it is kept with",
  };
}

/** Where the tools find what belongs to `.env`; null where there is none. */
function placeOf({ inputs, env, document }: Deployment, cwd: string): ReferencePlace | null {
  if (env === null || inputs.envFile === null) return null;
  const file = resolve(cwd, inputs.envFile.file);
  return {
    document: env,
    file: statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : null,
    directory: inputs.directory === null ? cwd : dirname(resolve(cwd, document.file)),
  };
}
