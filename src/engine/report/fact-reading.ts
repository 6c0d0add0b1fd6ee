import type { ContentReader } from "../capture/content-reader.ts";
import type { ExchangeFacts } from "../insights/exchange-facts.ts";
import { FactsMaker } from "../insights/facts/facts-maker.ts";
import { type PathCount, PathTemplates } from "../insights/path-templates.ts";
import { initiatorsIn } from "../interchange/har-fields.ts";
import { pathOf } from "../model/endpoint.ts";
import { hasOneOf, type Tag } from "../model/exchange.ts";
import type { Session } from "../session/session.ts";
import { CompressionMeter, readBodyOf } from "./body-facts.ts";
import { arrivalsOf, modelCallIn } from "./model-call.ts";

/** An exchange's facts, and the texts of its bodies, which the facts lack. */
export interface ReadExchange {
  readonly facts: ExchangeFacts;
  readonly requestText: string;
  readonly responseText: string;
  readonly initiators: readonly string[];
}

const IMPORTED: readonly Tag[] = ["imported"];

/** Reads exchanges from disk. Equal parts of their facts are shared to save memory. */
export class FactReader {
  readonly #session: Session;
  readonly #reader: ContentReader;
  readonly #maker: FactsMaker;
  readonly #meter: CompressionMeter;

  /** `paths`: the paths from which templates are learned if the session has none. */
  constructor(session: Session, reader: ContentReader, paths: Iterable<PathCount>) {
    this.#session = session;
    this.#reader = reader;
    this.#meter = new CompressionMeter(reader);
    this.#maker = new FactsMaker(session.templates ?? learnedFrom(paths));
  }

  /** Reads the exchange in this row; `null` if it has not ended or no statistic counts it. */
  read(row: number): Promise<ReadExchange | null> {
    return this.#session.table.countsAt(row) ? this.readEnded(row) : Promise.resolve(null);
  }

  /** Reads the exchange in this row, also one that no statistic counts; `null` if it has not ended. */
  async readEnded(row: number): Promise<ReadExchange | null> {
    const { table } = this.#session;
    const exchange = table.exchangeAt(row);
    if (exchange.outcome === null) return null;
    const reader = this.#reader;
    const heads = reader.headsOf(exchange.id) ?? { request: "", response: null };
    const request = await readBodyOf(reader, exchange, "request", heads.request);
    const response = await readBodyOf(reader, exchange, "response", heads.response ?? "");
    const events = arrivalsOf(reader, exchange);
    const facts = this.#maker.factsOf(exchange, {
      requestHead: heads.request,
      responseHead: heads.response,
      requestText: request.text,
      responseText: response.text,
      requestBody: request.facts,
      responseBody: response.facts,
      serverAddress: table.texts.textAt(table.server.at(row)),
      events,
      model: modelCallIn(exchange, request.bytes, response.bytes, events),
    });
    if (response.bytes !== null) {
      const compressed = await this.#meter.compressedSizeOf(exchange, facts.endpoint, response.bytes);
      if (compressed !== null) facts.responseBody = { ...facts.responseBody, compressed };
    }
    const fields = hasOneOf(exchange.tags, IMPORTED) ? reader.fieldsOf(exchange.id) : null;
    return { facts, requestText: request.text, responseText: response.text, initiators: initiatorsIn(fields) };
  }
}

/** Templates for these paths. Findings always group similar paths, even if tables show each path by itself. */
function learnedFrom(paths: Iterable<PathCount>): PathTemplates {
  const templates = new PathTemplates();
  templates.learn(paths);
  return templates;
}

/** The paths of the requests that statistics count, one entry for each request. */
export function* pathsOf({ table }: Session, rows: Iterable<number>): Generator<PathCount, void, undefined> {
  for (const row of rows) {
    if (table.methodAt(row) === "CONNECT" || table.isUncountedAt(row)) continue;
    yield { origin: table.originAt(row), path: pathOf(table.targetAt(row)), requests: 1 };
  }
}
