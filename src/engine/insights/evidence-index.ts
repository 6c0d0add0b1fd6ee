import type { Evidence } from "../model/findings.ts";
import { forgetOldest } from "../model/forget-oldest.ts";

/** Our choices: the newest so many values are remembered, and for each the newest so many exchanges that gave it. */
const MOST_VALUES = 50_000;
const MOST_GIVERS = 16;

/** A link (`chain-forest.ts`) that gave a value, and where it did. */
interface Given {
  readonly giver: number;
  readonly evidence: Evidence;
}

/** Remembers which exchange gave which value, so that the words of a request find the exchanges they may come from. */
export class EvidenceIndex {
  /** By client and value, the oldest first; of a value who gave it, the newest last. */
  readonly #given = new Map<string, readonly Given[]>();

  offer(giver: number, client: number, values: readonly Evidence[]): void {
    for (const evidence of values) {
      const key = keyOf(client, evidence.value);
      const given = this.#given.get(key) ?? [];
      this.#given.delete(key);
      this.#given.set(key, [...given.slice(1 - MOST_GIVERS), { giver, evidence }]);
      forgetOldest(this.#given, MOST_VALUES);
    }
  }

  /** Every exchange of the client that gave one of these words. */
  *givers(client: number, words: ReadonlySet<string>): Generator<Given, void, undefined> {
    for (const word of words) yield* this.#given.get(keyOf(client, word)) ?? [];
  }
}

function keyOf(client: number, value: string): string {
  return `${client} ${value}`;
}
