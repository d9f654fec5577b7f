/** The page in Chromium: what people do with it, and what it must never do. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeState } from "../../playground/src/share-link.ts";
import { hasBrowser } from "../../scripts/playground/browser.mjs";
import { axeFaults, type OpenPage, PageHost } from "./open-page.ts";

const KEY = "sk-ant-api03-Zx81QpLm4Wv7NcRt2Bh9Ks6Dj3Fg5Ty0";
const SOUND = "docker-local";

let host: PageHost;
const opened: OpenPage[] = [];

async function open(...args: Parameters<PageHost["open"]>): Promise<Page> {
  const one = await host.open(...args);
  opened.push(one);
  return one.page;
}

/** Waits until a check of the page holds. */
async function until(check: () => Promise<void>): Promise<void> {
  await expect.poll(async () => check().then(() => true, String), { timeout: 120_000 }).toBe(true);
}

const editor = (page: Page, name = "config") => page.locator(`#${name} .cm-content`);
const findings = (page: Page) => page.locator("#findings-list .finding-message").allTextContents();
const verdict = (page: Page) => page.locator("#verdict").innerText();

/** Writes a text in the place of all that is in an editor, by the clipboard, as people do. */
async function paste(page: Page, text: string, name = "config"): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await editor(page, name).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+v");
}

async function choose(page: Page, example: string): Promise<void> {
  await page.selectOption("#example", example);
  await until(async () => expect(await verdict(page)).toMatch(/^Passes/));
}

describe.skipIf(!hasBrowser())("in Chromium (skipped without it)", () => {
  beforeAll(async () => {
    host = await PageHost.start();
  });

  afterAll(async () => {
    await host.end();
  });

  test("opens with a draft, its findings in the margin, under the text and in a list", async () => {
    const page = await open();
    expect(await verdict(page)).toBe("Fails: 3 errors, 2 warnings, 3 infos");
    expect(await findings(page)).toContain("error: env.core.BOXD_VCPU is not a size that boxd has");
    expect(await page.locator("#config .cm-lint-marker-error").count()).toBe(3);
    expect(await page.locator("#config .cm-lintRange-warning").first().innerText()).toContain("BOXD_EGRES_PROXY_URL");
    expect(await page.locator("#findings-list").innerText()).toContain("did you mean admin?");
  });

  test("finds what is typed while it is typed", async () => {
    const page = await open();
    await choose(page, SOUND);
    await page.locator("#config .cm-line", { hasText: '"orgId"' }).click();
    await page.keyboard.press("End");
    await page.keyboard.type(' "orgid": 1,');
    await until(async () => expect(await findings(page)).toContain("error: unknown field orgid"));
  });

  test("offers what may stand at the cursor, with what it is for, and writes what is chosen", async () => {
    const page = await open();
    await paste(page, '{ "target": "docker", "services": ["core"],  }');
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.type('"sand');
    const list = page.locator("#config .cm-tooltip-autocomplete");
    await list.locator("li", { hasText: "sandbox" }).waitFor();
    await page.locator("#config .cm-completionInfo", { hasText: "What runs the sandboxes of agents." }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await list.locator("li", { hasText: "sandbox" }).click();
    await list.locator("li", { hasText: "backend" }).click();
    await list.locator("li", { hasText: "boxd" }).click();
    await until(async () =>
      expect(await editor(page).innerText()).toBe(
        '{ "target": "docker", "services": ["core"], "sandbox": { "backend": "boxd" } }',
      ),
    );
    await page.locator("#tab-env").click();
    await editor(page, "env").focus();
    await page.keyboard.press("Control+Space");
    await page.locator("#env .cm-tooltip-autocomplete li", { hasText: "BOXD_API_KEY" }).click();
    expect(await editor(page, "env").innerText()).toBe("BOXD_API_KEY=");
  });

  test("a fix is one click away, alone or with all that are certain, and one undo takes it back", async () => {
    const page = await open();
    await page.locator(".fix", { hasText: "Set services[2] to admin" }).click();
    await until(async () =>
      expect(await editor(page).innerText()).toContain('"services": ["core", "web-ui", "admin"]'),
    );
    await page.getByRole("button", { name: "Apply 1 safe fix" }).click();
    await until(async () => expect(await editor(page).innerText()).toContain('"sandbox": { "backend": "boxd" }'));
    await until(async () => expect(await verdict(page)).toBe("Fails: 1 error, 2 warnings, 3 infos"));
    await editor(page).focus();
    await page.keyboard.press("Control+z");
    await until(async () => expect(await editor(page).innerText()).toContain("acme-sandboxes"));
  });

  test("another target renders its files, as `--target` does, and back again", async () => {
    const page = await open();
    await choose(page, "docker-boxd");
    await page.locator("#file-tabs", { hasText: "compose.yaml" }).waitFor();
    await page.getByRole("radio", { name: "fly" }).check();
    await page.locator("#file-tabs", { hasText: "core.fly.toml" }).waitFor();
    expect(await page.locator("#command").innerText()).toBe("qm-deploy check --target fly");
    expect(await page.locator("#file-name").innerText()).toMatch(/^rendered\/fly\//);
    await page.getByRole("radio", { name: "docker" }).check();
    await page.locator("#file-tabs", { hasText: "compose.yaml" }).waitFor();
    expect(await page.locator("#command").innerText()).toBe("qm-deploy check");
    await page.getByRole("radio", { name: "0.1.6" }).check();
    await until(async () => expect(await page.locator("#command").innerText()).toBe("qm-deploy check --release 0.1.6"));
    expect(await page.locator("#release-note").innerText()).toBe("chosen here");
  });

  test("every rendered file can be looked at", async () => {
    const page = await open();
    await choose(page, "fly-boxd");
    await page.locator("#file-tabs", { hasText: "core.fly.toml" }).waitFor();
    for (const name of await page.locator("#file-tabs [role=tab]").allInnerTexts()) {
      await page.locator(`#file-tabs [role=tab]`, { hasText: new RegExp(`^${name.replaceAll(".", "\\.")}$`) }).click();
      expect(await page.locator("#file-name").innerText()).toBe(`rendered/fly/${name}`);
      expect((await page.locator("#file-text .cm-content").innerText()).length).toBeGreaterThan(50);
    }
  });

  test("a link brings back what was shared, in another browser and when the page is loaded anew; `.env` is not in it", async () => {
    const page = await open();
    await choose(page, SOUND);
    await page.locator("#tab-env").click();
    await paste(page, `ANTHROPIC_API_KEY=${KEY}\n`, "env");
    await page.getByRole("radio", { name: "fly" }).check();
    await page.locator("#tab-secrets").click();
    await until(async () => expect(await page.locator("#secrets-body").innerText()).toContain("missing"));
    await page.locator("#share").click();
    await page.locator("#notice", { hasText: "Link copied" }).waitFor();
    const link = (await page.evaluate("navigator.clipboard.readText()")) as string;
    expect(page.url()).toBe(link);
    const state = await decodeState(new URL(link).hash.slice(1));
    expect(state).toMatchObject({ example: SOUND, target: "fly", tab: "tab-secrets" });
    expect(JSON.stringify(state)).not.toContain(KEY.slice(0, 12));
    await page.reload();
    await page.waitForSelector("body[data-ready]");
    const other = await open(new URL(link).hash);
    for (const one of [page, other]) {
      expect(await editor(one).innerText()).toContain("Everything on one machine");
      expect(await one.locator("#command").innerText()).toBe("qm-deploy check --target fly");
      expect(await one.locator("#panel-secrets").isVisible()).toBe(true);
      await one.locator("#tab-env").click();
      expect(await editor(one, "env").innerText()).toBe("NAME=value, one a line.\n");
    }
    const kept = (await page.evaluate("JSON.stringify([{ ...sessionStorage }, { ...localStorage }])")) as string;
    expect(await decodeState(JSON.parse(kept)[0]["qm-deploy-draft"])).not.toBeNull();
    expect(kept).not.toContain(Buffer.from(KEY).toString("base64url").slice(0, 12));
  });

  test("the address holds what the page shows, or nothing; an edit outlives a reload", async () => {
    const page = await open();
    await page.locator("#share").click();
    await until(async () => expect(new URL(page.url()).hash).not.toBe(""));
    await paste(page, '{ "contract": 1, "orgId": "edited" }');
    await until(async () => expect(new URL(page.url()).hash).toBe(""));
    await until(async () => expect(await findings(page)).not.toEqual([]));
    await until(async () => expect((await page.evaluate("sessionStorage['qm-deploy-draft']")) as string).toBeTruthy());
    await page.waitForTimeout(300);
    await page.reload();
    await page.waitForSelector("body[data-ready]");
    expect(await editor(page).innerText()).toContain("edited");
  });

  test("there is no link while the config holds a secret, and nothing of it is kept", async () => {
    const page = await open();
    await paste(page, `{ "contract": 1, "orgId": "acme", "env": { "core": { "K": "${KEY}" } } }`);
    await until(async () => expect(await page.locator("#share").getAttribute("aria-disabled")).toBe("true"));
    // Not even at once after typing, when the page has not judged it yet.
    await paste(page, '{ "contract": 1 }');
    await until(async () => expect(await page.locator("#share").getAttribute("aria-disabled")).toBe("false"));
    await paste(page, `{ "contract": 1, "orgId": "${KEY}" `);
    await page.locator("#share").click();
    await page.locator("#notice", { hasText: "No link while the config holds a secret in line 1" }).waitFor();
    expect(new URL(page.url()).hash).toBe("");
    await until(async () => expect(await page.evaluate("sessionStorage['qm-deploy-draft'] ?? null")).toBeNull());
    expect(await page.locator("#panel-files").innerText()).toContain("none is made of a config that holds a secret");
    expect(await page.evaluate("document.body.innerText")).not.toContain(KEY);
  });

  test("there is no link, and nothing is kept, of an env file in the place of the config, or of a text too large to be judged", async () => {
    const page = await open();
    for (const text of [`ANTHROPIC_API_KEY=${KEY}\n`, `{}//${"x".repeat(1024 * 1024)}\n${KEY}`]) {
      await paste(page, '{ "contract": 1 }');
      await until(async () => expect(await page.locator("#share").getAttribute("aria-disabled")).toBe("false"));
      await paste(page, text);
      await page.locator("#share").dispatchEvent("click");
      await page.locator("#notice", { hasText: /^No link / }).waitFor();
      expect(new URL(page.url()).hash).toBe("");
      expect(await page.evaluate("sessionStorage['qm-deploy-draft'] ?? null")).toBeNull();
    }
  });

  test("a link cannot show a tab that there is not", async () => {
    for (const tab of ["tab-env", "panel-files", "__proto__"]) {
      const page = await open(`#p${Buffer.from(JSON.stringify({ config: "{}", tab })).toString("base64url")}`);
      expect(await page.locator("#panel-files").isVisible(), tab).toBe(true);
      expect(await page.locator("#tab-files").getAttribute("aria-selected"), tab).toBe("true");
    }
  });

  test("a link cannot put words into the command to copy", async () => {
    const state = { config: "{}", example: "x", target: "docker; reboot", release: "$(reboot)", strict: true };
    const page = await open(`#p${Buffer.from(JSON.stringify(state)).toString("base64url")}`);
    expect(await page.locator("#command").innerText()).toBe("qm-deploy check --strict");
    expect(await editor(page).innerText()).toBe("{}");
  });

  test("says so where its checker cannot be loaded", async () => {
    const page = await open("", {}, { without: "worker.js" });
    await page.locator("#verdict", { hasText: "The checker could not start" }).waitFor();
  });

  test("a broken link says so and opens the draft", async () => {
    const page = await open("#zAAAA");
    await page.locator("#notice", { hasText: "This link cannot be read" }).waitFor();
    expect(await verdict(page)).toMatch(/^Fails/);
  });

  test("rests the pointer on a name: what it is, where it goes, and the fix of what is wrong with it", async () => {
    const page = await open();
    await page.locator("#config .cm-lintRange-warning").first().hover();
    await page.locator("#config .tip", { hasText: "is no setting of boxd" }).waitFor();
    await page.locator("#config .tip button", { hasText: "BOXD_EGRESS_PROXY_URL" }).click();
    await until(async () => expect(await editor(page).innerText()).toContain('"BOXD_EGRESS_PROXY_URL"'));
    await page.locator("#config .cm-line", { hasText: '"HARNESS"' }).locator("span").first().hover();
    await page.locator("#config .tip", { hasText: "env.core.HARNESS: a field of the config" }).waitFor();
  });

  test("explains a name of `.env`, and shows its value nowhere", async () => {
    const page = await open();
    await page.locator("#tab-env").click();
    await paste(page, `BOXD_API_KEY=${KEY}`, "env");
    await page.locator("#env .cm-line span").first().hover();
    await page.locator("#env .tip", { hasText: "BOXD_API_KEY: a secret, required" }).waitFor();
    await page.keyboard.press("Home");
    await page.keyboard.press("Control+i");
    await page.locator("#explain-body h3", { hasText: "BOXD_API_KEY: a secret, required" }).waitFor();
    expect(await page.evaluate("document.body.innerText")).not.toContain(KEY);
  });

  test("by keys alone: to a finding, its explanation, back, its fix, and out of the editor", async () => {
    const page = await open();
    await editor(page).focus();
    await page.keyboard.press("F8");
    await page.keyboard.press("F8");
    await page.keyboard.press("Control+i");
    await page.locator("#explain-body h3", { hasText: "env.core.BOXD_VCPU" }).first().waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("F8");
    await page.keyboard.press("Control+.");
    await until(async () => expect(await editor(page).innerText()).toContain('"BOXD_EGRESS_PROXY_URL"'));
    await page.keyboard.press("Tab");
    const focused = () => page.evaluate("document.activeElement.id || document.activeElement.textContent");
    expect(await focused()).not.toBe("config");
    await page.locator("#tab-files").focus();
    await page.keyboard.press("ArrowRight");
    expect(await focused()).toBe("tab-secrets");
    expect(await page.locator("#panel-secrets").isVisible()).toBe(true);
    await page.keyboard.press("End");
    expect(await focused()).toBe("tab-explain");
  });

  test("the focus stays where it was when the list changes", async () => {
    const page = await open();
    await page.locator("[data-key=rule-0]").focus();
    await page.evaluate("document.getElementById('strict').click()");
    await until(async () => expect(await page.locator("#command").innerText()).toContain("--strict"));
    expect(await page.evaluate("document.activeElement.dataset.key")).toBe("rule-0");
  });

  test("draws the picture when it is asked for, and again when the text changes", async () => {
    const page = await open();
    const chunks: string[] = [];
    page.context().on("request", (request) => chunks.push(request.url()));
    expect(
      await page.evaluate("performance.getEntriesByType('resource').filter(e => e.name.includes('chunks')).length"),
    ).toBe(0);
    await page.locator("#tab-picture").click();
    await page.locator("#picture svg text", { hasText: /^Postgres$/ }).waitFor();
    await page.getByRole("radio", { name: "fly" }).check();
    await until(async () => expect(await page.locator("#picture svg").textContent()).toContain("Fly"));
  });

  test("the theme switch goes through system, light and dark, and is remembered", async () => {
    const page = await open("", { colorScheme: "light" });
    const paper = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await paper();
    await page.locator("#tab-picture").click();
    await page.locator("#picture svg text").first().waitFor();
    const drawn = () =>
      page.evaluate("getComputedStyle(document.getElementById('picture').shadowRoot.querySelector('.paper')).fill");
    const drawnLight = await drawn();
    await page.locator("#theme").click();
    await page.locator("#theme").click();
    expect(await page.locator("#theme").getAttribute("aria-label")).toBe("Theme: dark");
    expect([await paper(), await drawn()]).not.toContain(light);
    expect(await drawn()).not.toBe(drawnLight);
    const dark = await paper();
    await page.reload();
    await page.waitForSelector("body[data-ready]");
    expect(await paper()).toBe(dark);
  });

  test("where the reader has colours of their own, what is chosen still looks chosen", async () => {
    const page = await open("", { forcedColors: "active" });
    await page.locator("#tab-picture").click();
    const looks = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).backgroundColor`);
    const plain = await looks("#tab-secrets");
    for (const chosen of ["#tab-picture", "#tab-config", ".choice :checked + span", "#picture-fit"])
      expect(await looks(chosen), chosen).not.toBe(plain);
  });

  test("that there is no `.env` is said once, and not of each secret", async () => {
    const page = await open();
    await page.locator("#tab-secrets").click();
    expect(await page.locator("#secrets-body").innerText()).not.toContain("there is no .env");
  });

  test("nothing is wider than the screen at any width, such as that of a desk at 200 %", async () => {
    const page = await open();
    for (let width = 320; width <= 1440; width += 40) {
      await page.setViewportSize({ width, height: 700 });
      expect(await page.evaluate("document.documentElement.scrollWidth"), String(width)).toBeLessThanOrEqual(width);
    }
  });

  describe.each([
    ["phone", 390, 844],
    ["tablet", 820, 1180],
    ["desk", 1440, 900],
  ] as const)("on a %s", (_, width, height) => {
    test.each(["light", "dark"] as const)("axe finds nothing, in %s, in any tab", async (colorScheme) => {
      const page = await open("", { viewport: { width, height }, colorScheme });
      for (const tab of ["files", "secrets", "picture", "explain"]) {
        await page.locator(`#tab-${tab}`).click();
        if (tab === "picture") await page.locator("#picture svg text").first().waitFor();
        if (tab === "explain") await page.locator("[data-key=rule-0]").click();
        if (tab === "explain") await page.locator("#explain-body h3").first().waitFor();
        expect(await axeFaults(page), tab).toEqual([]);
      }
      await page.locator("#tab-env").click();
      await page.locator("#keys-open").click();
      expect(await axeFaults(page), "keys").toEqual([]);
      await page.keyboard.press("Escape");
    });

    test("nothing is wider than the screen, or reaches below its end", async () => {
      const page = await open("", { viewport: { width, height } });
      for (const tab of ["files", "secrets", "picture", "explain"]) {
        await page.locator(`#tab-${tab}`).click();
        expect(await page.evaluate("document.documentElement.scrollWidth"), tab).toBeLessThanOrEqual(width);
        const below =
          "document.documentElement.scrollHeight - scrollY - document.querySelector('.foot').getBoundingClientRect().bottom";
        expect(await page.evaluate(below), tab).toBeLessThanOrEqual(1);
      }
    });
  });

  test("in all of this, the browser had nothing to complain of, and no request left the page's own files", () => {
    expect(opened.length).toBeGreaterThan(15);
    expect(opened.flatMap(({ faults }) => faults)).toEqual([]);
  });
});
