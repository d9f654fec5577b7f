import type { ReferenceTool } from "../base/stand-in-forms.ts";
import { ToolUnusable } from "./ask.ts";

/** Runs work of a tool when its turn has come. */
export type Turns = <T>(tool: ReferenceTool, work: () => Promise<T>) => Promise<T>;

/**
 * Lets at most `most` calls run at once. The first call of each tool runs before its others, since a tool asks its user to unlock it once and
 * not four times; where it turns out unusable, the others get the same answer without being made.
 */
export function createTurns(most: number): Turns {
  const waiting: (() => void)[] = [];
  const firsts = new Map<ReferenceTool, Promise<unknown>>();
  const unusable = new Map<ReferenceTool, ToolUnusable>();
  let running = 0;

  async function inTurn<T>(tool: ReferenceTool, work: () => Promise<T>): Promise<T> {
    while (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      const known = unusable.get(tool);
      if (known !== undefined) throw known;
      return await work();
    } catch (error) {
      if (error instanceof ToolUnusable) unusable.set(tool, error);
      throw error;
    } finally {
      running--;
      waiting.shift()?.();
    }
  }

  return async (tool, work) => {
    const first = firsts.get(tool);
    if (first === undefined) {
      const own = inTurn(tool, work);
      firsts.set(
        tool,
        own.catch(() => undefined),
      );
      return own;
    }
    await first;
    return inTurn(tool, work);
  };
}
