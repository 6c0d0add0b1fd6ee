/*
 * A regular expression as an automaton without empty steps (Glushkov), with one state for each place that reads a
 * character. Equal transitions are counted, because a backtracking engine tries each of them.
 */

export interface Automaton {
  /** The characters that each state reads, as indexes into `ALPHABET`. */
  readonly states: readonly ReadonlySet<number>[];
  readonly first: ReadonlySet<number>;
  /** For each state, the next states and the number of transitions to them. */
  readonly follow: readonly ReadonlyMap<number, number>[];
  /** The accepting states, if nothing after them is checked. */
  readonly last: ReadonlySet<number>;
  /** Where a match can start: at the start of the text, at the start of a line, or anywhere. */
  readonly begins: "text" | "line" | "anywhere";
}

/** All bytes, and letters that fold to ASCII, separate lines, or take two UTF-16 units. */
export const ALPHABET: readonly string[] = [
  ...Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)),
  ..."\u017f\u212a\u2028\u3042\ufeff\ufffd",
];

interface Part {
  readonly nullable: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
  /** The states of `last` with no assertion after them. */
  readonly safe: readonly number[];
  /** For a part that may be empty: whether the empty part matches everywhere. */
  readonly holds: boolean;
}

const NOTHING: Part = { nullable: true, first: [], last: [], safe: [], holds: true };
const ASSERTION: Part = { ...NOTHING, holds: false };

/** Throws if the pattern uses syntax that is not supported (back references). */
export function automatonOf(source: string, flags: string): Automaton {
  return new Builder(source, flags).build();
}

class Builder {
  readonly #source: string;
  readonly #flags: string;
  readonly #states: Set<number>[] = [];
  readonly #follow: Map<number, number>[] = [];
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  build(): Automaton {
    const begins = this.#beginning();
    const whole = this.#alternatives();
    if (this.#at < this.#source.length) throw new Error(`cannot read /${this.#source}/ at ${this.#at}`);
    return {
      states: this.#states,
      first: new Set(whole.first),
      follow: this.#follow,
      last: new Set(whole.safe),
      begins,
    };
  }

  /** Where a match can start, by the flags and by a `^` at the start of each alternative. */
  #beginning(): Automaton["begins"] {
    if (this.#flags.includes("y")) return "text";
    const isAnchored = topAlternatives(this.#source).every((one) => one.startsWith("^"));
    if (!isAnchored) return "anywhere";
    return this.#flags.includes("m") ? "line" : "text";
  }

  #alternatives(): Part {
    let part = this.#sequence();
    while (this.#take("|")) {
      const other = this.#sequence();
      part = {
        nullable: part.nullable || other.nullable,
        first: [...part.first, ...other.first],
        last: [...part.last, ...other.last],
        safe: [...part.safe, ...other.safe],
        holds: (part.nullable && part.holds) || (other.nullable && other.holds),
      };
    }
    return part;
  }

  #sequence(): Part {
    let part = NOTHING;
    while (this.#at < this.#source.length && !"|)".includes(this.#source.charAt(this.#at))) {
      part = this.#joined(part, this.#repeated());
    }
    return part;
  }

  #joined(left: Part, right: Part): Part {
    this.#connect(left.last, right.first);
    return {
      nullable: left.nullable && right.nullable,
      first: left.nullable ? [...left.first, ...right.first] : left.first,
      last: right.nullable ? [...left.last, ...right.last] : right.last,
      safe: right.nullable && right.holds ? [...left.safe, ...right.safe] : right.safe,
      holds: left.holds && right.holds,
    };
  }

  #connect(from: readonly number[], to: readonly number[]): void {
    for (const one of from) {
      const ways = this.#follow[one] ?? new Map();
      for (const other of to) ways.set(other, (ways.get(other) ?? 0) + 1);
    }
  }

  /** Up to this number, repetitions multiply a match's time by a constant, whatever the length of the text. */
  #repeated(): Part {
    const from = this.#at;
    const one = this.#atom();
    const [, sign, least, comma, most] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})?\??/.exec(this.#source.slice(this.#at)) ?? [];
    const end = this.#at + (/^(?:[*+?]|\{\d+,?\d*\})\??/.exec(this.#source.slice(this.#at))?.[0].length ?? 0);
    if (sign === undefined && least === undefined) return one;
    const min = sign === undefined ? Number(least) : Number(sign === "+");
    const isEndless = sign === "*" || sign === "+" || (comma === "," && most === "");
    const limit = sign === "?" ? 1 : Number(most === "" ? least : most);
    const max = isEndless ? Number.POSITIVE_INFINITY : limit;
    let part = one;
    let copies = 1;
    const again = (): Part => {
      this.#at = from;
      copies += 1;
      return this.#atom();
    };
    if (min === 0) part = { ...one, nullable: true, holds: true };
    if (max === Number.POSITIVE_INFINITY) {
      while (copies < Math.min(min, 2)) part = this.#joined(part, again());
      this.#connect(part.last, part.first);
    } else {
      while (copies < Math.min(min, 2)) part = this.#joined(part, again());
      if (max > Math.max(min, 1)) part = this.#joined(part, { ...again(), nullable: true, holds: true });
    }
    this.#at = end;
    return part;
  }

  #atom(): Part {
    const rest = this.#source.slice(this.#at);
    const group = /^\((?:\?(?:<[A-Za-z_]\w*>|:|<?[=!]))?/.exec(rest)?.[0];
    if (group !== undefined) return this.#group(group);
    const assertion = /^(?:[\^$]|\\[bB])/.exec(rest)?.[0];
    if (assertion !== undefined) {
      this.#at += assertion.length;
      return ASSERTION;
    }
    if (/^\\(?:[1-9]|k<)/.test(rest)) throw new Error(`a back reference in /${this.#source}/`);
    const one =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[pP]\{[^}]*\}|\\c.|\\.|.)/su.exec(
        rest,
      )?.[0];
    if (one === undefined) throw new Error(`cannot read /${this.#source}/ at ${this.#at}`);
    this.#at += one.length;
    const reads = new RegExp(`^${one}$`, this.#flags.replaceAll(/[gym]/g, ""));
    const state = this.#states.length;
    this.#states.push(new Set(ALPHABET.flatMap((character, index) => (reads.test(character) ? [index] : []))));
    this.#follow.push(new Map());
    return readerOf(state);
  }

  /** When the rest fails, a lookaround may have read anything. So it ends in a state that reads nothing. */
  #group(opening: string): Part {
    this.#at += opening.length;
    let part = this.#alternatives();
    if (!this.#take(")")) throw new Error(`a group without an end in /${this.#source}/`);
    // A positive lookbehind is read like other text; a negative lookbehind adds nothing.
    if (opening === "(?<=") return part;
    if (opening === "(?<!") return NOTHING;
    if (!/[=!]$/.test(opening)) return part;
    const state = this.#states.length;
    this.#states.push(new Set());
    this.#follow.push(new Map());
    part = this.#joined(part, readerOf(state));
    return { ...part, nullable: true, last: [], safe: [], holds: false };
  }

  #take(character: string): boolean {
    if (this.#source.charAt(this.#at) !== character) return false;
    this.#at += 1;
    return true;
  }
}

function readerOf(state: number): Part {
  return { nullable: false, first: [state], last: [state], safe: [state], holds: true };
}

/** The alternatives of a pattern, split outside groups. */
function topAlternatives(source: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const piece of source.match(/\\.|\[(?:\\.|[^\]\\])*\]|./gsu) ?? []) {
    if (piece === "(") depth += 1;
    if (piece === ")") depth -= 1;
    if (piece === "|" && depth === 0) parts.push("");
    else parts[parts.length - 1] += piece;
  }
  return parts;
}
