import { readFileSync } from "node:fs";

/** One call of the host's at the worker, as the recorder wrote it down. */
export interface HostCall {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** milliseconds since the epoch */
  readonly at: number;
  /** milliseconds until the answer; null where there was none */
  readonly tookMs: number | null;
  readonly result: unknown;
  readonly error: { readonly message: string } | undefined;
}

interface Line {
  at: number;
  asked?: { id?: number | string; method?: string; params?: Record<string, unknown> };
  told?: { id?: number | string; method?: string; result?: unknown; error?: { message: string } };
}

/** The calls at every worker that wrote to the file, in order; ids begin anew with each worker. */
export function recordedCalls(file: string): HostCall[] {
  const calls: HostCall[] = [];
  const open = new Map<number | string, number>();
  for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    const { at, asked, told } = JSON.parse(line) as Line;
    if (asked?.id !== undefined && asked.method !== undefined) {
      open.set(asked.id, calls.length);
      const { method, params = {} } = asked;
      calls.push({ method, params, at, tookMs: null, result: undefined, error: undefined });
    }
    const index = told?.method === undefined ? open.get(told?.id ?? "") : undefined;
    const call = index === undefined ? undefined : calls[index];
    if (call !== undefined && index !== undefined)
      calls[index] = { ...call, tookMs: at - call.at, result: told?.result, error: told?.error };
  }
  return calls;
}
