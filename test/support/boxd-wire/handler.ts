import { grpcError, type FakePlane } from "../boxd-fake/index.ts";
import type { Message } from "./codec.ts";

/** What a call comes with. */
export interface Incoming {
  readonly plane: FakePlane;
  /** the key that its token stands for */
  readonly apiKey: string;
  readonly messages: AsyncIterator<Message>;
  /** waits while the receiver is slow */
  readonly send: (message: Message) => Promise<void>;
  /** the caller has cancelled the call, or its connection is gone */
  readonly gone: AbortSignal;
}

/** Answers one call; what it throws becomes the call's status. */
export type Handler = (incoming: Incoming) => Promise<void>;

/** The first message of a call, INTERNAL when there is none. */
export async function firstMessage({ messages }: Incoming): Promise<Message> {
  const { value, done } = await messages.next();
  if (done === true) throw grpcError(13, "the call came without a message");
  return value;
}

/** The machine that a request is about. */
export function idOf(request: Message, field = "vm_id"): string {
  const id: string = request[field];
  if (id === "") throw grpcError(3, `${field} must be given`);
  return id;
}
