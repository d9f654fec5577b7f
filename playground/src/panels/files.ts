import { byId, counted, h, icon, prose } from "../ui/dom.ts";
import { committedSecret } from "../secret-gate.ts";
import { copy } from "../ui/notice.ts";
import { Tabs } from "../ui/tabs.ts";
import { TextViewer } from "../editor/text-editor.ts";
import type { Judged } from "../worker.ts";

type Rendered = Judged["rendered"];
interface Entry {
  readonly name: string;
  /** Null for a file that could not be made. */
  readonly text: string | null;
}

/** The file that is opened first: what a target runs. */
const FIRST = /^compose\.yaml$|^core\.fly\.toml$|^core\.task-definition\.json$/;

/** Every rendered file, one at a time. */
export class FilesPanel {
  readonly #list = byId("file-tabs");
  readonly #tabs = new Tabs(this.#list, (id) => this.#open(this.#names.get(id) ?? null));
  readonly #viewer = new TextViewer(byId("file-text"));
  readonly #names = new Map<string, string>();
  #entries: readonly Entry[] = [];
  #rendered: Rendered | null = null;
  #shown: string | null = null;
  /** Opened before anything was rendered, from a link. */
  #wanted: string | null;

  constructor(wanted: string | null) {
    this.#wanted = wanted;
    byId("file-copy").addEventListener("click", () => {
      const entry = this.#entry();
      if (entry?.text != null) void copy(entry.text, entry.name);
    });
    byId("file-save").addEventListener("click", () => this.#save());
  }

  get opened(): string | null {
    return this.#shown;
  }

  show({ rendered }: Judged): void {
    this.#rendered = rendered;
    const { artifacts } = rendered;
    // A list of what is missing alone helps nobody: the empty panel says why.
    this.#entries =
      artifacts.length === 0
        ? []
        : [...artifacts, ...rendered.refusals.map(({ artifact }) => ({ name: artifact, text: null }))].filter(
            ({ name }, at, all) => all.findIndex((other) => other.name === name) === at,
          );
    byId("files-empty").hidden = this.#entries.length > 0;
    byId("files-body").hidden = this.#entries.length === 0;
    this.#sayState(rendered);
    this.#showList();
    const names = this.#entries.map(({ name }) => name);
    const next = [this.#wanted, this.#shown].find((name) => name !== null && names.includes(name));
    if (names.length > 0) this.#wanted = null;
    this.#open(next ?? names.find((name) => FIRST.test(name)) ?? names[0] ?? null);
  }

  #sayState({ ok, findings, artifacts, refusals }: Rendered): void {
    byId("files-empty-text").replaceChildren(...prose(whyNone(findings, refusals)));
    const note = byId("files-note");
    note.hidden = ok || artifacts.length === 0;
    note.textContent = `\`render\` writes nothing while there ${counted(
      Math.max(1, findings.length),
      "error that stops it",
      "errors that stop it",
    )
      .replace(/^1 /, "is 1 ")
      .replace(/^(?=\d)/, "are ")}. These are the files as far as they can be made.`;
    note.replaceChildren(...prose(note.textContent));
  }

  #showList(): void {
    const hasFocus = this.#list.contains(document.activeElement);
    this.#names.clear();
    this.#list.replaceChildren(
      ...this.#entries.map(({ name, text }) => {
        const id = `file-${name.replaceAll(/[^\w.-]/g, "-")}`;
        this.#names.set(id, name);
        return h(
          "button",
          {
            type: "button",
            role: "tab",
            id,
            "aria-controls": "file-panel",
            tabindex: -1,
            class: text === null ? "is-missing" : false,
          },
          name,
          text === null ? h("span", { class: "visually-hidden" }, " (not made)") : null,
        );
      }),
    );
    if (hasFocus) queueMicrotask(() => this.#list.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
  }

  #entry(): Entry | undefined {
    return this.#entries.find(({ name }) => name === this.#shown);
  }

  #open(name: string | null): void {
    const isSame = name === this.#shown;
    this.#shown = name;
    const entry = this.#entry();
    const id = [...this.#names].find(([, one]) => one === name)?.[0];
    if (entry === undefined || id === undefined || this.#rendered === null) return;
    this.#tabs.show(id);
    byId("file-name").textContent = `rendered/${this.#rendered.target ?? "…"}/${entry.name}`;
    for (const button of ["file-copy", "file-save"]) byId(button).hidden = entry.text === null;
    const refusals = this.#rendered.refusals.filter(({ artifact }) => artifact === entry.name);
    const notes = [
      ...refusals.map(({ message, help }) => `Not made: ${message}${help === null ? "" : ` (${help})`}`),
      ...this.#rendered.notes.filter(({ artifact }) => artifact === entry.name).map(({ message }) => message),
    ];
    byId("file-notes").replaceChildren(...notes.map((note) => h("p", {}, icon("info"), h("span", {}, ...prose(note)))));
    byId("file-text").hidden = entry.text === null;
    this.#viewer.show(entry.name, entry.text ?? "", isSame);
  }

  #save(): void {
    const entry = this.#entry();
    if (entry?.text == null) return;
    const url = URL.createObjectURL(new Blob([entry.text], { type: "text/plain" }));
    h("a", { href: url, download: entry.name.split("/").at(-1) ?? entry.name }).click();
    URL.revokeObjectURL(url);
  }
}

/** Why there is no file at all. */
function whyNone(findings: Rendered["findings"], refusals: Rendered["refusals"]): string {
  if (committedSecret(findings) !== null)
    return "Rendered files are committed, so none is made of a config that holds a secret. Move its value to `.env`.";
  const [refusal] = refusals;
  if (refusal === undefined) return "Nothing can be rendered of this text yet. The findings say why.";
  return `Nothing is rendered yet: ${refusal.message}.${refusal.help === null ? "" : ` To go on, ${refusal.help}.`}`;
}
