import { byId, h } from "./ui/dom.ts";

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.platform);

/** What the keys do, as the dialog lists it. */
const KEYS: readonly (readonly [string, string])[] = [
  ["Ctrl-Space", "offer what may stand at the cursor; it is also offered as you type"],
  ["Mod-I", "explain what the cursor is on"],
  ["Mod-.", "apply the fix of the finding at the cursor"],
  ["F8", "go to the next finding"],
  ["Shift-F8", "go to the one before"],
  ["Esc", "from an explanation back to the text"],
  ["Tab", "leave the editor: it is a field like any other"],
  ["← →", "move between tabs; ↑ ↓ between files"],
];

/** Lets the button show what the keys do. */
export function keysDialog(): void {
  const dialog = byId<HTMLDialogElement>("keys");
  const named = (keys: string): string => keys.replace("Mod", IS_APPLE ? "⌘" : "Ctrl").replaceAll("-", " ");
  byId("keys-list").append(
    ...KEYS.flatMap(([keys, does]) => [h("dt", {}, h("kbd", {}, named(keys))), h("dd", {}, does)]),
  );
  byId("keys-open").addEventListener("click", () => dialog.showModal());
}
