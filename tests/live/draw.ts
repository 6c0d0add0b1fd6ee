import { lognormal, seeded } from "../support/seeded.ts";

const WORDS = `amber anchor apple arrow atlas badge bakery basin beacon birch bottle branch bridge bronze bundle cabin
 canvas cargo castle cedar chapter cherry circle clinic clover cobalt comet copper coral cotton county crane crystal
 dairy delta desert dragon drawer ember engine estate falcon ferry fiber filter forest fossil galaxy garden ginger
 granite harbor hazel hollow island ivory jacket jasmine kernel kettle ladder lagoon lantern ledger lemon linen lizard
 magnet maple marble meadow melon mirror museum needle nickel oasis olive orchard otter oyster parcel pebble pepper
 pigeon pillar planet pocket quartz rabbit raven ribbon river rocket saddle salmon sapphire shadow silver spruce
 temple ticket timber tulip tunnel turbine valley velvet violet walnut willow window winter zephyr`.split(/\s+/);

/** Draws from a seed, the same each time. */
export class Draw {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seeded(seed);
  }

  /** In [low, high). */
  real(low: number, high: number): number {
    return low + this.#random() * (high - low);
  }

  /** From low to high, both possible. */
  int(low: number, high: number): number {
    return Math.floor(this.real(low, high + 1));
  }

  /** True with this probability. */
  chance(share: number): boolean {
    return this.#random() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new RangeError("nothing to pick from");
    return item;
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, key: this.#random() }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);
  }

  /** So many different names, such as for endpoints, parameters or tenants. */
  words(count: number): string[] {
    return this.shuffled(WORDS).slice(0, count);
  }

  lognormal(median: number, sigma: number): number {
    return lognormal(this.#random, median, sigma);
  }

  /** Text without order, which cannot be compressed well. */
  text(length: number): string {
    let text = "";
    while (text.length < length) text += this.#random().toString(36).slice(2);
    return text.slice(0, length);
  }
}

/** A seed for a name in a run: FNV-1a. */
export function seedOf(name: string, seed: number): number {
  let hash = (2_166_136_261 ^ seed) >>> 0;
  for (const char of name) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return hash;
}
