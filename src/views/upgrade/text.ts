import { plainText, type Shown, shown } from "../../base/shown.ts";
import type { Palette } from "../../diagnostics/reporters/reporter.ts";
import { changeSections, type Section, sectionsText, sidesText, stakesSection } from "../diff/text.ts";
import type { UpgradeView } from "./upgrade.ts";

/** What an upgrade is, for people: what cannot be undone comes first. Ends with a newline. */
export function upgradeText(view: UpgradeView, paint: Palette): Shown {
  const [title, stakes] = stakesSection(view, paint, "what cannot be undone");
  const sections: readonly Section[] = [
    [title, [...stakes, ...view.lost.map(({ message }) => paint.warning(shown`  ! ${message}`))]],
    ["pin", [pinLine(view)]],
    ["findings", findingLines(view, paint)],
    ["changes of the config", view.fixes.map((fix) => shown`  * ${fix}`)],
    ...changeSections(view, paint),
  ];
  return shown`${sidesText(view, paint)}\n${sectionsText(sections, paint)}`;
}

/** What becomes of the pin, on a line. */
function pinLine({ pin }: UpgradeView): Shown {
  const { file, change, from, to } = pin;
  const turned = change === "changed" && from !== null ? `${from} -> ${to}` : to;
  return shown`  ${change === "none" ? "=" : "~"} ${plainText(file)}: ${turned}${change === "none" ? " already" : ""}`;
}

function findingLines({ findings }: UpgradeView, paint: Palette): Shown[] {
  return [
    ...findings.appear.map(({ severity, rule, message, fixed }) => {
      const line = shown`  + ${severity} ${rule}: ${message}${fixed ? " (fixed)" : ""}`;
      return fixed || severity === "info" ? line : severity === "error" ? paint.error(line) : paint.warning(line);
    }),
    ...findings.go.map(({ severity, rule, message }) => paint.good(shown`  - ${severity} ${rule}: ${message}`)),
  ];
}
