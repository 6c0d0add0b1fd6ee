import { isShrinkable } from "../insights/payload.ts";
import type { PayloadDetail } from "../messages/payload-messages.ts";
import type { Endpoint } from "../model/endpoint.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import type { Judge } from "./judge.ts";
import { payloadRecordOf } from "./payload-list.ts";
import type { Session } from "./session.ts";

/** Our choice: at most so many slices of the session, and no shorter ones. */
const SLICES = 40;
const SHORTEST: Milliseconds = 1_000;

/** Our choice: so many of the latest responses are looked at for one that could be compressed. */
const MOST_TRIED = 500;

/** payload-messages.ts, PayloadDetail. */
const MOST_OVERSIZED = 100;

interface Slice {
  requests: number;
  requestBytes: Bytes;
  responses: number;
  responseBytes: Bytes;
}

/** The sizes of one endpoint over time; `null` while it has no row. */
export function payloadDetailOf(
  session: Session,
  endpoint: Endpoint,
  judge: Judge,
  oversizedCounts: Uint32Array,
): PayloadDetail | null {
  const { table, summary } = session;
  const tally = session.tally(endpoint);
  if (tally === null || !tally.hasRow) return null;
  const number = table.endpoints.find(endpoint);
  const start = summary.start ?? 0;
  const lastStart = table.nextRow === 0 ? 0 : table.lastStart;
  let sliceLength = SHORTEST;
  while ((lastStart - start) / sliceLength >= SLICES) sliceLength *= 2;
  const slices = Array.from({ length: SLICES }, emptySlice);
  const oversized: ExchangeId[] = [];
  let shrinkable: ExchangeId | null = null;
  let tried = 0;
  for (let row = table.nextRow - 1; row >= table.firstRow; row -= 1) {
    if (table.endpoint.at(row) !== number || !table.countsAt(row)) continue;
    const slice = Math.min(SLICES - 1, Math.max(0, Math.floor((table.instants.startAt(row) - start) / sliceLength)));
    add(slices[slice], table.requestBodySize.at(row), table.respondedAt(row) ? table.encodedBodySize.at(row) : null);
    if (!table.respondedAt(row)) continue;
    const id = table.ids.at(row) as ExchangeId;
    if (oversized.length < MOST_OVERSIZED && judge.isOversized(row)) oversized.push(id);
    tried += 1;
    if (shrinkable === null && tried <= MOST_TRIED && isShrinkable(table.exchangeAt(row))) shrinkable = id;
  }
  return Object.freeze({
    record: payloadRecordOf(tally, oversizedCounts[number] ?? 0),
    avgDecodedSize: tally.payload.meanDecoded,
    sliceLength,
    slices: slices.flatMap((slice, index) =>
      slice.requests === 0 ? [] : [sliceOf(slice, (start + index * sliceLength) as Instant)],
    ),
    oversized,
    shrinkable,
  });
}

function emptySlice(): Slice {
  return { requests: 0, requestBytes: 0, responses: 0, responseBytes: 0 };
}

function add(slice: Slice | undefined, request: Bytes, response: Bytes | null): void {
  if (slice === undefined) return;
  slice.requests += 1;
  slice.requestBytes += request;
  if (response === null) return;
  slice.responses += 1;
  slice.responseBytes += response;
}

function sliceOf(
  { requests, requestBytes, responses, responseBytes }: Slice,
  at: Instant,
): PayloadDetail["slices"][number] {
  return Object.freeze({
    at,
    requests,
    avgRequestSize: requestBytes / requests,
    avgResponseSize: responses === 0 ? null : responseBytes / responses,
  });
}
