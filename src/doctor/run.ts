import { isSensitiveName } from "../base/redact.ts";
import { explainError } from "../boxd/driver/errors.ts";
import { redact } from "../boxd/driver/redact.ts";
import { BOXD_KEY } from "./boxd-connection.ts";
import { BOXD_PROBES } from "./boxd-probes.ts";
import { FILE_PROBES } from "./file-probes.ts";
import { NETWORK_PROBES } from "./network-probes.ts";
import { failed, PROBE_LIMIT_MS, type Probe, type ProbeContext, type ProbeOutcome } from "./probe.ts";
import { STAGE_PROBE } from "./stage-probe.ts";
import { TOOL_PROBES } from "./tool-probes.ts";

const PROBES: readonly Probe[] = [...TOOL_PROBES, STAGE_PROBE, ...FILE_PROBES, ...NETWORK_PROBES, ...BOXD_PROBES];

/** Characters of what a probe says; a program may print anything. */
const MAX_SAYS = 300;

export type ProbeReport = Pick<Probe, "id" | "title"> & ProbeOutcome;

/**
 * Runs every probe at once, each within its own time; yields the reports in order as they come. Never throws for what a probe meets.
 *
 * @throws the signal's reason once that is aborted, when the probes have ended
 */
export async function* runProbes(
  run: Omit<ProbeContext, "mask">,
  probes: readonly Probe[] = PROBES,
): AsyncGenerator<ProbeReport> {
  const secrets = secretValues(run);
  const context = { ...run, mask: (text: string) => redact(text, secrets) };
  const running = probes.map((probe) => report(probe, context));
  for (const one of running) {
    const reported = await one;
    run.signal.throwIfAborted();
    yield reported;
  }
}

async function report(probe: Probe, context: ProbeContext): Promise<ProbeReport> {
  const { id, title } = probe;
  const limit = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ProbeOutcome>((resolve) => {
    timer = setTimeout(() => {
      limit.abort();
      const help = "try again; if it stays so, look at the network and at the program that is asked";
      resolve(failed(`no answer within ${PROBE_LIMIT_MS / 1000} seconds`, help));
    }, PROBE_LIMIT_MS);
  });
  const signal = AbortSignal.any([limit.signal, context.signal]);
  const outcome = await Promise.race([late, attempt(probe, { ...context, signal })]);
  clearTimeout(timer);
  const says = context.mask(outcome.says);
  return { id, title, ...outcome, says: says.length <= MAX_SAYS ? says : `${says.slice(0, MAX_SAYS)}…` };
}

async function attempt(probe: Probe, context: ProbeContext): Promise<ProbeOutcome> {
  try {
    return await probe.run(context);
  } catch (error) {
    return failed(explainError(error), "see what it says, and run `qm-deploy doctor` again");
  }
}

/** Shorter values stand in ordinary text by chance. */
const MIN_LENGTH = 7;

/**
 * What no probe may show: the values that `.env` and the environment hold for the deployment's secrets, and whatever in `.env` has a secret-looking name. The
 * programs that are asked inherit the environment and stand beside `.env`, so they may print any of it.
 */
function secretValues({ deployment: { env, secrets }, env: inherited }: Omit<ProbeContext, "mask">): readonly string[] {
  const names = new Set([BOXD_KEY, ...secrets.map(({ name }) => name)]);
  const written = [...(env?.values ?? [])]
    .filter(([name]) => names.has(name) || isSensitiveName(name))
    .map(([, value]) => value);
  return [...written, ...[...names].map((name) => inherited[name] ?? "")]
    .map((value) => value.trim())
    .filter((value) => value.length >= MIN_LENGTH);
}
