import type { TimelineRecord, TimeRange } from "../../../engine/messages/timeline-messages.ts";
import type { Phase } from "../../../engine/model/phases.ts";
import type { ExchangeId, Instant } from "../../../engine/model/units.ts";
import { openPathOf, phasePathsOf, ROW_HEIGHT, type Scale, slowedPathOf, tenth, waitPathOf, xOf } from "./bars.ts";
import { type ConnectionKey, isOnConnection } from "./connection-key.ts";
import { type BarRow, bandsOf, type GroupBand, groupLabelOf, groupsOf, linksOf } from "./links.ts";
import { barOf, type LengthPosition, lengthPositionOf } from "./rows.ts";
import { rulerOf } from "./ticks.ts";

/** The drawing beside the requests, for the visible rows: paths in px, and positions of texts. */
export type Drawing = ReturnType<typeof drawingOf>;

/** The texts beside a bar, and where they are. */
export interface RowDrawing {
  /** Where the exchange's latency or duration is written. */
  readonly length: LengthPosition;
  /** Label of the parallel group that starts in this row. */
  readonly group: { readonly text: string; readonly style: { readonly right: string } };
  /** Whether the exchange uses the marked connection. */
  readonly joined: boolean;
}

export interface DrawingInput {
  readonly range: TimeRange;
  readonly width: number;
  readonly shown: ReadonlySet<Phase>;
  /** The loaded rows. */
  readonly records: readonly TimelineRecord[];
  /** Index of the first visible row, in the whole list. */
  readonly first: number;
  /** Row of the first loaded record, counted from the first visible row; negative above that row. */
  readonly from: number;
  /** The number of visible rows. */
  readonly count: number;
  /** Whether the list has rows before and after the loaded rows. */
  readonly before: boolean;
  readonly after: boolean;
  /** The connection whose exchanges are marked. */
  readonly marked: ConnectionKey | null;
  readonly now: Instant;
}

const NO_LENGTH: LengthPosition = Object.freeze({
  kind: "",
  style: Object.freeze({ left: "0px", right: "auto" }),
  before: 0,
});
const NO_GROUP = Object.freeze({ text: "", style: Object.freeze({ right: "0px" }) });

/** The drawing of a row that is not loaded. */
export const NO_ROW_DRAWING: RowDrawing = Object.freeze({ length: NO_LENGTH, group: NO_GROUP, joined: false });

export const NO_DRAWING: Drawing = Object.freeze({
  width: 0,
  size: Object.freeze({ height: "0px" }),
  phases: Object.freeze({ dns: "", connect: "", tls: "", ttfb: "", transfer: "", weir: "", held: "" }),
  wait: "",
  browserWait: "",
  slowed: "",
  open: "",
  links: Object.freeze({ proven: "", sequential: "", arrows: "" }),
  bands: Object.freeze({ tint: "", brackets: "" }),
  grid: "",
  ruler: Object.freeze([]),
  first: 0,
  rows: Object.freeze([]),
  connection: "",
});

export function drawingOf({
  range,
  width,
  shown,
  records,
  first,
  from,
  count,
  before,
  after,
  marked,
  now,
}: DrawingInput) {
  const scale: Scale = { range, width };
  const loaded = records.map((record) => ({ record, bar: barOf(record, now) }));
  const rows = Array.from({ length: count }, (_, row) => loaded[row - from] ?? null);
  const bars = rows.map((row) => row?.bar ?? null);
  const barsById = new Map(loaded.map(({ record, bar }, index) => [record.id, { row: index + from, bar }]));
  const turns = turnsOf(loaded, scale);
  const groups = groupsOf(loaded, from, before, after);
  const ruler = rulerOf(range, width);
  const lengths = rows.map((row) => {
    if (row === null) return NO_LENGTH;
    const { id, slow, endTime } = row.record;
    return lengthPositionOf(row.bar, { slow, inFlight: endTime === null, link: turns.get(id) ?? null }, scale);
  });
  const labels = groupLabelsOf(rows, groups, lengths, scale);
  return Object.freeze({
    width,
    size: Object.freeze({ height: `${count * ROW_HEIGHT}px` }),
    phases: phasePathsOf(bars, scale, shown),
    wait: waitPathOf(bars, scale, false),
    /** The path of the waits in the browser's own queue. */
    browserWait: waitPathOf(bars, scale, true),
    /** The path of the time that conditions added. */
    slowed: slowedPathOf(bars, scale),
    /** The path for time in no known phase. */
    open: openPathOf(bars, scale),
    links: linksOf(rows, (id) => barsById.get(id) ?? null, scale),
    bands: bandsOf(rows, groups, scale),
    grid: ruler.map(({ left }) => `M${tenth(left)} 0V${count * ROW_HEIGHT}`).join(""),
    ruler: Object.freeze(ruler.map(({ left, label }) => ({ label, style: { left: `${tenth(left)}px` } }))),
    /** Index of the first visible row, in the whole list. */
    first,
    /** The drawings of the rows, from the row `first` on. */
    rows: Object.freeze(
      rows.map((row, position) => {
        if (row === null) return NO_ROW_DRAWING;
        return Object.freeze({
          length: lengths[position] ?? NO_LENGTH,
          group: labels[position] ?? NO_GROUP,
          joined: marked !== null && isOnConnection(marked, row.record),
        });
      }),
    ),
    /** The text of the marked connection; "" if there is none. */
    connection: marked?.line ?? "",
  });
}

/** For each exchange from which links start: where, in px, the farthest link turns down. */
function turnsOf(loaded: readonly BarRow[], scale: Scale): ReadonlyMap<ExchangeId, number> {
  const turns = new Map<ExchangeId, number>();
  for (const { record, bar } of loaded) {
    const from = record.follows?.from;
    if (from !== undefined) turns.set(from, Math.max(turns.get(from) ?? 0, xOf(bar.start, scale)));
  }
  return turns;
}

/** A label for each group, at the group's first visible row. */
function groupLabelsOf(
  rows: readonly ({ readonly record: TimelineRecord } | null)[],
  groups: ReadonlyMap<ExchangeId, GroupBand>,
  lengths: readonly LengthPosition[],
  scale: Scale,
): readonly RowDrawing["group"][] {
  const named = new Set<ExchangeId>();
  return rows.map((row, index) => {
    const id = row?.record.group ?? null;
    const band = id === null || named.has(id) ? undefined : groups.get(id);
    if (id === null || band === undefined) return NO_GROUP;
    named.add(id);
    const label = groupLabelOf(band, scale, lengths[index]?.before);
    return label === null ? NO_GROUP : { text: label.text, style: { right: `${Math.round(label.right)}px` } };
  });
}
