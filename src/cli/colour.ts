import { PLAIN, type Palette } from "../diagnostics/reporters/reporter.ts";
import type { ProcessIo, Output } from "./process-io.ts";

/** NO_COLOR wins over FORCE_COLOR, which wins over what the stream is. */
function wantsColour(io: ProcessIo, output: Output): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = io.env;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return output.isTTY === true && TERM !== "dumb";
}

/** The colours for a stream. Without any, nothing is loaded for them. */
export async function paletteFor(io: ProcessIo, output: Output): Promise<Palette> {
  if (!wantsColour(io, output)) return PLAIN;
  const { default: picocolors } = await import("picocolors");
  const { red, yellow, cyan, green, bold, dim } = picocolors.createColors(true);
  return { error: red, warning: yellow, info: cyan, good: green, strong: bold, faint: dim };
}
