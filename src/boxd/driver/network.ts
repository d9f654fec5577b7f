import { retryCall, type Operation } from "./call.ts";
import { BoxdDriverError } from "./errors.ts";
import { requireMachine } from "./lookup.ts";

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
 * Switches the browser check in front of the machine's address. False when this SDK cannot do that: it then stays on, and a client that is no
 * browser may be refused while the machine sleeps.
 */
export async function setBotProtection(operation: Operation, id: string, enabled: boolean): Promise<boolean> {
  const { machines } = operation.client;
  if (machines.setBotProtection === undefined) return false;
  await retryCall(operation, `set the browser check of machine ${id}`, async () =>
    machines.setBotProtection?.(id, enabled),
  );
  return true;
}

/**
 * Limits what the machine can reach: `["none"]` nothing, `[]` everything. Returns once the list is enforced. The call answers the list that is
 * then in force; when that is another one, it throws, for a list that was dropped on the way leaves the machine open.
 */
export async function setEgressAllow(operation: Operation, id: string, entries: readonly string[]): Promise<void> {
  const what = `set the egress list of machine ${id}`;
  const inForce = await retryCall(operation, what, () => operation.client.machines.setEgressAllow(id, [...entries]));
  if (!isSameList(inForce, entries))
    throw new BoxdDriverError("unknown", `${what}: boxd answered another list than was asked for`);
  await operation.deadline.sleep(EGRESS_SETTLE_MS, `the egress list of machine ${id} takes effect`);
}

/** Whether the answer has exactly these entries, in any order and case. An answer that is no list proves nothing. */
function isSameList(answer: unknown, entries: readonly string[]): boolean {
  if (!Array.isArray(answer)) return false;
  const sorted = (list: readonly unknown[]): string => JSON.stringify([...new Set(list.map(plainEntry))].sort());
  return sorted(answer) === sorted(entries);
}

/** One address may come back as the range that it is. */
function plainEntry(entry: unknown): string {
  return String(entry)
    .trim()
    .toLowerCase()
    .replace(/^([\d.]+)\/32$|^([\da-f:]+)\/128$/, "$1$2");
}
