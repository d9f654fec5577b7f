import type { FakePlane } from "./plane.ts";

/** Where a fault strikes: before the control plane does anything, or after it has done everything and only the answer is lost or changed. */
export type FaultPhase = "before" | "after";

/** One injected fault. Exactly one of `error`, `stall`, `hold`, `skip`, `change` says what happens. */
export interface Fault {
  /** `machines.create`, `machines.files.upload`, …; a `*` at the end stands for any rest */
  readonly method: string;
  /** default `before`; `change` is always after */
  readonly when?: FaultPhase;
  /** strikes from the nth matching call on, counted from 1 since the injection; default 1 */
  readonly nth?: number;
  /** how many calls it strikes; default 1, `Infinity` for all */
  readonly times?: number;
  /** only calls whose arguments pass */
  readonly where?: (args: readonly unknown[]) => boolean;
  /** the call rejects with this */
  readonly error?: () => unknown;
  /** the call never answers */
  readonly stall?: true;
  /** the call waits for this before it goes on; what it does to the plane stays when the fault is cleared */
  readonly hold?: (plane: FakePlane, args: readonly unknown[]) => Promise<unknown>;
  /** instead of what was asked for this is done, and answered */
  readonly skip?: (plane: FakePlane, args: readonly unknown[]) => unknown;
  /** the answer is replaced */
  readonly change?: (answer: unknown, args: readonly unknown[], plane: FakePlane) => unknown;
}

/** Which of the calls of a method a fault meets. */
export type Strike = Pick<Fault, "nth" | "times" | "where">;

interface Armed {
  readonly fault: Fault;
  seen: number;
  struck: number;
}

/** The faults of one plane. Each call is struck by the first armed fault of each phase. */
export class Faults {
  private readonly armed: Armed[] = [];

  /** Arms a fault; answers how to disarm it. */
  inject(fault: Fault): () => void {
    const kinds = [fault.error, fault.stall, fault.hold, fault.skip, fault.change].filter((kind) => kind !== undefined);
    if (kinds.length !== 1) throw new TypeError("a fault is exactly one of `error`, `stall`, `hold`, `skip`, `change`");
    const entry: Armed = { fault, seen: 0, struck: 0 };
    this.armed.push(entry);
    return () => {
      const index = this.armed.indexOf(entry);
      if (index >= 0) this.armed.splice(index, 1);
    };
  }

  clear(): void {
    this.armed.length = 0;
  }

  /** Faults that were armed and never struck: a test that expects them proves nothing. */
  unused(): Fault[] {
    return this.armed.filter((entry) => entry.struck === 0).map((entry) => entry.fault);
  }

  /** The faults that strike this call, each at most once per phase. */
  take(method: string, args: readonly unknown[]): { before?: Fault; after?: Fault } {
    const struck: { before?: Fault; after?: Fault } = {};
    for (const entry of this.armed) {
      const { fault } = entry;
      if (!fits(fault.method, method)) continue;
      if (fault.where !== undefined && !fault.where(args)) continue;
      entry.seen += 1;
      const phase = fault.change === undefined ? (fault.when ?? "before") : "after";
      const due = entry.seen >= (fault.nth ?? 1) && entry.struck < (fault.times ?? 1);
      if (!due || struck[phase] !== undefined) continue;
      entry.struck += 1;
      struck[phase] = fault;
    }
    return struck;
  }
}

function fits(pattern: string, method: string): boolean {
  return pattern.endsWith("*") ? method.startsWith(pattern.slice(0, -1)) : method === pattern;
}
