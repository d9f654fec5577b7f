/** One call that reached the client, in the order of arrival. */
export interface RecordedCall {
  readonly seq: number;
  readonly method: string;
  /** a deep copy of what was passed */
  readonly args: readonly unknown[];
  /** `pending` also for a call that never answers */
  outcome: "pending" | "ok" | "error";
  error?: unknown;
}

/** Keeps every call and every argument list. */
export class Recorder {
  readonly calls: RecordedCall[] = [];

  begin(method: string, args: readonly unknown[]): RecordedCall {
    const call: RecordedCall = { seq: this.calls.length, method, args: copyOf(args), outcome: "pending" };
    this.calls.push(call);
    return call;
  }

  /** The calls of one method. */
  of(method: string): RecordedCall[] {
    return this.calls.filter((call) => call.method === method);
  }

  /** The method names, in order. */
  methods(): string[] {
    return this.calls.map((call) => call.method);
  }

  /** Every command line that was sent to a machine. */
  commands(): string[] {
    return this.of("machines.exec").map((call) => (call.args[1] as { command: string }).command);
  }

  /** Everything uploaded: path and bytes. */
  uploads(): { path: string; data: Uint8Array }[] {
    return this.of("machines.files.upload").map((call) => ({
      path: call.args[1] as string,
      data: call.args[2] as Uint8Array,
    }));
  }

  /**
   * The methods of the calls in whose arguments `secret` occurs outside of uploaded bytes, plain or encoded as base64 or in a URL.
   * For canary tests: the answer must be empty.
   */
  leaksOf(secret: string): string[] {
    const forms = [secret, Buffer.from(secret).toString("base64").replace(/=+$/, ""), encodeURIComponent(secret)];
    return this.calls
      .filter((call) => forms.some((form) => JSON.stringify(call.args, withoutBytes).includes(jsonInner(form))))
      .map((call) => call.method);
  }
}

/** What cannot be copied (a function, a signal) is no argument of the port; its text must do for the record. */
function copyOf(args: readonly unknown[]): readonly unknown[] {
  try {
    return structuredClone(args);
  } catch {
    return args.map(String);
  }
}

function withoutBytes(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? `${String(value.length)} bytes` : value;
}

function jsonInner(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
