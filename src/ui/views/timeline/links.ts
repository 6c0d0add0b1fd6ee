import type { TimelineRecord } from "../../../engine/messages/timeline-messages.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { type Bar, ROW_HEIGHT, type Scale, tenth, xOf } from "./bars.ts";

/*
 * A chain goes from the end of one bar to the start of the next, solid where a value proves it, dashed where the two
 * only came one after the other; a parallel group is tinted from its first start to its last end:
 *
 *     ████████──┐                           ┌
 *               │              3 in parallel│ ██████░░░░
 *               ▶███████                    │░░█████████
 *                                           └
 */

const MIDDLE = ROW_HEIGHT / 2;
const ARROW = 5;
/** A bracket stands left of its group by so much, and its ends are so long. */
const BRACKET = 5;
const HOOK = 3;

/** A row in sight: what it is and how it is drawn. */
export interface PlacedRow {
  readonly record: TimelineRecord;
  readonly bar: Bar;
}

export interface Links {
  readonly proven: string;
  readonly sequential: string;
  readonly arrows: string;
}

/** The connectors into the rows in sight; `held` gives a bar and its row, counted from the first in sight, also beyond. */
export function linksOf(
  rows: readonly (PlacedRow | null)[],
  held: (id: ExchangeId) => { readonly row: number; readonly bar: Bar } | null,
  scale: Scale,
): Links {
  const [proven, sequential, arrows]: [string[], string[], string[]] = [[], [], []];
  for (const [row, placed] of rows.entries()) {
    const follows = placed?.record.follows ?? null;
    const before = follows === null ? null : held(follows.from);
    if (placed === null || follows === null || before === null) continue;
    const start = xOf(placed.bar.start, scale);
    const end = xOf(before.bar.end, scale);
    if (start < 0 || start > scale.width) continue;
    const path = follows.kind === "proven" ? proven : sequential;
    path.push(elbow({ x: end, row: before.row }, { x: start, row }));
    const tip = tenth(start);
    arrows.push(`M${tip} ${middleOf(row)}l${-ARROW} ${-ARROW + 1}v${2 * ARROW - 2}z`);
  }
  return Object.freeze({ proven: proven.join(""), sequential: sequential.join(""), arrows: arrows.join("") });
}

/** A group of which rows are held. */
export interface GroupBand {
  readonly id: ExchangeId;
  readonly start: number;
  readonly end: number;
  readonly members: number;
  /** Whether it may have members that are not held. */
  readonly more: boolean;
  /** Rows of its first and last held member, counted from the first in sight. */
  readonly first: number;
  readonly last: number;
}

/** The groups among the held rows; `from` is the row of the first held one, counted from the first in sight. */
export function groupsOf(
  held: readonly PlacedRow[],
  from: number,
  before: boolean,
  after: boolean,
): ReadonlyMap<ExchangeId, GroupBand> {
  const groups = new Map<ExchangeId, GroupBand>();
  for (const [index, { record, bar }] of held.entries()) {
    if (record.group === null) continue;
    const known = groups.get(record.group);
    const cut = (before && index === 0) || (after && index === held.length - 1);
    groups.set(record.group, {
      id: record.group,
      start: Math.min(known?.start ?? bar.start, bar.start),
      end: Math.max(known?.end ?? bar.end, bar.end),
      members: (known?.members ?? 0) + 1,
      more: (known?.more ?? false) || cut,
      first: known?.first ?? index + from,
      last: index + from,
    });
  }
  return groups;
}

export interface Bands {
  readonly tint: string;
  readonly brackets: string;
}

/** Tint and bracket of every row in sight that is in a group; rows of others between stay as they are. */
export function bandsOf(
  rows: readonly (PlacedRow | null)[],
  groups: ReadonlyMap<ExchangeId, GroupBand>,
  scale: Scale,
): Bands {
  const [tint, brackets]: [string[], string[]] = [[], []];
  for (const [row, placed] of rows.entries()) {
    const group = placed?.record.group ?? null;
    const band = group === null ? undefined : groups.get(group);
    if (band === undefined) continue;
    const left = xOf(band.start, scale) - BRACKET;
    const from = tenth(Math.max(0, left));
    const to = tenth(Math.min(scale.width, xOf(band.end, scale) + BRACKET));
    const [top, bottom] = [row * ROW_HEIGHT, (row + 1) * ROW_HEIGHT];
    if (to > from) tint.push(`M${from} ${top}H${to}V${bottom}H${from}z`);
    if (left < 0 || left > scale.width) continue;
    const begin = row === band.first ? `M${tenth(left + HOOK)} ${top + 1.5}H${tenth(left)}` : `M${tenth(left)} ${top}`;
    const end = row === band.last ? `V${bottom - 1.5}h${HOOK}` : `V${bottom}`;
    brackets.push(`${begin}${end}`);
  }
  return Object.freeze({ tint: tint.join(""), brackets: brackets.join("") });
}

/**
 * "4 in parallel" with where it ends, for the first row in sight of a group; `null` where there is no room. `taken`: px left of
 * the row's bar in which its length stands.
 */
export function groupLabelOf(
  band: GroupBand,
  scale: Scale,
  taken = 0,
): { readonly text: string; readonly right: number } | null {
  const left = xOf(band.start, scale) - BRACKET - taken;
  const text = `${band.members}${band.more ? "+" : ""} in parallel`;
  return left < LABEL_ROOM || left > scale.width ? null : Object.freeze({ text, right: scale.width - left + HOOK + 3 });
}

/** A name of a group takes about so much. */
const LABEL_ROOM = 92;

function elbow(from: { x: number; row: number }, to: { x: number; row: number }): string {
  return `M${tenth(from.x)} ${middleOf(from.row)}H${tenth(to.x)}V${middleOf(to.row)}`;
}

function middleOf(row: number): number {
  return row * ROW_HEIGHT + MIDDLE;
}
