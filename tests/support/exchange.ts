import { endpointOf } from "../../src/engine/model/endpoint.ts";
import { type Exchange, type Outcome, type Tag, UNKNOWN_YET } from "../../src/engine/model/exchange.ts";
import { KEPT_NAMES, type KeptFields } from "../../src/engine/model/exchange-fields.ts";
import type { Instants, Slowed } from "../../src/engine/model/phases.ts";
import type { ExchangeId, Instant } from "../../src/engine/model/units.ts";

/** The fields that a test sets. By default: a GET over a reused connection that took no time. */
export interface ExchangeSketch extends Partial<KeptFields> {
  readonly id?: number;
  readonly method?: string;
  readonly origin?: string;
  readonly target?: string;
  readonly operation?: string;
  readonly client?: string;
  readonly start?: number;
  /** `null`: the exchange is in flight. */
  readonly end?: number | null;
  readonly outcome?: Outcome;
  readonly status?: number;
  readonly instants?: Partial<Record<keyof Instants, number | null>>;
  readonly requestBodySize?: number;
  readonly encodedBodySize?: number;
  readonly decodedBodySize?: number | null;
  readonly contentEncoding?: string | null;
  readonly contentType?: string | null;
  readonly uncertainty?: number;
  readonly slowed?: Slowed | null;
  readonly program?: string | null;
  readonly protocol?: string;
  readonly tags?: readonly Tag[];
}

const NOTHING_KEPT = Object.fromEntries(KEPT_NAMES.map((name) => [name, null]));

/** An exchange made from a sketch. */
export function exchange(sketch: ExchangeSketch = {}): Exchange {
  const { method = "GET", origin = "https://api.test", target = "/", start = 0, end = start } = sketch;
  const at = (time: number | null): Instant | null => time as Instant | null;
  const outcome =
    end === null ? null : (sketch.outcome ?? { kind: "responded" as const, status: sketch.status ?? 200 });
  const size = sketch.encodedBodySize ?? 0;
  const isTold = sketch.tags?.includes("imported") ?? false;
  const isPlain = outcome?.kind === "responded" && !isTold && (sketch.contentEncoding ?? null) === null;
  const kept: Record<string, unknown> = { ...NOTHING_KEPT };
  for (const name of KEPT_NAMES) if (sketch[name] !== undefined) kept[name] = sketch[name];
  return Object.freeze({
    ...UNKNOWN_YET,
    id: (sketch.id ?? 1) as ExchangeId,
    endpoint: endpointOf(method, origin, target, sketch.operation ?? null),
    method,
    origin,
    target,
    client: sketch.client ?? "127.0.0.1 test/1.0",
    instants: Object.freeze({
      startTime: start as Instant,
      headReceived: at(start),
      domainLookupStart: null,
      domainLookupEnd: null,
      connectStart: null,
      secureConnectionStart: null,
      connectEnd: null,
      requestStart: at(start),
      requestEnd: at(start),
      responseStart: at(end),
      responseForwarded: at(sketch.instants?.responseStart === undefined ? end : sketch.instants.responseStart),
      responseEnd: at(end),
      ...(sketch.instants as Partial<Instants>),
    }),
    endTime: at(end),
    outcome,
    requestBodySize: sketch.requestBodySize ?? 0,
    encodedBodySize: size,
    decodedBodySize: sketch.decodedBodySize ?? (isPlain ? size : null),
    contentEncoding: sketch.contentEncoding ?? null,
    contentType: sketch.contentType ?? null,
    ...(kept as unknown as KeptFields),
    reused: sketch.reused ?? true,
    connection: sketch.connection ?? 1,
    uncertainty: sketch.uncertainty ?? 0,
    slowed: sketch.slowed ?? null,
    program: sketch.program ?? null,
    protocol: sketch.protocol ?? "http/1.1",
    tags: sketch.tags ?? [],
  });
}

/** A copy of the exchange for another target. */
export function withTarget(made: Exchange, target: string): Exchange {
  return { ...made, target, endpoint: endpointOf(made.method, made.origin, target) };
}
