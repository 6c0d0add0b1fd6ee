import type { Evidence } from "../model/findings.ts";
import { forgetOldest } from "../model/forget-oldest.ts";

/** Our choices: the newest so many values are remembered, and for each the newest so many exchanges that gave it. */
const MOST_VALUES = 50_000;
const MOST_GIVERS = 16;

/** A value, and the links (`chain-forest.ts`) that gave it, the newest last. */
interface Given {
  readonly evidence: Evidence;
  readonly givers: readonly number[];
}

/** Remembers which exchange gave which value, so that the words of a request find the exchanges they may come from. */
export class EvidenceIndex {
  /** By client and value, the oldest first. */
  readonly #given = new Map<string, Given>();

  offer(giver: number, client: number, values: readonly Evidence[]): void {
    for (const evidence of values) {
      const key = keyOf(client, evidence.value);
      const givers = this.#given.get(key)?.givers ?? [];
      this.#given.delete(key);
      this.#given.set(key, { evidence, givers: [...givers.slice(1 - MOST_GIVERS), giver] });
      forgetOldest(this.#given, MOST_VALUES);
    }
  }

  /** Every exchange of the client that gave one of these words. */
  *givers(
    client: number,
    words: ReadonlySet<string>,
  ): Generator<{ giver: number; evidence: Evidence }, void, undefined> {
    for (const word of words) {
      const given = this.#given.get(keyOf(client, word));
      if (given === undefined) continue;
      for (const giver of given.givers) yield { giver, evidence: given.evidence };
    }
  }
}

function keyOf(client: number, value: string): string {
  return `${client} ${value}`;
}
