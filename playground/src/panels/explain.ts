import type { ExplainedText } from "qm-deploy/pure";
import { byId, h, icon, prose } from "../ui/dom.ts";
import { explanationNodes } from "./explanation.ts";

export interface ExplainOptions {
  readonly ask: (thing: string) => Promise<ExplainedText>;
}

/** Begins to ask. */
const SUGGESTIONS = ["sandbox.backend", "BOXD_API_KEY", "core.SANDBOX_BACKEND", "env-file/missing-secret", "boxd"];

/** What `explain` says of a name, or of what the cursor is on. */
export class ExplainPanel {
  readonly #ask: ExplainOptions["ask"];
  readonly #field = byId<HTMLInputElement>("explain-thing");
  readonly #body = byId("explain-body");
  #asked = 0;

  constructor({ ask }: ExplainOptions) {
    this.#ask = ask;
    byId("explain-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.explain(this.#field.value);
    });
    this.#showEmpty();
  }

  /** Explains a name. */
  async explain(thing: string): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    this.#field.value = thing;
    const name = thing.trim();
    if (name === "") return this.#showEmpty();
    const explained = await this.#ask(name);
    if (asked === this.#asked) this.#show(name, explained);
  }

  /** Shows what is known of what the cursor is on. */
  showPlace(things: readonly string[], explained: ExplainedText): void {
    this.#asked += 1;
    this.#field.value = things[0] ?? "";
    this.#show(things[0] ?? "", explained);
  }

  #show(thing: string, explained: ExplainedText): void {
    const { sheets, meant } = explained;
    if (sheets.length > 0) {
      this.#body.replaceChildren(h("div", { class: "explanation" }, ...explanationNodes(explained, "h3")));
      return;
    }
    this.#body.replaceChildren(
      h(
        "div",
        { class: "empty" },
        icon("search"),
        h("p", {}, ...prose(`Nothing here is called \`${thing.replaceAll("`", "'")}\`.`)),
        meant === null ? null : this.#suggestion(meant, `Explain ${meant} instead`),
      ),
    );
  }

  #showEmpty(): void {
    this.#body.replaceChildren(
      h(
        "div",
        { class: "empty" },
        icon("search"),
        h(
          "p",
          {},
          "Put the cursor on anything in the config, or ask for a field, an environment name, a secret, a sandbox backend, a qm release or a rule.",
        ),
        h("div", { class: "row is-centred" }, ...SUGGESTIONS.map((thing) => this.#suggestion(thing, thing))),
      ),
    );
  }

  #suggestion(thing: string, text: string): HTMLElement {
    return h("button", { type: "button", class: "button is-code", click: () => void this.explain(thing) }, text);
  }
}
