/**
 * Makes a tablist of its buttons: arrow keys, Home and End move, and what is moved to is chosen. Each button names its
 * panel in `aria-controls`; several may share one.
 */
export class Tabs {
  readonly #list: HTMLElement;
  readonly #onSelect: (id: string) => void;

  constructor(list: HTMLElement, onSelect: (id: string) => void) {
    this.#list = list;
    this.#onSelect = onSelect;
    list.addEventListener("click", (event) => {
      const tab = (event.target as Element).closest<HTMLElement>("[role=tab]");
      if (tab !== null) this.select(tab.id);
    });
    list.addEventListener("keydown", (event) => this.#onKey(event));
  }

  get selected(): string | null {
    return this.#tabs.find((tab) => tab.getAttribute("aria-selected") === "true")?.id ?? null;
  }

  /** Chooses a tab by its id. */
  select(id: string): void {
    this.show(id);
    this.#onSelect(id);
  }

  /** Shows a tab as chosen, and tells nobody. An id of no tab here, which a link may hold, changes nothing. */
  show(id: string): void {
    const panels = new Set(this.#tabs.map((tab) => tab.getAttribute("aria-controls")));
    const chosen = this.#tabs.find((tab) => tab.id === id);
    if (chosen === undefined) return;
    for (const tab of this.#tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
    }
    for (const panel of panels) {
      const element = document.getElementById(panel ?? "");
      if (element === null) continue;
      element.hidden = panel !== chosen.getAttribute("aria-controls");
      if (!element.hidden) element.setAttribute("aria-labelledby", chosen.id);
    }
  }

  get #tabs(): HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>("[role=tab]")];
  }

  #onKey(event: KeyboardEvent): void {
    const tabs = this.#tabs;
    const at = tabs.findIndex((tab) => tab === event.target);
    const steps: { readonly [key: string]: number } = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const to = steps[event.key];
    if (at === -1 || to === undefined) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length];
    if (next === undefined) return;
    this.select(next.id);
    document.getElementById(next.id)?.focus();
  }
}
