import { setImmediate } from "node:timers/promises";
import type { Baseline, BaselineSession } from "../../../src/engine/insights/findings/draft.ts";
import { PathTemplates } from "../../../src/engine/insights/path-templates.ts";
import { endpointAt, partsOf, pathOf } from "../../../src/engine/model/endpoint.ts";
import {
  type Exchange,
  hasOneOf,
  isError,
  isSizeSample,
  isTooUncertain,
  timedLatencyOf,
  UNCOUNTED_TAGS,
} from "../../../src/engine/model/exchange.ts";
import type { Result } from "../../../src/engine/model/result.ts";
import type { Bytes, Milliseconds } from "../../../src/engine/model/units.ts";
import { Session } from "../../../src/engine/session/session.ts";
import type { SessionReader } from "../storage/session-reader.ts";

/** The most exchanges of earlier sessions that are read. The newest session is read first. */
const MOST_EXCHANGES = 200_000;

/**
 * Opens a stored session for reading; the caller closes the reader. Returns a phrase if the session cannot be opened.
 */
export type OpensSession = (id: string) => Result<SessionReader>;

/**
 * Latencies, sizes and errors of earlier sessions by endpoint, for finding what became worse. Sessions without
 * exchanges on disk are skipped. `pause`: lets other work run.
 */
export async function baselineLatenciesOf(
  open: OpensSession,
  newestFirst: readonly string[],
  pause: () => Promise<unknown> = setImmediate,
): Promise<ReadonlyMap<string, Baseline>> {
  const found = new Map<string, BaselineSession[]>();
  let left = MOST_EXCHANGES;
  for (const id of newestFirst) {
    if (left <= 0) break;
    const exchanges = await exchangesOf(open, id, pause);
    left -= exchanges.length;
    for (const [key, requests] of latenciesOf(exchanges)) {
      const sessions = found.get(key);
      if (sessions === undefined) found.set(key, [requests]);
      else sessions.push(requests);
    }
    await pause();
  }
  return new Map([...found].map(([key, sessions]) => [key, { sessions }]));
}

async function exchangesOf(
  open: OpensSession,
  id: string,
  pause: () => Promise<unknown>,
): Promise<readonly Exchange[]> {
  const opened = open(id);
  if (!opened.ok) return [];
  const reader = opened.value;
  const session = new Session(Number.POSITIVE_INFINITY);
  for (const event of reader.events(false)) {
    session.apply([event]);
    await pause();
  }
  reader.close();
  const { table } = session;
  const exchanges: Exchange[] = [];
  for (let row = table.firstRow; row < table.nextRow; row += 1) {
    const exchange = table.exchangeAt(row);
    if (!hasOneOf(exchange.tags, UNCOUNTED_TAGS)) exchanges.push(exchange);
  }
  return exchanges;
}

function latenciesOf(exchanges: readonly Exchange[]): ReadonlyMap<string, BaselineSession> {
  const paths = exchanges.map(({ origin, target }) => ({ origin, path: pathOf(target), requests: 1 }));
  const templates = new PathTemplates();
  templates.learn(paths);
  const found = new Map<string, Growing>();
  for (const exchange of exchanges) {
    const { method, origin, target, outcome } = exchange;
    const { operation } = partsOf(exchange.endpoint);
    const key = endpointAt(method, origin, templates.templateOf(origin, pathOf(target)), operation);
    const own = found.get(key) ?? { requests: 0, errors: 0, latencies: [], sizes: [] };
    found.set(key, own);
    own.requests += 1;
    if (isError(outcome)) own.errors += 1;
    const latency = timedLatencyOf(exchange);
    if (latency !== null && !isTooUncertain(exchange)) own.latencies.push(latency);
    if (isSizeSample(outcome)) own.sizes.push(exchange.encodedBodySize);
  }
  return found;
}

interface Growing extends BaselineSession {
  requests: number;
  errors: number;
  readonly latencies: Milliseconds[];
  readonly sizes: Bytes[];
}
