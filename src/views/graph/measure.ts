import { characterWidth } from "../../base/width.ts";

/** Advance of a character of the widest common sans-serif (Verdana) in hundredths of the font's size, by what it is. */
const WIDE = /[mwMW@%—]/;
const NARROW = /[ijlIftr.,:;'`|!()[\]/\\ -]/;
const CAPITAL = /[A-Z0-9_=+<>#&?]/;

/** How wide a text is at most, in pixels, in whatever sans-serif font is there. */
export function sansWidth(text: string, size: number): number {
  let hundredths = 0;
  for (const character of text) {
    const cells = characterWidth(character);
    hundredths +=
      cells !== 1
        ? 50 * cells + 10 * cells
        : WIDE.test(character)
          ? 100
          : NARROW.test(character)
            ? 46
            : CAPITAL.test(character)
              ? 78
              : 64;
  }
  return Math.ceil((hundredths * size) / 100);
}

/** How wide a text is at most, in pixels, in whatever monospaced font is there. */
export function monoWidth(text: string, size: number): number {
  let cells = 0;
  for (const character of text) cells += characterWidth(character);
  return Math.ceil(cells * 0.61 * size);
}

/** A text cut so that it is at most so wide, with an ellipsis where something is missing. */
export function fitted(
  text: string,
  size: number,
  most: number,
  width: (text: string, size: number) => number,
): string {
  if (width(text, size) <= most) return text;
  const characters = [...text];
  while (characters.length > 1 && width(`${characters.join("")}…`, size) > most) characters.pop();
  return `${characters.join("")}…`;
}
