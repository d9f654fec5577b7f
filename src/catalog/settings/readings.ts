import { closestName } from "../../base/closest-name.ts";
import { names } from "../../base/phrase.ts";
import { consequenceOf, ends, type Otherwise, REFUSED, setting, unfit } from "./unfit.ts";
import type { Reading, Setting, SettingFacts, SettingProblem } from "./setting.ts";

const YES: readonly string[] = ["1", "true", "yes", "on"];
const NO: readonly string[] = ["0", "false", "no", "off", "none"];

const BOOLEAN: Reading = {
  kind: "boolean",
  takes: () => `${names(YES.slice(1), "or")} (or 1), ${names(NO.slice(1), "or")} (or 0), in any case`,
  words: () => ["true", "false"],
  blank: null,
  otherwise: REFUSED,
  judge(value) {
    const word = value.trim().toLowerCase();
    if (word === "" || YES.includes(word) || NO.includes(word)) return null;
    const meant = closestName(word, ["true", "false"]);
    return unfit("refused", "is no word for on or off", "use `true` or `false`", meant);
  },
};

/** True for a text that core's own reader of booleans takes for no. */
export function isOff(text: string | undefined): boolean {
  return text !== undefined && NO.includes(text.trim().toLowerCase());
}

/** Core's own reader of booleans (docs/contract/qm-boot.md#how-core-reads-a-value). */
export function boolean(name: string, description: string, facts: SettingFacts = {}): Setting {
  return setting(name, description, BOOLEAN, facts);
}

interface FlagFacts extends SettingFacts, Otherwise {
  /** In production it counts as on, whatever it says. */
  readonly impliedInProduction?: true;
}

/** A switch that only the text `1` turns on; `otherwise` says what else happens. */
export function flag(name: string, description: string, facts: FlagFacts = {}): Setting {
  const { otherwise = "it stays off", impliedInProduction, ...rest } = facts;
  const judge: Reading["judge"] = (value, { production }) =>
    production && impliedInProduction === true ? null : judgeFlag(value, otherwise);
  return setting(name, description, { ...FLAG, otherwise, judge }, rest);
}

const FLAG = {
  kind: "boolean",
  takes: () => "`1` alone; every other value is off",
  words: () => ["1", "0"],
  blank: null,
} as const;

function judgeFlag(value: string, otherwise: string): SettingProblem | null {
  const word = value.trim().toLowerCase();
  if (value === "1" || word === "" || NO.includes(word)) return null;
  const on = YES.includes(word) ? "1" : null;
  return unfit({ otherwise }, "is not `1`, the only value that counts as on", "write `1`, or remove it", on);
}

interface NumberFacts extends SettingFacts, Otherwise {
  readonly whole?: true;
  readonly least?: number;
  readonly most?: number;
  /** Zero and less are outside of the range; where `outside` does not say more, they are read like text that is no number. */
  readonly positive?: true;
  /** What a number outside of the range does, where the service does not refuse it. */
  readonly outside?: string;
  /** A blank value is the number 0. */
  readonly blankIsZero?: true;
}

/** A number as JavaScript's `Number` reads it. */
export function number(name: string, description: string, facts: NumberFacts = {}): Setting {
  const { whole, least, most, positive, otherwise, outside, blankIsZero, ...rest } = facts;
  const unread = consequenceOf(otherwise);
  const beyond = consequenceOf(outside);
  const range = rangeText(facts);
  const help = `write ${range}${facts.default === undefined ? "" : `, such as \`${facts.default}\``}, or remove it`;
  const reading: Reading = {
    kind: "number",
    takes: () => range,
    words: null,
    blank: blankIsZero === true ? "the number 0" : null,
    otherwise: numberOtherwise(facts, ends(unread), ends(beyond)),
    judge(value) {
      const blank = value.trim() === "";
      if (blank && blankIsZero !== true) return null;
      const found = Number(value);
      if (!Number.isFinite(found)) return unfit(unread, "is no number", help, separated(value));
      if (positive === true && found <= 0)
        return unfit(
          outside === undefined ? unread : beyond,
          blank ? "is blank, which counts as 0" : "is not above 0",
          help,
        );
      const fits =
        (whole !== true || Number.isSafeInteger(found)) && found >= (least ?? found) && found <= (most ?? found);
      return fits ? null : unfit(beyond, `is not ${range}`, help);
    },
  };
  return setting(name, description, reading, rest);
}

/** What text that is no number does, and a number outside of the range, where that is something else. */
function numberOtherwise({ least, most, outside }: NumberFacts, unread: string, beyond: string): string {
  const hasRange = least !== undefined || most !== undefined || outside !== undefined;
  return hasRange && unread !== beyond ? `${unread}; outside of the range ${beyond}` : unread;
}

function rangeText({ whole, least, most, positive }: NumberFacts): string {
  const kind = whole === true ? "a whole number" : "a number";
  if (least !== undefined && most !== undefined) return `${kind} from ${least} to ${most}`;
  const bounds = [positive === true ? "above 0" : [], least === undefined ? [] : `of at least ${least}`].flat();
  if (most !== undefined) bounds.push(bounds.length === 0 ? `of at most ${most}` : `and at most ${most}`);
  return [kind, ...bounds].join(" ");
}

/** Digits that people group, which no reader takes: `1_000`, `10,000`. */
function separated(value: string): string | null {
  return /^\d{1,3}(?:[_,]\d{3})+$/.test(value.trim()) ? value.replace(/[_,\s]/g, "") : null;
}
