import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

/** Debian's Chromium. */
const CHROMIUM = "/usr/bin/chromium";

/** Without a sandbox of its own, which root has not; and with nothing that calls home. */
const FLAGS = [
  ...["no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking"],
  ...["disable-component-update", "disable-sync"],
].map((flag) => `--${flag}`);

/** True where the browser is there. */
export function hasBrowser() {
  return existsSync(CHROMIUM);
}

/** Starts the browser; resolves to Playwright's. */
export function launchBrowser() {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}
