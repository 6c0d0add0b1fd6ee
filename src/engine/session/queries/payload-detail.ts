import { isShrinkable } from "../../insights/payload.ts";
import type { PayloadDetail } from "../../messages/payload-messages.ts";
import type { Endpoint } from "../../model/endpoint.ts";
import type { Bytes, ExchangeId } from "../../model/units.ts";
import { type EndpointSlice, EndpointSlices, type SliceForm } from "../evaluation/endpoint-slices.ts";
import type { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import { payloadRecordOf } from "../lists/payload-list.ts";
import type { Session } from "../session.ts";

/** The most responses that are searched for a compressible one, beginning with the latest. */
const MOST_TRIED = 500;

/** payload-messages.ts, PayloadDetail: the most oversized responses listed. */
const MOST_OVERSIZED = 100;

interface Sums {
  requests: number;
  requestBytes: Bytes;
  responses: number;
  responseBytes: Bytes;
}

const SUMS: SliceForm<Sums> = {
  empty: () => ({ requests: 0, requestBytes: 0, responses: 0, responseBytes: 0 }),
  add: (sums, row, table) => {
    sums.requests += 1;
    sums.requestBytes += table.requestBodySize.at(row);
    if (!table.isSizeSampleAt(row)) return;
    sums.responses += 1;
    sums.responseBytes += table.encodedBodySize.at(row);
  },
};

/** The sizes of one endpoint over time. Caches the costly parts for the last endpoint. */
export class PayloadDetails {
  readonly #slices = new EndpointSlices(SUMS);

  /**
   * The detail of the endpoint's sizes; `null` if the endpoint has no request. `oversized`: the number of oversized
   * responses, by the endpoint's number.
   */
  of(session: Session, endpoint: Endpoint, evaluator: InsightEvaluator, oversized: Uint32Array): PayloadDetail | null {
    const tally = session.tally(endpoint);
    if (tally === null || tally.requests === 0) return null;
    const number = session.table.endpoints.find(endpoint);
    const slices = this.#slices.read(session, endpoint).map(sliceOf);
    return Object.freeze({
      record: payloadRecordOf(tally, oversized[number] ?? 0),
      avgDecodedSize: tally.payload.meanDecoded,
      sliceLength: this.#slices.length,
      slices,
      ...latestOf(session, number, evaluator),
    });
  }
}

/** The latest oversized responses of the endpoint with this number, and its latest compressible response. */
function latestOf(
  { table }: Session,
  number: number,
  evaluator: InsightEvaluator,
): Pick<PayloadDetail, "oversized" | "shrinkable"> {
  const oversized: ExchangeId[] = [];
  let shrinkable: ExchangeId | null = null;
  let tried = 0;
  const idAt = (row: number): ExchangeId => table.ids.at(row) as ExchangeId;
  for (let row = table.nextRow - 1; row >= table.firstRow; row -= 1) {
    if (table.endpoint.at(row) !== number) continue;
    const isTried = shrinkable !== null || tried === MOST_TRIED;
    if (isTried && oversized.length === MOST_OVERSIZED) break;
    if (oversized.length < MOST_OVERSIZED && evaluator.isOversized(row)) oversized.push(idAt(row));
    if (isTried || !table.countsAt(row) || !table.respondedAt(row)) continue;
    tried += 1;
    if (isShrinkable(table.exchangeAt(row))) shrinkable = idAt(row);
  }
  return { oversized, shrinkable };
}

function sliceOf({ at, figures }: EndpointSlice<Sums>): PayloadDetail["slices"][number] {
  const { requests, requestBytes, responses, responseBytes } = figures;
  return Object.freeze({
    at,
    requests,
    avgRequestSize: requestBytes / requests,
    avgResponseSize: responses === 0 ? null : responseBytes / responses,
  });
}
