import type { ExplainedText } from "qm-deploy/pure";
import { h, prose } from "../ui/dom.ts";

/** Facts whose lines are a text of their own, with its indentation. */
const FRAGMENTS = new Set(["fires on", "passes"]);

/** An explanation as headings and lists of facts. */
export function explanationNodes({ sheets }: ExplainedText, heading: "h3" | "h4"): HTMLElement[] {
  return sheets.flatMap((sheet) => [
    h(heading, {}, ...prose(sheet.heading)),
    h(
      "dl",
      {},
      ...sheet.facts.flatMap(({ title, lines }) => [
        h("dt", {}, title),
        h(
          "dd",
          {},
          ...(FRAGMENTS.has(title)
            ? [h("pre", { tabindex: 0, role: "group", "aria-label": title }, lines.join("\n"))]
            : lines.map((line) => h("p", {}, ...prose(line)))),
        ),
      ]),
    ),
  ]);
}
