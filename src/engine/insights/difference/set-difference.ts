import { LEAST_OF_A_SET, type SetAttribute, type SetDifference } from "../../messages/difference-messages.ts";
import type { ExchangeId } from "../../model/units.ts";
import { fisherExact } from "../../stats/fisher-exact.ts";
import { column, type NumberColumn, TIERS } from "../findings/slow-when/column.ts";
import {
  categoryColumns,
  namesIn,
  numberColumns,
  operationColumn,
  statusColumn,
} from "../findings/slow-when/columns.ts";
import { type Difference, Durations, LEAST_SLOW } from "../findings/slow-when/durations.ts";
import { overlapOf, SAME_FROM } from "../findings/slow-when/endpoint-causes.ts";
import { evenlySpaced, significantOf } from "../findings/slow-when/explanation.ts";
import { loadOf } from "../findings/slow-when/load.ts";
import { categorySplits, numberSplit, type Split } from "../findings/slow-when/split.ts";
import type { Request, Traffic } from "../findings/traffic.ts";
import { latenciesOf } from "./set-latencies.ts";

/** The most attributes of a result. */
const MOST_ATTRIBUTES = 12;

/** Splits that explain as much as each other by this factor are ranked by tier, then by what they name. */
const AS_GOOD_FROM = 0.85;

/**
 * Whether a set was chosen by when its requests began, and by how long they took: then that is no difference to tell.
 */
export interface ChosenBy {
  readonly isByTime: boolean;
  readonly isByLatency: boolean;
}

/**
 * What the chosen requests have more often than the other requests of their endpoints, after Holm's correction for all
 * comparisons, and which of these endpoints took another time (`latenciesOf`).
 */
export function setDifferenceOf(
  { requests, byId }: Pick<Traffic, "requests" | "byId">,
  ids: Iterable<number>,
  { isByTime, isByLatency }: ChosenBy,
): SetDifference {
  const chosen = new Set<Request>();
  let leftOut = 0;
  for (const id of ids) {
    const request = byId.get(id as ExchangeId);
    if (request === undefined) leftOut += 1;
    else chosen.add(request);
  }
  const keys = new Set(Array.from(chosen, ({ endpointKey }) => endpointKey));
  const compared = requests.filter(({ endpointKey }) => keys.has(endpointKey));
  const isChosen = (request: Request) => chosen.has(request);
  const others = compared.filter((request) => !isChosen(request));
  const [first] = chosen;
  const found = attributesOf(compared, requests, { isChosen, isByTime, hasOneEndpoint: keys.size === 1 });
  const { latencies, tried } = isByLatency ? { latencies: [], tried: 0 } : latenciesOf(compared, isChosen);
  return Object.freeze({
    latencies,
    latenciesTried: tried,
    chosen: chosen.size,
    others: others.length,
    leftOut,
    endpoints: keys.size,
    endpoint: keys.size === 1 && first !== undefined ? first.facts.endpoint : null,
    ...found,
  });
}

interface Question {
  readonly isChosen: (request: Request) => boolean;
  readonly isByTime: boolean;
  readonly hasOneEndpoint: boolean;
}

function attributesOf(
  compared: readonly Request[],
  all: readonly Request[],
  { isChosen, isByTime, hasOneEndpoint }: Question,
): Pick<SetDifference, "attributes" | "tried"> {
  const sides = [compared.filter(isChosen), compared.filter((request) => !isChosen(request))];
  if (sides.some(({ length }) => length < LEAST_OF_A_SET)) return { attributes: [], tried: 0 };
  const sample = sides.flatMap(evenlySpaced).sort((left, right) => left.start - right.start);
  const membership = new Membership(sample, isChosen);
  const load = loadOf(all, new Set(sample.map(({ origin }) => origin)));
  const splits: Split[] = [];
  let tried = 0;
  const take = (result: { readonly splits: readonly Split[]; readonly tried: number }): void => {
    splits.push(...result.splits);
    tried += result.tried;
  };
  const names = namesIn(sample);
  const categories = [...categoryColumns(sample, names), operationColumn, statusColumn, endpointColumn];
  // A segment's number means another thing in each endpoint.
  for (const one of categories)
    if (hasOneEndpoint || !one.name.startsWith("path:")) take(categorySplits(one, membership));
  for (const one of numberColumns(sample, names, load)) if (isNews(one, isByTime)) take(numberSplit(one, membership));
  const ranked = distinct(rankedOf(significantOf(splits, tried)), sample).slice(0, MOST_ATTRIBUTES);
  return { attributes: ranked.map((split) => countedOf(split, sides)), tried };
}

/** `METHOD PATH` of the endpoint. */
const endpointColumn = column(
  "endpoint",
  TIERS.request,
  ({ facts: { endpoint } }) => [`${endpoint.method} ${endpoint.path}`],
  false,
);

function isNews({ name }: NumberColumn, isByTime: boolean): boolean {
  return !isByTime || name !== "time-in-session";
}

/** The splits, the clearest first; of about equally clear ones, those of what the client asked for first. */
function rankedOf(splits: readonly Split[]): readonly Split[] {
  const left = splits.toSorted((one, other) => other.explained - one.explained);
  const ranked: Split[] = [];
  while (left.length > 0) {
    const good = left.filter(({ explained }) => explained >= AS_GOOD_FROM * (left[0]?.explained ?? 0));
    good.sort((one, other) => one.tier - other.tier || Number(one.isNegative) - Number(other.isNegative));
    const [best] = good;
    if (best === undefined) break;
    ranked.push(best);
    left.splice(left.indexOf(best), 1);
  }
  return ranked;
}

/** The splits without those that say the same of the same attribute as an earlier one. */
function distinct(ranked: readonly Split[], sample: readonly Request[]): readonly Split[] {
  const kept: Split[] = [];
  for (const split of ranked) {
    const isKnown = kept.some(
      ({ attribute, carries }) =>
        attribute.name === split.attribute.name && overlapOf(sample, carries, split.carries) >= SAME_FROM,
    );
    if (!isKnown) kept.push(split);
  }
  return kept;
}

function countedOf({ attribute, carries }: Split, [chosen = [], others = []]: readonly Request[][]): SetAttribute {
  return Object.freeze({
    ...attribute,
    chosen: chosen.filter(carries).length,
    others: others.filter(carries).length,
  });
}

/** The least difference between the shares of both sides that have an attribute: less says nothing about a set. */
const LEAST_DIFFERENCE = 0.1;

/**
 * Whether requests belong to a chosen set, as a duration of e or 1, whose logarithm is 1 or 0: splits by numbers compare
 * logarithms.
 */
export class Membership extends Durations {
  readonly #isChosen: Uint8Array;
  readonly #chosen: number;

  constructor(requests: readonly Request[], isChosen: (request: Request) => boolean) {
    super(requests, (request) => (isChosen(request) ? Math.E : 1));
    this.#isChosen = Uint8Array.from(requests, (request) => Number(isChosen(request)));
    this.#chosen = this.#isChosen.reduce((sum, one) => sum + one, 0);
  }

  /**
   * Fisher's exact test. `effect`: the attribute's share of the chosen, divided by its share of the others;
   * `explained`: the square of phi. `null` unless at least five chosen requests have it, and clearly more of them than
   * of the others.
   */
  override test(members: Uint8Array): Difference | null {
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
}
