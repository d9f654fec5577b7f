import type { SecretText } from "qm-deploy/pure";
import { byId, counted, h, icon, prose, replaceKeepingFocus } from "../ui/dom.ts";
import { copy } from "../ui/notice.ts";
import type { Judged } from "../worker.ts";

type Findings = Judged["secrets"]["findings"];

export interface SecretsOptions {
  readonly onExplain: (thing: string) => void;
  readonly onOpenEnv: () => void;
}

/** The catalogue of secrets, and what is wrong in `.env`. */
export class SecretsPanel {
  readonly #options: SecretsOptions;
  readonly #host = byId("secrets-body");

  constructor(options: SecretsOptions) {
    this.#options = options;
  }

  show({ secrets: { secrets, findings }, rendered }: Judged, hasEnv: boolean): void {
    const required = secrets.filter((secret) => secret.required);
    const optional = secrets.filter((secret) => !secret.required);
    const example = rendered.artifacts.find(({ name }) => name === ".env.example")?.text ?? null;
    if (secrets.length === 0) {
      replaceKeepingFocus(this.#host, [
        h("div", { class: "empty" }, icon("key"), h("p", {}, "No secret is known to be needed by this text.")),
      ]);
      return;
    }
    replaceKeepingFocus(this.#host, [
      h(
        "div",
        { class: "secrets-intro" },
        h(
          "p",
          {},
          `${counted(required.length, "secret")} required, ${optional.length} optional. `,
          hasEnv
            ? "What you wrote into .env is judged below; it stays in this page."
            : "Write values into .env to have them judged: they stay in this page, and no link holds them.",
        ),
        h(
          "div",
          { class: "row" },
          h(
            "button",
            { type: "button", class: "button", "data-key": "open-env", click: this.#options.onOpenEnv },
            "Open .env",
          ),
          example === null
            ? null
            : h(
                "button",
                {
                  type: "button",
                  class: "button",
                  "data-key": "copy-example",
                  click: () => void copy(example, ".env.example"),
                },
                "Copy .env.example",
              ),
        ),
      ),
      ...(hasEnv ? [judgement(required, findings)] : []),
      h("h3", {}, "Required"),
      h("ul", { class: "secrets" }, ...required.map((secret) => this.#item(secret, hasEnv, findings))),
      ...(optional.length === 0
        ? []
        : [
            h("h3", {}, "Optional"),
            h("ul", { class: "secrets" }, ...optional.map((secret) => this.#item(secret, hasEnv, findings))),
          ]),
    ]);
  }

  #item(
    { name, managedBy, description, reason, destinations }: SecretText,
    hasEnv: boolean,
    findings: Findings,
  ): HTMLElement {
    const own = about(name, findings);
    const places = destinations.map(({ workload, env }) => (env === name ? workload : `${workload} as ${env}`));
    const explainButton = h(
      "button",
      {
        type: "button",
        class: "link is-code",
        "data-key": `explain-${name}`,
        title: "Explain this secret",
        click: () => this.#options.onExplain(name),
      },
      name,
    );
    return h(
      "li",
      { class: "secret" },
      h(
        "div",
        { class: "secret-head" },
        explainButton,
        managedBy === "operator" ? (hasEnv ? stateTag(own) : null) : tag("plain", `made by ${managedBy}`),
      ),
      h("p", {}, ...prose(description)),
      h(
        "p",
        { class: "faint" },
        ...prose(`${reason.charAt(0).toUpperCase()}${reason.slice(1)}`),
        places.length === 0 ? "" : ` · goes to ${places.join(", ")}`,
      ),
      ...own.map(({ help, message, rule }) =>
        h(
          "p",
          { class: rule === MISSING ? "faint" : "secret-finding" },
          ...prose(rule === MISSING ? (help ?? message) : message),
        ),
      ),
    );
  }
}

const MISSING = "env-file/missing-secret";

/** What is said of one secret in `.env`; that there is none is said once, in the list of findings. */
function about(name: string, findings: Findings): Findings {
  return findings.filter(({ rule, message }) => rule !== "env-file/none" && message.includes(`\`${name}\``));
}

function tag(kind: "ok" | "error" | "plain", text: string): HTMLElement {
  return h("span", { class: `tag is-${kind}` }, text);
}

function stateTag(own: Findings): HTMLElement | null {
  if (own.some(({ rule }) => rule === MISSING)) return tag("error", "missing");
  if (own.some(({ severity }) => severity !== "info")) return tag("error", "needs a look");
  return null;
}

/** Sums up what was found in `.env`. */
function judgement(required: readonly SecretText[], findings: Findings): HTMLElement {
  const open = required.filter(({ name }) => about(name, findings).length > 0).length;
  return open === 0 && findings.length === 0
    ? h("p", { class: "banner is-ok" }, icon("check"), h("span", {}, "Every required secret has a sound value."))
    : h(
        "p",
        { class: "banner is-warning" },
        open === 0
          ? `${counted(findings.length, "finding")} in .env: see the list of findings.`
          : `${open} of ${required.length} required secrets still ${open === 1 ? "needs" : "need"} a sound value in .env.`,
      );
}
