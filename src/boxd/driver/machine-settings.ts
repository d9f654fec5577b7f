/** What is set on a machine that exists: timers, the route to it, and what it may reach. */
import { callControlPlane, mayPass, retryCall, type Operation } from "./call.ts";
import { BoxdDriverError, classifyError } from "./errors.ts";
import { readMachine, requireMachine } from "./lookup.ts";
import { assertIdle, secondsUntil, type Expiry, type IdleTimers } from "./machine-spec.ts";

/** The clock of boxd and a rounded record may differ from ours by this much without the moment counting as missed. */
const CLOCK_TOLERANCE_MS = 2_000;
const TRIES = 3;

/**
 * Sets the delete timer and answers the latest moment at which boxd will delete the machine. With `at` that moment is never later than asked:
 * the timer counts from when boxd received it, so it is set again, shorter, when the call itself took too long. Where the record shows the
 * timer, it is read back.
 */
export async function setExpiry(operation: Operation, id: string, expiry: Expiry): Promise<Date> {
  const { client, clock } = operation;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const seconds = secondsUntil(expiry, clock);
    await retryCall(operation, `set the delete timer of machine ${id}`, () =>
      client.machines.setDeleteAfter(id, seconds),
    );
    const latest = new Date(clock.wallNow() + seconds * 1000);
    if ("afterSeconds" in expiry || latest.getTime() <= expiry.at.getTime()) {
      await readBack(operation, id, latest);
      return latest;
    }
  }
  throw new BoxdDriverError("timeout", `the delete timer of machine ${id} could not be set in time for its deadline`);
}

async function readBack(operation: Operation, id: string, latest: Date): Promise<void> {
  const deleteAt = (await readMachine(operation, id))?.deleteAt;
  // Older versions do not show it; then the acknowledgement has to do.
  if (deleteAt === undefined) return;
  if (deleteAt !== null && deleteAt.getTime() <= latest.getTime() + CLOCK_TOLERANCE_MS) return;
  const problem = `boxd acknowledged the delete timer of machine ${id}, but its record does not show it`;
  throw new BoxdDriverError("unknown", problem);
}

/** Takes the delete timer back. Where the record shows the timer, it is read back. */
export async function clearExpiry(operation: Operation, id: string): Promise<void> {
  await retryCall(operation, `clear the delete timer of machine ${id}`, () =>
    operation.client.machines.setDeleteAfter(id, 0),
  );
  const deleteAt = (await readMachine(operation, id))?.deleteAt ?? null;
  if (deleteAt !== null)
    throw new BoxdDriverError(
      "unknown",
      `boxd acknowledged that machine ${id} has no delete timer, but its record has one`,
    );
}

/** Sets after how many seconds without inbound traffic boxd suspends or hibernates the machine; 0 is never. */
export async function setIdleTimers(operation: Operation, id: string, idle: IdleTimers): Promise<void> {
  assertIdle(idle);
  const { machines } = operation.client;
  await retryCall(operation, `set the suspend timer of machine ${id}`, () =>
    machines.setAutoSuspendTimeout(id, idle.suspendSeconds),
  );
  await retryCall(operation, `set the hibernate timer of machine ${id}`, () =>
    machines.setAutoHibernateTimeout(id, idle.hibernateSeconds),
  );
}

/** boxd enforces a changed list about a second later. */
const EGRESS_SETTLE_MS = 1_000;

/**
 * The machine's public address, without a trailing slash. Whoever has it can reach the machine, so it is a secret: it is in no message.
 * Throws `insecure` when boxd gives none or one that is not https.
 */
export async function httpsUrl(operation: Operation, id: string): Promise<string> {
  const machine = await requireMachine(operation, id);
  const url = (machine.access?.url ?? "").replace(/\/+$/, "");
  if (URL.canParse(url) && new URL(url).protocol === "https:") return url;
  throw new BoxdDriverError("insecure", `machine ${id} has no https address`);
}

/** Ties the machine's default route to one port, instead of the first of a list of usual ports that answers. */
export async function pinRoute(operation: Operation, id: string, port: number): Promise<void> {
  await retryCall(operation, `pin the route of machine ${id} to port ${port}`, () =>
    operation.client.machines.proxies.setPort(id, port),
  );
}

/**
 * Switches the browser check in front of the machine's address. False when this SDK cannot do that, or the record shows that it has not: a client that
 * is no browser may then be refused. SDKs differ in what they take, and one that wants something else than a truth value may ignore ours.
 */
export async function setBotProtection(operation: Operation, id: string, enabled: boolean): Promise<boolean> {
  const { machines } = operation.client;
  if (machines.setBotProtection === undefined) return false;
  const what = `set the browser check of machine ${id}`;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const answered = await callControlPlane(operation, what, async () => machines.setBotProtection?.(id, enabled)).then(
      () => true,
      (error: unknown) => {
        if (mayPass(error) || ["invalid", "defect"].includes(classifyError(error).kind)) return false;
        throw error;
      },
    );
    // Older versions do not show it; then the acknowledgement has to do.
    const { botProtection = answered ? enabled : undefined } = await requireMachine(operation, id);
    if (botProtection === enabled) return true;
  }
  return false;
}

/** What a host name, a wildcard, an address or a range is made of. boxd's own grammar is not known: it may refuse more (docs/contract/boxd.md#isolation-and-traffic). */
const EGRESS_ENTRY = /^[\w.:*[\]-]+(?:\/\d{1,3})?$/;

/** Throws `invalid` for an egress list that holds what is no host, address or range. */
export function assertEgressAllow(entries: readonly string[]): void {
  if (!entries.every((entry) => EGRESS_ENTRY.test(entry)))
    throw new BoxdDriverError(
      "invalid",
      'an entry must be a host, an address or a range (`10.0.0.0/8`), without scheme, path and blanks, or "none"',
    );
  if (entries.includes("none") && entries.length > 1)
    throw new BoxdDriverError("invalid", '"none" allows nothing, and stands alone');
}

/**
 * Limits what the machine can reach: `["none"]` nothing, `[]` everything. Returns once the list is enforced. The call answers the list that is
 * then in force; when that is another one, it throws, for a list that was dropped on the way leaves the machine open.
 */
export async function setEgressAllow(operation: Operation, id: string, entries: readonly string[]): Promise<void> {
  assertEgressAllow(entries);
  const what = `set the egress list of machine ${id}`;
  const inForce = await retryCall(operation, what, () => operation.client.machines.setEgressAllow(id, [...entries]));
  if (!isSameList(inForce, entries))
    throw new BoxdDriverError("unknown", `${what}: boxd answered another list than was asked for`);
  await operation.deadline.sleep(EGRESS_SETTLE_MS, `the egress list of machine ${id} takes effect`);
}

/** Whether the answer has exactly these entries, in any order and case. An answer that is no list proves nothing. */
function isSameList(answer: unknown, entries: readonly string[]): boolean {
  if (!Array.isArray(answer)) return false;
  // One address may come back as the range that it is.
  const single = /^([\d.]+)\/32$|^([\da-f:]+)\/128$/;
  const plain = (entry: unknown): string => String(entry).trim().toLowerCase().replace(single, "$1$2");
  const sorted = (list: readonly unknown[]): string => JSON.stringify([...new Set(list.map(plain))].sort());
  return sorted(answer) === sorted(entries);
}
