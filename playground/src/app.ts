import { EXAMPLES } from "playground:examples";
import type { Completion, DiagnosticView, TextOptions } from "qm-deploy/pure";
import { envNameAt } from "./editor/env-name.ts";
import type { KnownAt } from "./editor/hover.ts";
import { Engine } from "./engine.ts";
import { keysDialog } from "./keys.ts";
import { Latest } from "./latest.ts";
import { ExplainPanel } from "./panels/explain.ts";
import { FilesPanel } from "./panels/files.ts";
import { FindingsPanel } from "./panels/findings.ts";
import { PicturePanel, pictureFailed } from "./panels/picture.ts";
import { SecretsPanel } from "./panels/secrets.ts";
import { Settings } from "./settings.ts";
import { draftOf, filesOf, findExample, openedState, Session } from "./session.ts";
import type { SharedState } from "./share-link.ts";
import { Sharing } from "./sharing.ts";
import { type FileName, Sources } from "./sources.ts";
import type { Draft } from "./texts.ts";
import { byId, h, prose } from "./ui/dom.ts";
import { endNotice, notify } from "./ui/notice.ts";
import { Tabs } from "./ui/tabs.ts";
import { themeSwitch } from "./ui/theme.ts";
import type { Judged } from "./worker.ts";

/** Milliseconds without a key after which the text is judged. */
const QUIET_MS = 80;

type ExplainedHere = NonNullable<KnownAt["explained"]> & { readonly things: readonly string[] };

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
  readonly #sharing = new Sharing(() => ({ tab: this.#tabs.selected ?? "", file: this.#files.opened }));
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
      explainedAt: (file, offset) => this.#explainedAt(file, offset),
      offersAt: (file, offset) => this.#offersAt(file, offset),
      onExplain: (file, offset) => void this.#explainPlace(file, offset, true),
      onCursor: (offset) => {
        if (this.#tabs.selected === "tab-explain") void this.#explainPlace("qm.config.jsonc", offset, false);
      },
    });
    this.#tabs.show(state.tab);
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
  #put(given: Draft): void {
    const draft = this.#settings.known(given);
    this.#session.draft = draft;
    this.#isOpening = true;
    this.#sources.put("qm.config.jsonc", draft.config);
    this.#isOpening = false;
    byId<HTMLSelectElement>("example").value = draft.example ?? "";
    const names = Object.keys(filesOf(draft));
    byId("beside").replaceChildren(
      ...prose(
        names.length === 0
          ? "No other file of a deployment stands beside it."
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

  #onEdit(file: FileName, text: string): void {
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
    this.#tabs.select(state.tab);
  }

  async #judge(): Promise<void> {
    const { draft, options, env } = this.#session;
    const judged = await this.#ask(draft, options);
    if (judged === null) return;
    // What was typed meanwhile is judged next; to show this would only flicker.
    if (draft !== this.#session.draft || env !== this.#session.env) return this.#judging.request();
    this.#sources.show(judged.view.diagnostics);
    this.#findings.show(judged);
    this.#files.show(judged);
    this.#secrets.show(judged, env.trim() !== "");
    this.#settings.show(draft, judged.view);
    await this.#sharing.show(draft, judged.view);
    if (this.#tabs.selected === "tab-picture") await this.#draw();
  }

  /** Null where the worker has a fault, which is said. */
  async #ask(draft: Draft, options: TextOptions): Promise<Judged | null> {
    try {
      return await this.#engine.ask("judge", draft.config, options, draft.strict);
    } catch (error) {
      byId("verdict").textContent = "The checker had a fault";
      notify(`The checker had a fault, which is none of yours: ${String(error)}`);
      return null;
    }
  }

  async #share(): Promise<void> {
    await this.#judging.settled();
    await this.#sharing.share();
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

  /** What is known of a place of the config, or of a name in `.env`; of a value there nothing is. */
  async #explainedAt(file: FileName, offset: number): Promise<ExplainedHere | null> {
    const { draft, env, options } = this.#session;
    if (file === "qm.config.jsonc") return this.#engine.ask("explainAt", draft.config, offset, options);
    const place = envNameAt(env, offset);
    if (place === null) return null;
    const explained = await this.#engine.ask("explain", draft.config, place.name, options);
    const range = { start: { offset: place.start }, end: { offset: place.end } };
    return explained.sheets.length === 0 ? null : { ...explained, things: [place.name], range };
  }

  #offersAt(file: FileName, offset: number): Promise<readonly Completion[]> {
    const { draft, options } = this.#session;
    return this.#engine.ask(file === ".env" ? "completeEnv" : "complete", draft.config, offset, options);
  }

  async #explainPlace(file: FileName, offset: number, isAsked: boolean): Promise<void> {
    const explained = await this.#explainedAt(file, offset);
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
    void this.#sharing.keep();
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
