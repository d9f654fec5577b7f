/** Code-unit order of two strings: the same on every machine, unlike `localeCompare`. */
export function compareText(a: string, b: string): number {
  // Most that is compared is the same string, which this tells without reading it.
  return a === b ? 0 : a < b ? -1 : 1;
}
