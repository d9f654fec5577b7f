import type { Engine } from "../engine.ts";
import { byId, h } from "../ui/dom.ts";
import { copy } from "../ui/notice.ts";
import type { Theme } from "../ui/theme.ts";
import type { TextOptions } from "qm-deploy/pure";

// The picture's paper is that of the panel: in the dark its own would stand there as a box.
const FRAME =
  "svg{--paper:var(--surface)!important}:host{display:block}:host([data-fit]){height:100%}svg{display:block;margin:auto}:host([data-fit]) svg{max-width:100%;max-height:100%}";

/** The picture of the deployment, drawn when it is looked at. */
export class PicturePanel {
  readonly #engine: Engine;
  readonly #texts: () => { readonly config: string; readonly options: TextOptions };
  readonly #host = byId("picture");
  readonly #root = this.#host.attachShadow({ mode: "open" });
  #theme: Theme = "auto";
  #svg: string | null = null;
  #drawing = 0;

  constructor(engine: Engine, texts: () => { readonly config: string; readonly options: TextOptions }) {
    this.#engine = engine;
    this.#texts = texts;
    byId("picture-fit").addEventListener("click", ({ currentTarget }) => {
      const isFit = this.#host.toggleAttribute("data-fit");
      (currentTarget as HTMLElement).setAttribute("aria-pressed", String(isFit));
    });
    byId("picture-mermaid").addEventListener("click", () => void this.#copyMermaid());
    byId("picture-svg").addEventListener("click", () => {
      if (this.#svg !== null) void copy(this.#svg, "SVG");
    });
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    if (this.#svg !== null) this.#put(this.#svg);
  }

  /** Draws the texts as they are now; what is drawn meanwhile for older ones is dropped. */
  async draw(): Promise<void> {
    this.#drawing += 1;
    const drawing = this.#drawing;
    const { config, options } = this.#texts();
    const { ok, text } = await this.#engine.ask("draw", config, "svg", options);
    if (drawing !== this.#drawing) return;
    byId("picture-empty").hidden = ok;
    this.#host.hidden = !ok;
    this.#svg = ok ? text : null;
    if (ok) this.#put(text);
  }

  /**
   * The style sheet of the picture becomes a constructed one, as the page allows no inline styles; its part for dark
   * screens follows the theme of the page.
   */
  #put(text: string): void {
    const style = /<style>([^<]*)<\/style>/.exec(text)?.[1] ?? "";
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`${FRAME}${style.replaceAll("&gt;", ">")}`);
    for (const rule of sheet.cssRules)
      if (rule instanceof CSSMediaRule && this.#theme !== "auto")
        rule.media.mediaText = this.#theme === "dark" ? "all" : "not all";
    this.#root.adoptedStyleSheets = [sheet];
    const drawn = new DOMParser().parseFromString(text.replace(/<style>[^<]*<\/style>/, ""), "image/svg+xml");
    this.#root.replaceChildren(document.adoptNode(drawn.documentElement));
  }

  async #copyMermaid(): Promise<void> {
    const { config, options } = this.#texts();
    const { text } = await this.#engine.ask("draw", config, "mermaid", options);
    await copy(text, "Mermaid");
  }
}

/** Says that the picture could not be drawn. */
export function pictureFailed(): void {
  byId("picture-empty").replaceChildren(h("p", {}, "The picture could not be drawn."));
  byId("picture-empty").hidden = false;
}
