import { fisherExact } from "../../stats/fisher-exact.ts";
import { type Difference, Durations, LEAST_SLOW, type Measure } from "../findings/slow-when/durations.ts";
import type { Request } from "../findings/traffic.ts";

/** The least difference between the shares of both sides that have an attribute: less says nothing about a set. */
const LEAST_DIFFERENCE = 0.1;

/** Whether requests belong to a chosen set, as what splits are tried against. */
export class Membership implements Measure {
  readonly requests: readonly Request[];
  readonly #isChosen: Uint8Array;
  readonly #chosen: number;
  /** Membership as a duration of e or 1, whose logarithm is 1 or 0: splits by numbers compare logarithms. */
  readonly #asDurations: Durations;

  constructor(requests: readonly Request[], isChosen: (request: Request) => boolean) {
    this.requests = requests;
    this.#isChosen = Uint8Array.from(requests, (request) => Number(isChosen(request)));
    this.#chosen = this.#isChosen.reduce((sum, one) => sum + one, 0);
    this.#asDurations = new Durations(requests, (request) => (isChosen(request) ? Math.E : 1));
  }

  /**
   * Fisher's exact test. `effect`: the attribute's share of the chosen, divided by its share of the others; `explained`:
   * the square of phi. `null` unless at least five chosen requests have it, and clearly more of them than of the others.
   */
  test(members: Uint8Array): Difference | null {
    let [chosenWith, othersWith] = [0, 0];
    for (const [index, one] of members.entries()) {
      if (one === 0) continue;
      if (this.#isChosen[index] === 1) chosenWith += 1;
      else othersWith += 1;
    }
    const others = members.length - this.#chosen;
    if (chosenWith < LEAST_SLOW || others === 0) return null;
    const [share, usual] = [chosenWith / this.#chosen, othersWith / others];
    if (share - usual < LEAST_DIFFERENCE) return null;
    const [without, othersWithout] = [this.#chosen - chosenWith, others - othersWith];
    const margins = (chosenWith + othersWith) * (without + othersWithout) * this.#chosen * others;
    const phi = (chosenWith * othersWithout - without * othersWith) / Math.sqrt(margins);
    return {
      p: fisherExact(chosenWith, othersWith, without, othersWithout),
      effect: share / Math.max(usual, 1 / others),
      explained: phi ** 2,
    };
  }

  threshold(numbers: Float64Array): ReturnType<Measure["threshold"]> {
    return this.#asDurations.threshold(numbers);
  }

  window(numbers: Float64Array): ReturnType<Measure["window"]> {
    return this.#asDurations.window(numbers);
  }

  correlation(numbers: Float64Array): ReturnType<Measure["correlation"]> {
    return this.#asDurations.correlation(numbers);
  }
}
