import { LEAST_OF_A_SET, type SetLatency } from "../../messages/difference-messages.ts";
import { isTooUncertain } from "../../model/exchange.ts";
import { DEFAULT_SETTINGS } from "../../model/settings.ts";
import type { Milliseconds } from "../../model/units.ts";
import { sharedLevel } from "../../stats/holm.ts";
import { type LatencySample, latencySampleIn, medianOf } from "../../stats/percentile.ts";
import { leastP } from "../../stats/ranks.ts";
import { latencyVerdicts, SampleBaseline, SIGNIFICANT } from "../figure-change.ts";
import { isComparable } from "../findings/slow-when/explanation.ts";
import type { Request } from "../findings/traffic.ts";
import { groupedBy } from "../grouped.ts";
import { bandsOf } from "../trends.ts";

/** The most endpoints of a result. */
const MOST_ENDPOINTS = 12;

const BAND = bandsOf(DEFAULT_SETTINGS).latency;

interface Sides {
  readonly chosen: LatencySample;
  readonly others: LatencySample;
}

/**
 * The endpoints whose chosen requests have another median latency than their others, by the rank test of Compare, with
 * p < 0.01 shared out over the endpoints. The largest ratio first. `tried`: how many endpoints were tested.
 */
export function latenciesOf(
  compared: readonly Request[],
  isChosen: (request: Request) => boolean,
): { readonly latencies: readonly SetLatency[]; readonly tried: number } {
  const tests = [...groupedBy(compared.filter(isComparable), ({ endpointKey }) => endpointKey).values()].flatMap(
    (all) => {
      const own = sureOf(all, isChosen);
      const [chosen, others] = [sampleIn(own.filter(isChosen)), sampleIn(own.filter((one) => !isChosen(one)))];
      const [first] = own;
      return first === undefined || chosen === null || others === null
        ? []
        : [{ endpoint: first.facts.endpoint, sides: { chosen, others } }];
    },
  );
  const level = sharedLevel(
    tests.map(({ sides }) => leastP(sides.chosen, sides.others)),
    SIGNIFICANT,
  );
  const latencies = tests
    .filter(({ sides }) => differs(sides, level))
    .sort((one, other) => ratioOf(other.sides) - ratioOf(one.sides))
    .slice(0, MOST_ENDPOINTS)
    .map(({ endpoint, sides: { chosen, others } }) =>
      Object.freeze({
        endpoint,
        chosen: { requests: chosen.count, median: chosen.p50 },
        others: { requests: others.count, median: others.p50 },
      }),
    );
  return { latencies, tried: tests.length };
}

/**
 * The requests without those whose uncertainty could put them on the other side, beyond halfway between the medians.
 */
function sureOf(requests: readonly Request[], isChosen: (request: Request) => boolean): readonly Request[] {
  if (!requests.some(isTooUncertain)) return requests;
  const [chosen, others] = [requests.filter(isChosen), requests.filter((one) => !isChosen(one))];
  if (chosen.length === 0 || others.length === 0) return [];
  const half = Math.abs(medianOf(chosen.map(latencyOf)) - medianOf(others.map(latencyOf))) / 2;
  return requests.filter((request) => !isTooUncertain(request) || request.uncertainty < half);
}

function latencyOf({ latency }: Request): Milliseconds {
  return latency ?? 0;
}

function sampleIn(requests: readonly Request[]): LatencySample | null {
  return requests.length < LEAST_OF_A_SET ? null : latencySampleIn(requests.map(latencyOf));
}

function differs({ chosen, others }: Sides, level: number): boolean {
  return latencyVerdicts(chosen, new SampleBaseline([others]), BAND, level).p50.direction !== "stable";
}

/** The larger median divided by the smaller. */
function ratioOf({ chosen, others }: Sides): number {
  return Math.max(0.1, chosen.p50, others.p50) / Math.max(0.1, Math.min(chosen.p50, others.p50));
}
