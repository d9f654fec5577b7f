import { appendFileSync } from "node:fs";

/**
 * Adds text to the end of a file that another program has made for it and reads afterwards.
 *
 * @throws file system errors
 */
export function appendText(path: string, text: string): void {
  appendFileSync(path, text, "utf8");
}
