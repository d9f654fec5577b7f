import type { DeploymentView, DiagnosticView } from "qm-deploy/pure";
import { saysSecret, unsharable } from "./secret-gate.ts";
import { keepState } from "./session.ts";
import { encodeState, type SharedState } from "./share-link.ts";
import type { Draft } from "./texts.ts";
import { byId } from "./ui/dom.ts";
import { copy, notify } from "./ui/notice.ts";

/** Makes links, and keeps a state for a reload: of what was judged last, never of a text that nobody has judged yet. */
export class Sharing {
  readonly #where: () => Pick<SharedState, "tab" | "file">;
  #draft: Draft | null = null;
  #against: DiagnosticView | null = null;

  /** `where` says what is being looked at. */
  constructor(where: () => Pick<SharedState, "tab" | "file">) {
    this.#where = where;
  }

  /** Takes in what was found in a draft. */
  async show(draft: Draft, { diagnostics }: DeploymentView): Promise<void> {
    this.#draft = draft;
    this.#against = unsharable(diagnostics);
    const button = byId("share");
    button.setAttribute("aria-disabled", String(this.#against !== null));
    button.title = this.#against === null ? "Copy a link that holds the config, never .env" : whyNoLink(this.#against);
    await this.keep();
  }

  /** Lets the state outlive a reload of this tab, unless the config may hold a secret. */
  async keep(): Promise<void> {
    const state = this.#state();
    keepState(state === null ? null : await encodeState(state));
  }

  /** Puts the state into the address and on the clipboard, or says why not. */
  async share(): Promise<void> {
    const state = this.#state();
    if (this.#against !== null) return notify(whyNoLink(this.#against));
    if (state === null) return;
    const address = new URL(location.href);
    address.hash = await encodeState(state);
    history.replaceState(null, "", address);
    await copy(address.href, "Link");
  }

  /** Null where the config may hold a secret. */
  #state(): SharedState | null {
    return this.#draft === null || this.#against !== null ? null : { ...this.#draft, ...this.#where() };
  }
}

function whyNoLink(finding: DiagnosticView): string {
  const { range, rule } = finding;
  if (!saysSecret(finding))
    return `No link of a config that is too large to be judged: it may hold a secret (${rule}).`;
  const where = range === null ? "" : ` in line ${range.start.line}`;
  return `No link while the config holds a secret${where} (${rule}): move its value to .env first.`;
}
