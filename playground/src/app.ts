import { EXAMPLES } from "playground:examples";
import type { DiagnosticView } from "qm-deploy/pure";
import { Engine } from "./engine.ts";
import { keysDialog } from "./keys.ts";
import { Latest } from "./latest.ts";
import { ExplainPanel } from "./panels/explain.ts";
import { FilesPanel } from "./panels/files.ts";
import { FindingsPanel } from "./panels/findings.ts";
import { PicturePanel, pictureFailed } from "./panels/picture.ts";
import { SecretsPanel } from "./panels/secrets.ts";
import { Settings } from "./settings.ts";
import { committedSecret } from "./secret-gate.ts";
import { draftOf, filesOf, findExample, keepState, openedState, Session } from "./session.ts";
import { encodeState, type SharedState } from "./share-link.ts";
import { Sources } from "./sources.ts";
import type { Draft } from "./texts.ts";
import { byId, h, prose } from "./ui/dom.ts";
import { copy, endNotice, notify } from "./ui/notice.ts";
import { Tabs } from "./ui/tabs.ts";
import { themeSwitch } from "./ui/theme.ts";
import type { Judged } from "./worker.ts";

/** Milliseconds without a key after which the text is judged. */
const QUIET_MS = 80;

/** The page: what is written goes to the worker, and what it answers to the panels. */
export class App {
  readonly #session: Session;
  readonly #engine = new Engine(() => this.#fail());
  readonly #judging = new Latest(() => this.#judge(), QUIET_MS);
  readonly #sources: Sources;
  readonly #settings: Settings;
  readonly #tabs = new Tabs(byId("output-tabs"), () => this.#onTab());
  readonly #findings: FindingsPanel;
  readonly #files: FilesPanel;
  readonly #secrets: SecretsPanel;
  readonly #explain: ExplainPanel;
  readonly #picture: PicturePanel;
  #judged: Judged | null = null;
  /** True while the app itself writes into an editor. */
  #isOpening = false;

  constructor(state: SharedState) {
    this.#session = new Session(state);
    const actions = {
      onFix: (which: "safe" | "all" | DiagnosticView) => void this.#fix(which),
      onGoTo: (file: string, range: DiagnosticView["range"]) => this.#sources.goTo(file, range),
      onExplain: (thing: string) => void this.#explainThing(thing),
    };
    this.#findings = new FindingsPanel(actions);
    this.#secrets = new SecretsPanel({ onExplain: actions.onExplain, onOpenEnv: () => this.#openEnv() });
    this.#files = new FilesPanel(state.file);
    this.#explain = new ExplainPanel({
      ask: (thing) => this.#engine.ask("explain", this.#session.draft.config, thing, this.#session.options),
    });
    this.#picture = new PicturePanel(this.#engine, () => ({
      config: this.#session.draft.config,
      options: this.#session.options,
    }));
    this.#settings = new Settings((change) => this.#change(change));
    this.#sources = new Sources({
      onEdit: (file, text) => this.#onEdit(file, text),
      onFix: actions.onFix,
      explainedAt: (offset) => this.#explainedAt(offset),
      onExplain: (offset) => void this.#explainPlace(offset, true),
      onCursor: (offset) => {
        if (this.#tabs.selected === "tab-explain") void this.#explainPlace(offset, false);
      },
    });
    if (state.tab !== "" && document.getElementById(state.tab) !== null) this.#tabs.show(state.tab);
  }

  /** Shows everything, and from then on answers to what is done. */
  async start(isBroken: boolean): Promise<void> {
    this.#wire();
    this.#settings.offer(await this.#engine.ask("known"));
    this.#put(this.#session.draft);
    await this.#judging.settled();
    this.#onTab();
    document.body.dataset["ready"] = "";
    if (isBroken) notify("This link cannot be read: it may have been cut on its way.");
  }

  #wire(): void {
    keysDialog();
    themeSwitch((theme) => this.#picture.setTheme(theme));
    const select = byId<HTMLSelectElement>("example");
    select.append(
      ...EXAMPLES.map(({ id, title }) => h("option", { value: id }, title)),
      h("option", { value: "" }, "Empty, for your own"),
    );
    select.addEventListener("change", () => this.#openExample(select.value));
    byId("share").addEventListener("click", () => void this.#share());
    byId("panel-explain").addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#sources.focus();
    });
    addEventListener("hashchange", () => void this.#onAddress());
  }

  /** Shows a draft in the editors and has it judged. */
  #put(draft: Draft): void {
    this.#session.draft = draft;
    this.#isOpening = true;
    this.#sources.put("qm.config.jsonc", draft.config);
    this.#isOpening = false;
    byId<HTMLSelectElement>("example").value = draft.example ?? "";
    const names = Object.keys(filesOf(draft));
    byId("beside").replaceChildren(
      ...prose(
        names.length === 0
          ? "Nothing stands beside it."
          : `Beside it: ${names.map((name) => `\`${name}\``).join(", ")}`,
      ),
    );
    this.#judging.request();
  }

  #openExample(id: string): void {
    const example = findExample(id);
    this.#change(example === undefined ? { config: "", example: null } : draftOf(example));
    this.#sources.open("qm.config.jsonc");
  }

  #onEdit(file: "qm.config.jsonc" | ".env", text: string): void {
    if (this.#isOpening) return;
    if (file === ".env") this.#session.env = text;
    else this.#session.draft = { ...this.#session.draft, config: text };
    this.#leaveAddress();
    this.#judging.request();
  }

  #change(change: Partial<Draft>): void {
    this.#leaveAddress();
    this.#put({ ...this.#session.draft, ...change });
  }

  /** What an address holds is what the page shows, or it holds nothing. */
  #leaveAddress(): void {
    endNotice();
    if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
  }

  async #onAddress(): Promise<void> {
    if (location.hash === "") return;
    const { state, isBroken } = await openedState();
    if (isBroken) return notify("This link cannot be read: it may have been cut on its way.");
    this.#put(state);
    if (state.tab !== "") this.#tabs.select(state.tab);
  }

  async #judge(): Promise<void> {
    const { draft, options, env } = this.#session;
    const judged = await this.#engine.ask("judge", draft.config, options, draft.strict);
    // What was typed meanwhile is judged next; to show this would only flicker.
    if (draft !== this.#session.draft || env !== this.#session.env) return this.#judging.request();
    this.#judged = judged;
    this.#sources.show(judged.view.diagnostics);
    this.#findings.show(judged);
    this.#files.show(judged);
    this.#secrets.show(judged, env.trim() !== "");
    this.#settings.show(draft, judged.view);
    this.#showShare();
    await this.#keep();
    if (this.#tabs.selected === "tab-picture") await this.#draw();
  }

  /** Where the state goes with the tab, unless the config holds a secret. */
  async #keep(): Promise<void> {
    const isHeld = this.#judged === null || committedSecret(this.#judged.view.diagnostics) !== null;
    keepState(isHeld ? null : await encodeState(this.#state()));
  }

  #state(): SharedState {
    return { ...this.#session.draft, tab: this.#tabs.selected ?? "", file: this.#files.opened };
  }

  #showShare(): void {
    const secret = committedSecret(this.#judged?.view.diagnostics ?? []);
    const button = byId("share");
    button.setAttribute("aria-disabled", String(secret !== null));
    button.title = secret === null ? "Copy a link that holds the config, never .env" : whyNoLink(secret);
  }

  async #share(): Promise<void> {
    await this.#judging.settled();
    const secret = committedSecret(this.#judged?.view.diagnostics ?? []);
    if (this.#judged === null) return;
    if (secret !== null) return notify(whyNoLink(secret));
    const address = new URL(location.href);
    address.hash = await encodeState(this.#state());
    history.replaceState(null, "", address);
    await copy(address.href, "Link");
  }

  async #fix(which: "safe" | "all" | DiagnosticView): Promise<void> {
    const { config } = this.#session.draft;
    const { text, applied } = await this.#engine.ask("fix", config, which, this.#session.options);
    if (config !== this.#session.draft.config) return;
    this.#sources.put("qm.config.jsonc", text);
    notify(
      applied.length === 0 ? "There was nothing to fix any more" : `Done: ${applied.join("; ").replaceAll("`", "")}`,
    );
  }

  #explainedAt(offset: number) {
    return this.#engine.ask("explainAt", this.#session.draft.config, offset, this.#session.options);
  }

  async #explainPlace(offset: number, isAsked: boolean): Promise<void> {
    const explained = await this.#explainedAt(offset);
    if (isAsked) this.#showExplain();
    if (explained !== null) this.#explain.showPlace(explained.things, explained);
    else if (isAsked) await this.#explain.explain("");
  }

  async #explainThing(thing: string): Promise<void> {
    this.#showExplain();
    await this.#explain.explain(thing);
  }

  #showExplain(): void {
    this.#tabs.select("tab-explain");
    byId("panel-explain").scrollTop = 0;
    byId("panel-explain").focus();
  }

  #openEnv(): void {
    this.#sources.open(".env");
    this.#sources.focus();
  }

  #onTab(): void {
    void this.#keep();
    if (this.#tabs.selected === "tab-picture") void this.#draw();
  }

  async #draw(): Promise<void> {
    try {
      await this.#picture.draw();
    } catch {
      pictureFailed();
    }
  }

  #fail(): void {
    byId("verdict").textContent = "The checker could not start";
    notify("The checker could not start: its files are missing, or this browser is too old. Load the page anew.");
  }
}

function whyNoLink({ range, rule }: DiagnosticView): string {
  const where = range === null ? "" : ` in line ${range.start.line}`;
  return `No link while the config holds a secret${where} (${rule}): move its value to .env first.`;
}
