/** Each text once, by number; numbers count up from 1, and 0 stands for `null`. */
export class Interned<Text extends string = string> {
  readonly #numbers = new Map<Text, number>();
  readonly #texts: (Text | null)[] = [null];

  /** One more than the highest number. */
  get size(): number {
    return this.#texts.length;
  }

  /** A text that is new here gets the next number. */
  numberOf(text: Text | null): number {
    if (text === null) return 0;
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.length;
    const own = ownCopy(text);
    this.#numbers.set(own, number);
    this.#texts.push(own);
    return number;
  }

  /** The text is known no longer, and its number stays free: 0 stands for it from now on, or, should it come again, another. */
  forget(number: number): void {
    const text = this.textAt(number);
    if (text === null) return;
    this.#numbers.delete(text);
    this.#texts[number] = null;
  }

  /** Its number, 0 if the text is not known. */
  find(text: Text): number {
    return this.#numbers.get(text) ?? 0;
  }

  textAt(number: number): Text | null {
    return this.#texts[number] ?? null;
  }
}

/**
 * A text cut out of a larger one keeps that one alive in memory, and one that was put together its parts; what `join` makes
 * stands by itself.
 */
function ownCopy<Text extends string>(text: Text): Text {
  return [text.slice(0, 1), text.slice(1)].join("") as Text;
}
