import type { Draw } from "../../model/experiment.ts";
import type { Milliseconds } from "../../model/units.ts";
import { shuffle } from "../../stats/seeded-random.ts";

/**
 * Draws the level of each unit in permuted blocks: a block has every level once, in random order, so no drift can
 * follow the levels.
 */
export class Assignment {
  readonly #levels: readonly Milliseconds[];
  readonly #random: () => number;
  #blocks = 0;
  #waiting: Draw[] = [];

  /** `random`: in [0, 1). */
  constructor(levels: readonly Milliseconds[], random: () => number) {
    this.#levels = levels;
    this.#random = random;
  }

  /** The draw for a unit that starts now. */
  next(): Draw {
    if (this.#waiting.length === 0) {
      this.#waiting = this.#levels.map((level) => ({ block: this.#blocks, level }));
      shuffle(this.#waiting, 0, this.#waiting.length, this.#random);
      this.#blocks += 1;
    }
    return this.#waiting.shift() as Draw;
  }

  /** Gives the draw of a unit that was left out to the next unit; otherwise its block would never be whole. */
  putBack(draw: Draw): void {
    this.#waiting.unshift(draw);
  }
}
