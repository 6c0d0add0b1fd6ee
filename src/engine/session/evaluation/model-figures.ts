import type { ModelSamples } from "../../insights/models/model-samples.ts";
import type { ModelFigures } from "../../messages/latency-messages.ts";
import { histogramOf } from "../../stats/histogram.ts";
import { LatencyTally } from "../../stats/latency-tally.ts";
import { percentileOf } from "../../stats/percentile.ts";

/** With fewer values there is no percentile, as for latencies. */
const LEAST_SAMPLES = 5;

/** The most models of an endpoint, those with the most calls. */
const MOST_MODELS = 20;

/**
 * The figures of each model, by endpoint, the models with the most calls first. `endpointOf`: the number of the call's
 * endpoint; `null` for an evicted call.
 */
export function modelFiguresOf(
  samples: ModelSamples,
  endpointOf: (id: number) => number | null,
): ReadonlyMap<number, readonly ModelFigures[]> {
  const calls = new Map<number, Map<number, number[]>>();
  for (const [place, id] of samples.ids.entries()) {
    const endpoint = endpointOf(id);
    if (endpoint === null) continue;
    const models = calls.get(endpoint) ?? new Map<number, number[]>();
    calls.set(endpoint, models);
    const model = samples.models[place] ?? 0;
    const own = models.get(model);
    if (own === undefined) models.set(model, [place]);
    else own.push(place);
  }
  return new Map([...calls].map(([endpoint, models]) => [endpoint, figuresIn(samples, models)]));
}

function figuresIn(samples: ModelSamples, models: ReadonlyMap<number, readonly number[]>): readonly ModelFigures[] {
  const figures = [...models].map(([model, places]) => {
    const firstTokens = ascendingOf(samples.firstTokens, places);
    const rates = ascendingOf(samples.rates, places);
    return Object.freeze({
      model: samples.names[model] ?? "",
      calls: places.length,
      firstToken:
        firstTokens.length < LEAST_SAMPLES
          ? null
          : { p50: percentileOf(firstTokens, 0.5), p95: percentileOf(firstTokens, 0.95) },
      rate: rates.length < LEAST_SAMPLES ? null : percentileOf(rates, 0.5),
      firstTokens: distributionOf(firstTokens),
      rates: distributionOf(rates),
    });
  });
  return Object.freeze(figures.sort((one, other) => other.calls - one.calls).slice(0, MOST_MODELS));
}

function distributionOf(values: Float64Array): ModelFigures["rates"] {
  if (values.length < LEAST_SAMPLES) return NOTHING;
  const tally = new LatencyTally({ keepsIds: false });
  for (const value of values) tally.record(value, 0);
  return histogramOf(tally);
}

const NOTHING: ModelFigures["rates"] = Object.freeze([]);

function ascendingOf(values: Float64Array, places: readonly number[]): Float64Array {
  const known = places.map((place) => values[place] ?? Number.NaN).filter((value) => !Number.isNaN(value));
  return Float64Array.from(known).sort();
}
