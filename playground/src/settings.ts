import type { DeploymentView } from "qm-deploy/pure";
import { verdict } from "./panels/findings.ts";
import { commandOf, type Draft } from "./texts.ts";
import { Choice } from "./ui/choice.ts";
import { byId } from "./ui/dom.ts";
import { copy } from "./ui/notice.ts";

interface Known {
  readonly targets: readonly string[];
  readonly releases: readonly string[];
}

/** Says where a release comes from, in a few words. */
const SOURCES: { readonly [source: string]: string } = {
  flag: "chosen here",
  default: "the newest, as nothing pins one",
};

/** The row above everything: target, release, strictness, and what the check came to. */
export class Settings {
  readonly #onChange: (change: Partial<Draft>) => void;
  readonly #target: Choice;
  readonly #release: Choice;
  readonly #strict = byId<HTMLInputElement>("strict");
  #known: Known = { targets: [], releases: [] };
  /** What the texts themselves say: choosing it takes the choice back. */
  #written: { target: string | null; release: string | null } = { target: null, release: null };

  constructor(onChange: (change: Partial<Draft>) => void) {
    this.#onChange = onChange;
    this.#target = new Choice(byId("target"), "target", (target) =>
      this.#onChange({ target: target === this.#written.target ? null : target }),
    );
    this.#release = new Choice(byId("release"), "release", (release) =>
      this.#onChange({ release: release === this.#written.release ? null : release }),
    );
    this.#strict.addEventListener("change", () => this.#onChange({ strict: this.#strict.checked }));
    byId("command").addEventListener(
      "click",
      ({ currentTarget }) => void copy((currentTarget as HTMLElement).textContent ?? "", "Command"),
    );
  }

  offer(known: Known): void {
    this.#known = known;
    this.#target.offer(known.targets);
    this.#release.offer(known.releases);
  }

  /** A draft without choices that are none: a link can name anything, and what it names stands in a command to copy. */
  known(draft: Draft): Draft {
    const { targets, releases } = this.#known;
    return {
      ...draft,
      target: targets.find((target) => target === draft.target) ?? null,
      release: releases.find((release) => release === draft.release) ?? null,
    };
  }

  show(draft: Draft, view: DeploymentView): void {
    const { pinned, resolved, source } = view.release;
    if (draft.target === null) this.#written.target = view.target;
    if (draft.release === null) this.#written.release = resolved;
    this.#target.show(draft.target ?? view.target);
    this.#release.show(resolved);
    this.#strict.checked = draft.strict;
    byId("release-note").textContent =
      SOURCES[source ?? ""] ?? (pinned === null ? "" : pinned === resolved ? "as pinned" : `for the pinned ${pinned}`);
    byId("command").textContent = commandOf(draft);
    const said = byId("verdict");
    said.className = `verdict is-${view.ok ? "ok" : "error"}`;
    if (said.textContent !== verdict(view)) said.textContent = verdict(view);
  }
}
