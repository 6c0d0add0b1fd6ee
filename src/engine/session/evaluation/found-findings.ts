import type { ExchangeFacts } from "../../insights/exchange-facts.ts";
import type { CoveredReport, Report } from "../../insights/findings/finding-report.ts";
import { addTo } from "../../insights/grouped.ts";
import { type Http3Origin, http3OriginsOf } from "../../insights/http3-origins.ts";
import { type ModelSamples, modelSamplesOf } from "../../insights/models/model-samples.ts";
import type { FindingName, FindingRecord } from "../../messages/finding-messages.ts";
import type { ModelFigures } from "../../messages/latency-messages.ts";
import { type Finding, type FindingKind, isUpperBound } from "../../model/finding.ts";
import type { ExchangeId } from "../../model/units.ts";
import { NO_WAITING } from "../../model/where.ts";
import { histogramOf } from "../../stats/histogram.ts";
import { LatencyTally } from "../../stats/latency-tally.ts";
import { percentileOf } from "../../stats/percentile.ts";
import type { Session } from "../session.ts";
import { Cached } from "./cached.ts";
import { SortedIds, sortedIdsOf } from "./sorted-ids.ts";
import { cut } from "./where-record.ts";

/** The findings of a search, as they cross from the analysis thread. */
export interface RankedRecords {
  readonly report: Report;
  /** The exchanges that each finding covers, ascending. */
  readonly covers: readonly Float64Array[];
  /** The number of examined endpoints, where each operation is an endpoint. */
  readonly endpoints: number;
  readonly models: ModelSamples;
  readonly http3: readonly Http3Origin[];
}

/** The findings of a search, by exchange and by endpoint. */
export class FoundFindings {
  readonly report: Report;
  readonly records: readonly FindingRecord[];
  readonly endpoints: number;
  readonly older: number;
  readonly #covers: readonly SortedIds[];
  readonly #names: readonly FindingName[];
  readonly #byKind = new Map<FindingKind, ReadonlySet<ExchangeId>>();
  readonly #byEndpoint = new Cached<ReadonlyMap<number, readonly FindingName[]>>();
  readonly #http3: ReadonlyMap<string, Http3Origin["used"]>;
  readonly #models: ModelSamples;
  readonly #modelsByEndpoint = new Cached<ReadonlyMap<number, readonly ModelFigures[]>>();

  /** `older`: the number of exchanges that were not examined. */
  constructor({ report, covers, endpoints, models, http3 }: RankedRecords, older: number) {
    this.#models = models;
    this.#http3 = new Map(http3.map((one) => [one.origin, one.used]));
    this.report = report;
    this.records = recordsOf(report.findings);
    this.endpoints = endpoints;
    this.older = older;
    this.#covers = covers.map((ids) => new SortedIds(ids));
    this.#names = this.records.map(nameOf);
  }

  /** The exchanges that findings of this kind cover. */
  idsOf(kind: FindingKind): ReadonlySet<ExchangeId> {
    const ids =
      this.#byKind.get(kind) ??
      new Set(this.records.flatMap((record, index) => (record.kind === kind ? [...(this.#covers[index] ?? [])] : [])));
    this.#byKind.set(kind, ids);
    return ids;
  }

  /** Whether the finding at this index covers an exchange for which `holds` is true. */
  coversSome(index: number, holds: (id: ExchangeId) => boolean): boolean {
    for (const id of this.#covers[index] ?? []) if (holds(id)) return true;
    return false;
  }

  /** The findings that cover an exchange, the costliest first. */
  namesOf(id: ExchangeId): readonly FindingName[] {
    return this.#names.filter((_, index) => this.#covers[index]?.has(id));
  }

  /** The findings that cover an exchange of the endpoint with this number. */
  namesAt(session: Session, endpoint: number): readonly FindingName[] {
    const names = this.#byEndpoint.of([session.table.endpoints], () => this.#namesByEndpoint(session));
    return names.get(endpoint) ?? NONE;
  }

  /** The examined calls of language models to the endpoint with this number, by model. */
  modelsAt({ table }: Session, endpoint: number): readonly ModelFigures[] {
    const endpointOf = (id: number) => {
      const row = table.rowOf(id as ExchangeId);
      return row === null ? null : table.endpoint.at(row);
    };
    const models = this.#modelsByEndpoint.of([table.endpoints], () => modelFiguresOf(this.#models, endpointOf));
    return models.get(endpoint) ?? [];
  }

  /** The HTTP version used with an origin that offers HTTP/3; `null` for other origins. */
  http3At(origin: string): Http3Origin["used"] | null {
    return this.#http3.get(origin) ?? null;
  }

  #namesByEndpoint({ table }: Session): ReadonlyMap<number, readonly FindingName[]> {
    const byEndpoint = new Map<number, Set<FindingName>>();
    for (const [index, name] of this.#names.entries())
      for (const id of this.#covers[index] ?? []) {
        const row = table.rowOf(id);
        if (row === null) continue;
        const endpoint = table.endpoint.at(row);
        const own = byEndpoint.get(endpoint);
        if (own === undefined) byEndpoint.set(endpoint, new Set([name]));
        else own.add(name);
      }
    return new Map([...byEndpoint].map(([endpoint, names]) => [endpoint, Object.freeze([...names])]));
  }
}

/** `facts`: the facts of the examined exchanges. */
export function rankedRecordsOf({ report, covers }: CoveredReport, facts: readonly ExchangeFacts[]): RankedRecords {
  const endpoints = new Set(facts.map(({ endpoint }) => endpoint)).size;
  const [models, http3] = [modelSamplesOf(facts), http3OriginsOf(facts)];
  return Object.freeze({ report, covers: covers.map(sortedIdsOf), endpoints, models, http3 });
}

/** The result for a session without exchanges. */
export const NOTHING_FOUND = new FoundFindings(
  {
    report: {
      schema: 1,
      source: "",
      exchanges: 0,
      clients: 0,
      duration: 0,
      waiting: 0,
      where: NO_WAITING,
      findings: [],
    },
    covers: [],
    endpoints: 0,
    models: modelSamplesOf([]),
    http3: [],
  },
  0,
);

const NONE: readonly FindingName[] = Object.freeze([]);

/** The most characters of a finding's key. */
const LONGEST_KEY = 1_000;

function recordsOf(findings: readonly Finding[]): readonly FindingRecord[] {
  const seen = new Map<string, number>();
  return findings.map((whole) => {
    const finding = cut(whole);
    const key = keyOf(finding);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return Object.freeze({ ...finding, key: before === 0 ? key : `${key} ${before + 1}` });
  });
}

function keyOf({ kind, endpoint, origin, client, attribute }: Finding): string {
  return JSON.stringify([kind, endpoint, origin, client, attribute]).slice(0, LONGEST_KEY);
}

function nameOf(record: FindingRecord): FindingName {
  const { key, kind, summary, confidence, time, bytes } = record;
  return Object.freeze({ key, kind, summary, confidence, time, bytes, isUpTo: isUpperBound(record) });
}

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
  for (const [index, id] of samples.ids.entries()) {
    const endpoint = endpointOf(id);
    if (endpoint === null) continue;
    const models = calls.get(endpoint) ?? new Map<number, number[]>();
    calls.set(endpoint, models);
    addTo(models, samples.models[index] ?? 0, index);
  }
  return new Map([...calls].map(([endpoint, models]) => [endpoint, figuresIn(samples, models)]));
}

function figuresIn(samples: ModelSamples, models: ReadonlyMap<number, readonly number[]>): readonly ModelFigures[] {
  const figures = [...models].map(([model, indexes]) => {
    const firstTokens = ascendingOf(samples.firstTokens, indexes);
    const rates = ascendingOf(samples.rates, indexes);
    return Object.freeze({
      model: samples.names[model] ?? "",
      calls: indexes.length,
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

function ascendingOf(values: Float64Array, indexes: readonly number[]): Float64Array {
  const known = indexes.map((index) => values[index] ?? Number.NaN).filter((value) => !Number.isNaN(value));
  return Float64Array.from(known).sort();
}
