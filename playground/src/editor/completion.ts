import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  type Completion as Item,
  type CompletionResult,
  startCompletion,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import type { Completion } from "qm-deploy/pure";
import { h, prose } from "../ui/dom.ts";

/** How the library draws a kind of thing; its own icons are for programming languages. */
const TYPES: { readonly [kind in Completion["kind"]]: string } = {
  field: "property",
  setting: "variable",
  secret: "constant",
  word: "enum",
  literal: "keyword",
};

/** Offers what may stand at the cursor, as one types and when asked for. */
export function completeOnTyping(offersAt: (offset: number) => Promise<readonly Completion[]>): Extension {
  return [
    closeBrackets(),
    keymap.of(closeBracketsKeymap),
    autocompletion({
      icons: false,
      override: [
        async ({ pos, explicit, state, aborted }) => {
          // Between all words nothing is offered unasked, or every space would open a list.
          if (!explicit && !/["\w.-]/.test(state.sliceDoc(pos - 1, pos))) return null;
          const offers = await offersAt(pos);
          return aborted ? null : resultOf(offers, state.sliceDoc(), pos);
        },
      ],
    }),
  ];
}

/** The library compares what is typed with names, which stand without quotes, while a choice takes the place of the quotes too. */
function resultOf(offers: readonly Completion[], text: string, pos: number): CompletionResult | null {
  const [first] = offers;
  if (first === undefined) return null;
  const from = first.range.start + (text[first.range.start] === '"' ? 1 : 0);
  return from > pos ? null : { from, options: offers.map((offer) => itemOf(offer, from, pos)) };
}

function itemOf({ name, kind, detail, description, range, text, cursor }: Completion, from: number, pos: number): Item {
  const [before, after] = [from - range.start, range.end - pos];
  return {
    label: name,
    type: TYPES[kind],
    ...(detail === null ? {} : { detail }),
    ...(description === null ? {} : { info: () => infoNode(description) }),
    apply: (view: EditorView, _item: Item, start: number, end: number) => {
      const [first, last] = [start - before, end + after];
      view.dispatch({
        changes: { from: first, to: last, insert: text },
        selection: { anchor: first + cursor },
        userEvent: "input.complete",
        scrollIntoView: true,
      });
      // Where a value is to be written, what it may be comes next.
      if (cursor < text.length) startCompletion(view);
    },
  };
}

function infoNode(description: string): HTMLElement {
  return h("div", {}, ...description.split("\n\n").map((text) => h("p", {}, ...prose(text))));
}
