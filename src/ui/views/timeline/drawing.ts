import type { TimelineRecord, TimeRange } from "../../../engine/messages/insight-messages.ts";
import type { Phase } from "../../../engine/model/phases.ts";
import type { ExchangeId, Instant } from "../../../engine/model/units.ts";
import { phasePathsOf, ROW_HEIGHT, type Scale, tenth, waitPathOf } from "./bars.ts";
import { type Bands, bandsOf, type GroupBand, groupLabelOf, groupsOf, type Links, linksOf } from "./links.ts";
import { barOf, type LengthPlace, lengthPlaceOf } from "./rows.ts";
import { rulerOf } from "./ticks.ts";

/** Everything right of the requests, for the rows in sight: paths in px, and where words stand. */
export interface Drawing {
  readonly width: number;
  readonly size: { readonly height: string };
  readonly phases: Readonly<Record<Phase, string>>;
  readonly wait: string;
  readonly links: Links;
  readonly bands: Bands;
  readonly grid: string;
  readonly ruler: readonly { readonly label: string; readonly style: { readonly left: string } }[];
  /** By row in sight: where its length stands, and the name of the group that it begins. */
  readonly lengths: readonly LengthPlace[];
  readonly groups: readonly { readonly text: string; readonly style: { readonly right: string } }[];
}

export interface DrawnRows {
  readonly stretch: TimeRange;
  readonly width: number;
  readonly shown: ReadonlySet<Phase>;
  /** The rows that are held. */
  readonly records: readonly TimelineRecord[];
  /** Row of the first of them, counted from the first in sight: negative above it. */
  readonly from: number;
  /** Rows in sight. */
  readonly count: number;
  /** Whether there are rows before and after those that are held. */
  readonly before: boolean;
  readonly after: boolean;
  readonly now: Instant;
}

const NO_PLACE: LengthPlace = Object.freeze({ kind: "", style: Object.freeze({ left: "0px", right: "auto" }) });
const NO_GROUP = Object.freeze({ text: "", style: Object.freeze({ right: "0px" }) });

export const NO_DRAWING: Drawing = Object.freeze({
  width: 0,
  size: Object.freeze({ height: "0px" }),
  phases: Object.freeze({ dns: "", connect: "", tls: "", ttfb: "", transfer: "" }),
  wait: "",
  links: Object.freeze({ proven: "", sequential: "", arrows: "" }),
  bands: Object.freeze({ tint: "", brackets: "" }),
  grid: "",
  ruler: Object.freeze([]),
  lengths: Object.freeze([]),
  groups: Object.freeze([]),
});

export function drawingOf({ stretch, width, shown, records, from, count, before, after, now }: DrawnRows): Drawing {
  const scale: Scale = { stretch, width };
  const held = records.map((record) => ({ record, bar: barOf(record, now) }));
  const rows = Array.from({ length: count }, (_, row) => held[row - from] ?? null);
  const bars = rows.map((row) => row?.bar ?? null);
  const places = new Map(held.map(({ record, bar }, index) => [record.id, { row: index + from, bar }]));
  const followed = new Set(held.flatMap(({ record }) => record.follows?.from ?? []));
  const groups = groupsOf(held, from, before, after);
  const ruler = rulerOf(stretch, width);
  return Object.freeze({
    width,
    size: Object.freeze({ height: `${count * ROW_HEIGHT}px` }),
    phases: phasePathsOf(bars, scale, shown),
    wait: waitPathOf(bars, scale),
    links: linksOf(rows, (id) => places.get(id) ?? null, scale),
    bands: bandsOf(rows, groups, scale),
    grid: ruler.map(({ left }) => `M${tenth(left)} 0V${count * ROW_HEIGHT}`).join(""),
    ruler: Object.freeze(ruler.map(({ left, label }) => ({ label, style: { left: `${tenth(left)}px` } }))),
    lengths: Object.freeze(
      rows.map((row) =>
        row === null
          ? NO_PLACE
          : lengthPlaceOf(row.bar, { slow: row.record.slow, linked: followed.has(row.record.id) }, scale),
      ),
    ),
    groups: Object.freeze(groupLabelsOf(rows, groups, scale)),
  });
}

/** Each group is named once, at the first of its rows in sight. */
function groupLabelsOf(
  rows: readonly ({ readonly record: TimelineRecord } | null)[],
  groups: ReadonlyMap<ExchangeId, GroupBand>,
  scale: Scale,
): Drawing["groups"] {
  const named = new Set<ExchangeId>();
  return rows.map((row) => {
    const id = row?.record.group ?? null;
    const band = id === null || named.has(id) ? undefined : groups.get(id);
    if (id === null || band === undefined) return NO_GROUP;
    named.add(id);
    const label = groupLabelOf(band, scale);
    return label === null ? NO_GROUP : { text: label.text, style: { right: `${Math.round(label.right)}px` } };
  });
}
