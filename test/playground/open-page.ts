/** The built page in a real browser, with an eye on all that it must not do. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launchBrowser } from "../../scripts/playground/browser.mjs";
import { buildPlayground } from "../../scripts/playground/build.mjs";
import { serveFolder } from "../../scripts/playground/serve.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export interface OpenPage {
  readonly page: Page;
  /** What the browser complained of, and requests that left the page's own files. */
  readonly faults: string[];
}

/** Builds and serves the page once; opens it as often as is asked. */
export class PageHost {
  readonly address: string;
  readonly #browser: Browser;
  readonly #close: () => Promise<void>;

  private constructor(address: string, browser: Browser, close: () => Promise<void>) {
    this.address = address;
    this.#browser = browser;
    this.#close = close;
  }

  static async start(): Promise<PageHost> {
    const folder = mkdtempSync(join(tmpdir(), "qm-deploy-playground-"));
    await buildPlayground(folder);
    const { address, close } = await serveFolder(folder);
    const browser = await launchBrowser();
    return new PageHost(address, browser, async () => {
      await browser.close();
      await close();
      rmSync(folder, { recursive: true, force: true });
    });
  }

  end(): Promise<void> {
    return this.#close();
  }

  /** Opens an address of the page in a browser profile of its own, and waits until it has judged; or without one of its files. */
  async open(
    fragment = "",
    options: BrowserContextOptions = {},
    { without = null }: { readonly without?: string | null } = {},
  ): Promise<OpenPage> {
    const context = await this.#browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: this.address });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    const faults: string[] = [];
    page.on("console", (message) => {
      if (message.type() !== "log") faults.push(`${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => faults.push(String(error.stack)));
    page.on("requestfailed", (request) => faults.push(`failed: ${request.url()}`));
    page.on("response", (response) => {
      if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
    });
    context.on("request", (request) => {
      if (!request.url().startsWith(this.address) && !request.url().startsWith("blob:")) faults.push(request.url());
    });
    if (without !== null) await page.route(`**/${without}`, (route) => route.abort());
    await page.goto(this.address + fragment);
    if (without === null) await page.waitForSelector("body[data-ready]");
    // What is missing on purpose is what such a page complains of.
    return { page, faults: without === null ? faults : [] };
  }
}

/** The accessibility faults of a page as axe finds them. Run in an isolated way, as the page's policy lets no script in. */
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly html: string; readonly target: unknown; readonly failureSummary?: string }[];
    }[];
  };
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, target, failureSummary }) =>
        `${id}: ${JSON.stringify(target)} ${html.slice(0, 200)} ${failureSummary ?? ""}`,
    ),
  );
}
