import { h } from "./dom.ts";

/** A row of radio buttons that looks like one control. */
export class Choice {
  readonly #host: HTMLElement;
  readonly #name: string;
  readonly #onChoose: (value: string) => void;

  constructor(host: HTMLElement, name: string, onChoose: (value: string) => void) {
    this.#host = host;
    this.#name = name;
    this.#onChoose = onChoose;
  }

  /** Makes the buttons. */
  offer(values: readonly string[]): void {
    this.#host.replaceChildren(
      ...values.map((value) =>
        h(
          "label",
          {},
          h("input", { type: "radio", name: this.#name, value, change: () => this.#onChoose(value) }),
          h("span", {}, value),
        ),
      ),
    );
  }

  /** Shows a value as chosen; null: none. */
  show(value: string | null): void {
    for (const input of this.#host.querySelectorAll("input")) input.checked = input.value === value;
  }
}
