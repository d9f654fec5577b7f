import { code, sentence, table } from "../../base/markdown.ts";
import { joined, ours, type Piece, plainText, type Shown, shown } from "../../base/shown.ts";
import { diffMarkdown } from "../diff/markdown.ts";
import type { UpgradeView } from "./upgrade.ts";

/** What an upgrade is, as Markdown. Ends with a newline. */
export function upgradeMarkdown(view: UpgradeView): Shown {
  const { pin, lost, fixes, findings } = view;
  const rows: Piece[][] = [
    ...findings.appear.map(({ severity, rule, message, fixed }) => [
      fixed ? "appears, and is fixed" : "appears",
      severity,
      code(rule),
      sentence(message),
    ]),
    ...findings.go.map(({ severity, rule, message }) => ["goes", severity, code(rule), sentence(message)]),
  ];
  const blocks: Shown[] = [
    shown`Pin in ${code(plainText(pin.file))}: ${code(pin.to)}${pin.change === "none" ? " already" : ""}`,
  ];
  if (rows.length > 0) blocks.push(shown`#### Findings\n\n${table(["", "", "Rule", "What"], rows)}`);
  if (fixes.length > 0) {
    const list = fixes.map((fix) => shown`- ${sentence(fix)}`);
    blocks.push(shown`#### Changes of the config\n\n${joined(list, ours("\n"))}`);
  }
  return diffMarkdown(view, shown`qm ${view.from.release} to ${pin.to}`, {
    stakes: lost.map(({ message }) => message),
    blocks,
  });
}
