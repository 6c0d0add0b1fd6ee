import type { Sort } from "../../../../engine/messages/list-messages.ts";
import type {
  CompressionEstimate,
  PayloadColumn,
  PayloadDetail,
  PayloadRecord,
} from "../../../../engine/messages/payload-messages.ts";
import type { Settings } from "../../../../engine/model/settings.ts";
import type { Bytes, Instant } from "../../../../engine/model/units.ts";
import { bytesPhrase, bytesText, bytesTextOrNone } from "../../../format/bytes.ts";
import { clockText } from "../../../format/clock.ts";
import { compressionText } from "../../../format/compression.ts";
import { countPhrase, countText, NO_FIGURE } from "../../../format/count.ts";
import { axisText } from "../../../format/duration.ts";
import { endpointTextsOf } from "../../../format/endpoint.ts";
import type { AxisTexts } from "../../../parts/line-chart.ts";
import { type Column, type ColumnHeader, headersOf } from "../../column-headers.ts";

const COLUMNS: readonly Column<PayloadColumn>[] = [
  { column: "endpoint", label: "Endpoint", unit: "", kind: "" },
  { column: "requests", label: "Requests", unit: "", kind: "cell-end" },
  { column: "avgRequestSize", label: "Avg Request", unit: "", kind: "cell-end slim:hidden" },
  { column: "avgResponseSize", label: "Avg Response", unit: "", kind: "cell-end" },
  { column: "compressionRatio", label: "Ratio", unit: "", kind: "cell-end slim:hidden" },
  { column: "largest", label: "Largest", unit: "", kind: "cell-end" },
  { column: "oversized", label: "Oversized", unit: "", kind: "cell-end" },
];

/** If the axis covers less time than this, in ms, its labels show seconds. */
const SECONDS_BELOW = 300_000;

/** The body sizes of an endpoint. */
export type PayloadRow = ReturnType<typeof payloadRowOf>;

/** The unit of the chart's axis: values are divided by `bytes`, so that the axis has round numbers. 1 KB is 1024 B. */
export interface SizeUnit {
  readonly name: string;
  readonly bytes: Bytes;
}

/** The content of an endpoint's panel. */
export type PayloadFacts = ReturnType<typeof payloadFactsOf>;

/** Labels for the axes of the chart of sizes over the session; `unit` returns the unit of the visible sizes. */
export function sizeTexts(unit: () => SizeUnit): AxisTexts {
  return {
    value: (value) => `${countOrTenth(value)} ${unit().name}`,
    moment: (at, span) => clockText(at as Instant).slice(0, span < SECONDS_BELOW ? 8 : 5),
  };
}

export function payloadHeadersOf(sort: Sort<PayloadColumn>): readonly ColumnHeader<PayloadColumn>[] {
  return headersOf(COLUMNS, sort);
}

export function payloadRowOf(record: PayloadRecord) {
  const { endpoint, compressionRatio, oversized, isCollecting } = record;
  return Object.freeze({
    key: endpoint,
    /** Whether there are fewer than 5 requests, so that the means say little. */
    isCollecting,
    ...endpointTextsOf(record),
    requests: countText(record.requests),
    request: bytesText(record.avgRequestSize),
    response: bytesTextOrNone(record.avgResponseSize),
    largest: bytesTextOrNone(record.largest),
    ratio: compressionRatio === null ? NO_FIGURE : compressionText(compressionRatio),
    ratioTitle: ratioTitle(record),
    compressed: compressionRatio !== null,
    /** The number of oversized responses; "" if there are none. */
    oversized: oversized === 0 ? "" : countText(oversized),
    oversizedLabel: `${countPhrase(oversized, "oversized response", "oversized responses")}, show in Traffic`,
    // The endpoint comes last, because a quotation mark in its path would also quote the terms after it.
    /** The filter that the oversized responses match in Traffic. */
    oversizedFilter: `oversized: endpoint:"${endpoint}"`,
  });
}

function ratioTitle({ compressionRatio, contentEncoding }: PayloadRecord): string {
  if (contentEncoding === null) return "Bodies were not compressed";
  const ofWhat = compressionRatio === null ? ", but no body has been decoded yet" : "";
  return `Content-Encoding ${contentEncoding}${ofWhat}`;
}

export function payloadFactsOf({ record, avgDecodedSize, ...detail }: PayloadDetail) {
  const most = Math.max(...detail.slices.map((slice) => Math.max(slice.avgResponseSize ?? 0, slice.avgRequestSize)));
  const unit = UNITS.find(({ bytes }) => most >= bytes) ?? PLAIN;
  const points = detail.slices.flatMap(({ at, avgResponseSize }) =>
    avgResponseSize === null ? [] : [{ at, value: avgResponseSize / unit.bytes }],
  );
  const requests = detail.slices.map(({ at, avgRequestSize }) => ({ at, value: avgRequestSize / unit.bytes }));
  return Object.freeze({
    unit,
    lines: Object.freeze({
      strong: { name: "response", points },
      quiet: { name: "request", points: requests },
      baseline: null,
    }),
    lineTitle: `Mean body in each ${axisText(detail.sliceLength)} of the session`,
    moments: detail.slices.map(({ at, avgRequestSize, avgResponseSize }) =>
      Object.freeze({
        at: clockText(at),
        response: avgResponseSize === null ? NO_FIGURE : bytesPhrase(Math.round(avgResponseSize)),
        request: bytesPhrase(Math.round(avgRequestSize)),
      }),
    ),
    figures: Object.freeze([
      { name: "Mean response", value: bytesPhrase(record.avgResponseSize) },
      ...(avgDecodedSize === null || avgDecodedSize === record.avgResponseSize
        ? []
        : [{ name: "Decoded", value: bytesPhrase(avgDecodedSize) }]),
      { name: "Mean request", value: bytesPhrase(record.avgRequestSize) },
      { name: "Largest response", value: bytesPhrase(record.largest) },
      ...(record.compressionRatio === null
        ? []
        : [
            {
              name: `Compressed, ${record.contentEncoding ?? "unknown"}`,
              value: compressionText(record.compressionRatio),
            },
          ]),
    ]),
    /** "3 oversized responses"; "" if there are none. */
    oversized: record.oversized === 0 ? "" : countPhrase(record.oversized, "oversized response", "oversized responses"),
    shrinkable: detail.shrinkable,
  });
}

/** The definition of oversized with the current settings, as text (docs/specification.md, Oversized). */
export function oversizedText({ oversizedFactor, oversizedFloor }: Settings): string {
  const above = `and at least ${bytesPhrase(oversizedFloor)} above it`;
  return `Bodies as transferred. Oversized: more than ${oversizedFactor}x the mean of the endpoint's other responses, ${above}`;
}

/** "Would shrink: gzip 4.1x, br 5.0x, zstd 4.4x"; a coding that gains nothing is omitted. */
export function estimateText({ size, gzip, br, zstd }: CompressionEstimate): string {
  const gains = Object.entries({ gzip, br, zstd })
    .filter(([, coded]) => coded > 0 && size / coded >= WORTH)
    .map(([name, coded]) => `${name} ${countOrTenth(size / coded)}x`);
  return gains.length === 0 ? "Compression would save nothing" : `Would shrink: ${gains.join(", ")}`;
}

/** The least compression ratio that counts as a gain. */
const WORTH = 1.05;

const PLAIN: SizeUnit = Object.freeze({ name: "B", bytes: 1 });
const UNITS: readonly SizeUnit[] = [
  { name: "GB", bytes: 1024 ** 3 },
  { name: "MB", bytes: 1024 ** 2 },
  { name: "KB", bytes: 1024 },
];

function countOrTenth(value: number): string {
  return value >= 100 || Number.isInteger(value) ? countText(value) : value.toFixed(1);
}
