import { byId } from "./dom.ts";

/** Milliseconds for which a notice stands. */
const STANDS_MS = 6000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Says something in a corner for a while; a screen reader reads it out. */
export function notify(text: string): void {
  const element = byId("notice");
  element.textContent = text;
  element.classList.add("is-shown");
  clearTimeout(timer);
  timer = setTimeout(() => element.classList.remove("is-shown"), STANDS_MS);
}

/** Takes back what was said, when something else is done. */
export function endNotice(): void {
  byId("notice").classList.remove("is-shown");
}

/** Puts a text on the clipboard and says so. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(`${what} copied`);
  } catch {
    notify(`the browser does not let this page copy ${what.toLowerCase()}`);
  }
}
