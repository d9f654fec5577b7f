import { type CompletionItem, CompletionItemKind, InsertTextFormat } from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { Deployment } from "../deployment/deployment.ts";
import type { Completion } from "../views/complete/completion.ts";

const KINDS: { readonly [kind in Completion["kind"]]: CompletionItemKind } = {
  field: CompletionItemKind.Property,
  setting: CompletionItemKind.Variable,
  secret: CompletionItemKind.Constant,
  word: CompletionItemKind.EnumMember,
  literal: CompletionItemKind.Value,
};

/** What may stand at an offset of an open text, as editors take it. */
export function completionItems(
  open: TextDocument,
  deployment: Deployment,
  offset: number,
  complete: (text: string, deployment: Deployment, offset: number) => readonly Completion[],
): CompletionItem[] {
  const text = open.getText();
  return complete(text, deployment, offset).map((completion) => {
    const { name, kind, detail, description, range } = completion;
    return {
      label: name,
      kind: KINDS[kind],
      // Editors compare it with what it takes the place of, quotes and all.
      filterText: text[range.start] === '"' ? JSON.stringify(name) : name,
      textEdit: {
        range: { start: open.positionAt(range.start), end: open.positionAt(range.end) },
        ...newText(completion),
      },
      ...(completion.cursor === completion.text.length ? {} : { insertTextFormat: InsertTextFormat.Snippet }),
      ...(detail === null ? {} : { detail }),
      ...(description === null ? {} : { documentation: { kind: "markdown" as const, value: description } }),
    };
  });
}

/** A snippet where the cursor is to be inside. */
function newText({ text, cursor }: Completion): { readonly newText: string } {
  if (cursor === text.length) return { newText: text };
  const escaped = (part: string): string => part.replaceAll(/[\\$}]/g, "\\$&");
  return { newText: `${escaped(text.slice(0, cursor))}$0${escaped(text.slice(cursor))}` };
}
