/** A text in single quotes for a POSIX shell, which expands nothing in them. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A word of a command line for a POSIX shell: as it is where nothing in it is special, else in single quotes. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:@%+,=-]+$/.test(text) ? text : singleQuoted(text);
}
