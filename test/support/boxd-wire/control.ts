import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { ManualClock, type Quirks, type Steps } from "../boxd-fake/index.ts";
import { report } from "../boxd-sdk-stand-in/process-plane.ts";
import { toFault, type PlainFault } from "../boxd-sdk-stand-in/settings.ts";
import type { WirePlane } from "./server.ts";
import type { ExchangeRules } from "./tokens.ts";

/** What a test in another process asks of the plane, each as JSON to `POST /plane/<name>`. */
export interface Controls {
  /** what the plane has seen and still holds (`StandInReport`) */
  report: Record<string, never>;
  faults: PlainFault[];
  "clear-faults": Record<string, never>;
  quirks: Partial<Quirks>;
  steps: Partial<Steps>;
  exchange: Partial<ExchangeRules>;
  /** every token is refused from now on */
  revoke: Record<string, never>;
  /** every connection breaks */
  drop: Record<string, never>;
  /** milliseconds; only on a plane that was started with FAKE_BOXD_CLOCK=manual */
  advance: { ms: number };
}

type Acts = { [name in keyof Controls]: (wire: WirePlane, body: Controls[name]) => unknown };

const ACTS: Acts = {
  report: ({ plane, tokens }) => ({ ...report(plane, { opened: 0, closed: 0 }), exchanges: tokens.exchanges }),
  faults: ({ plane }, faults) => {
    for (const fault of faults) plane.faults.inject(toFault(fault));
  },
  "clear-faults": ({ plane }) => {
    plane.faults.clear();
  },
  quirks: ({ plane }, quirks) => Object.assign(plane.quirks, quirks),
  steps: ({ plane }, steps) => Object.assign(plane.steps, steps),
  exchange: ({ tokens }, rules) => Object.assign(tokens.rules, rules),
  revoke: ({ tokens }) => {
    tokens.revokeAll();
  },
  drop: (wire) => {
    wire.dropConnections();
  },
  async advance({ plane }, { ms }) {
    if (!(plane.clock instanceof ManualClock)) throw new TypeError("the plane's clock is the real one");
    await plane.clock.advance(ms);
  },
};

/** Answers a request that is for the plane itself. */
export async function control(wire: WirePlane, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = /^\/plane\/([a-z-]+)$/.exec(request.url ?? "")?.[1] ?? "";
  const act = Object.hasOwn(ACTS, name) ? ACTS[name as keyof Controls] : undefined;
  const answer = (status: number, body: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body ?? {}));
  };
  if (act === undefined) {
    answer(404, { error: "not found" });
    return;
  }
  try {
    const body = await text(request);
    answer(200, await act(wire, (body === "" ? {} : JSON.parse(body)) as never));
  } catch (error) {
    answer(400, { error: String(error) });
  }
}
