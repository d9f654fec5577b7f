/** Characters that an atom can match: the ASCII ones, and whether any beyond. */
interface CharacterSet {
  readonly ascii: ReadonlySet<number>;
  readonly beyond: boolean;
}

/** What is known of a stretch of a pattern when it is put beside others. */
interface Part {
  readonly first: CharacterSet;
  readonly last: CharacterSet;
  /** It begins, or ends, with a repetition. */
  readonly startsOpen: boolean;
  readonly endsOpen: boolean;
  /** It holds a repetition or an alternative. */
  readonly isAmbiguous: boolean;
}

const ANY: CharacterSet = { ascii: new Set(Array.from({ length: 128 }, (_, code) => code)), beyond: true };
const TOKEN =
  /\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[pP]\{[^}]*\}|[^])|\[(?:\\[^]|[^\]\\])*\]|\((?:\?(?::|=|!|<=|<!|<[^>]*>))?|[^]/giy;
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;
/** How many ways alternatives may multiply to before a pattern counts as slow. */
const MOST_WAYS = 1024;

/**
 * True where matching a pattern can take exponential, or badly polynomial, time: back references, a repeated group that
 * repeats or chooses inside, two neighbouring repetitions of the same characters, and alternatives whose choices multiply.
 * Errs towards true: an approval needs none of these.
 */
export function isSlowPattern(pattern: string): boolean {
  if (/\\[1-9]|\\k</.test(pattern)) return true;
  return new PatternReader(pattern).findsSlow();
}

/** Reads a pattern that is a regular expression, once from left to right. */
class PatternReader {
  readonly #pattern: string;
  #at = 0;
  #ways = 1;
  #isSlow = false;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  findsSlow(): boolean {
    while (this.#at < this.#pattern.length) {
      this.#alternatives();
      this.#at++;
    }
    return this.#isSlow || this.#ways > MOST_WAYS;
  }

  /** Reads up to the closing bracket or the end. */
  #alternatives(): Part | null {
    const branches: (Part | null)[] = [this.#sequence()];
    while (this.#pattern[this.#at] === "|") {
      this.#at++;
      branches.push(this.#sequence());
    }
    if (branches.length === 1) return branches[0] as Part | null;
    let sharing = 0;
    branches.forEach((a, index) => {
      for (const b of branches.slice(index + 1)) if (a === null || b === null || share(a.first, b.first)) sharing++;
    });
    this.#ways *= 1 + sharing;
    const parts = branches.filter((branch) => branch !== null);
    return {
      first: ANY,
      last: ANY,
      startsOpen: parts.some((part) => part.startsOpen),
      endsOpen: parts.some((part) => part.endsOpen),
      isAmbiguous: true,
    };
  }

  #sequence(): Part | null {
    let whole = null as Part | null;
    while (this.#at < this.#pattern.length && this.#pattern[this.#at] !== ")" && this.#pattern[this.#at] !== "|") {
      const part = this.#atom();
      if (part === null) continue;
      if (whole?.endsOpen === true && part.startsOpen && share(whole.last, part.first)) this.#isSlow = true;
      whole =
        whole === null
          ? part
          : { ...whole, last: part.last, endsOpen: part.endsOpen, isAmbiguous: whole.isAmbiguous || part.isAmbiguous };
    }
    return whole;
  }

  /** One atom with its quantifier; null for what matches no characters. */
  #atom(): Part | null {
    TOKEN.lastIndex = this.#at;
    const token = TOKEN.exec(this.#pattern)?.[0] ?? "";
    this.#at += token.length;
    const isGroup = token.startsWith("(");
    const inside = isGroup ? this.#alternatives() : single(token);
    if (isGroup) this.#at++;
    QUANTIFIER.lastIndex = this.#at;
    const quantifier = QUANTIFIER.exec(this.#pattern)?.[0] ?? "";
    this.#at += quantifier.length;
    if (quantifier === "" || inside === null) return /^\(\?<?[=!]/.test(token) ? null : inside;
    if (isGroup && inside.isAmbiguous) this.#isSlow = true;
    return { ...inside, startsOpen: true, endsOpen: true, isAmbiguous: true };
  }
}

function single(token: string): Part | null {
  if (token === "^" || token === "$" || /^\\b$/i.test(token)) return null;
  const set = charactersOf(token);
  return { first: set, last: set, startsOpen: false, endsOpen: false, isAmbiguous: false };
}

function charactersOf(atom: string): CharacterSet {
  let pattern: RegExp;
  try {
    pattern = new RegExp(`^(?:${atom})$`, "i");
  } catch {
    return ANY;
  }
  const ascii = new Set<number>();
  for (let code = 0; code < 128; code++) if (pattern.test(String.fromCharCode(code))) ascii.add(code);
  // `\d` and `\w` are ASCII; a negated class, `.` and `\s` reach beyond, as does what holds a character from there.
  const beyond = /^\.$|^\[\^|\\[DWSspP]|[^\x00-\x7f]|\\u(?!00[0-7])|\\x[89a-f]/i.test(atom.replace(/\\[dw]/g, ""));
  return { ascii, beyond };
}

function share(a: CharacterSet, b: CharacterSet): boolean {
  if (a.beyond && b.beyond) return true;
  for (const code of a.ascii) if (b.ascii.has(code)) return true;
  return false;
}
