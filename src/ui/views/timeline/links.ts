import type { TimelineRecord } from "../../../engine/messages/timeline-messages.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { type Bar, ROW_HEIGHT, type Scale, tenth, xOf } from "./bars.ts";

/*
 * A link joins the end of one bar to the start of another: a solid line if a value proves the link, dashed if it is
 * only sequential. A parallel group has a tint from its first start to its last end:
 *
 *     ████████──┐                           ┌
 *               │              3 in parallel│ ██████░░░░
 *               ▶███████                    │░░█████████
 *                                           └
 */

const MIDDLE = ROW_HEIGHT / 2;
const ARROW = 5;
/** Distance of a bracket from its group, in px. */
const BRACKET = 5;
/** Length of the bracket's ends, in px. */
const HOOK = 3;

/** A row, with its bar. */
export interface BarRow {
  readonly record: TimelineRecord;
  readonly bar: Bar;
}

export interface Links {
  readonly proven: string;
  readonly sequential: string;
  readonly arrows: string;
}

/**
 * The lines of the links that end in visible rows. `loaded` returns an exchange's bar and row, counted from the first
 * visible row, even if the row is out of view.
 */
export function linksOf(
  rows: readonly (BarRow | null)[],
  loaded: (id: ExchangeId) => { readonly row: number; readonly bar: Bar } | null,
  scale: Scale,
): Links {
  const [proven, sequential, arrows]: [string[], string[], string[]] = [[], [], []];
  for (const [row, barRow] of rows.entries()) {
    const follows = barRow?.record.follows ?? null;
    const before = follows === null ? null : loaded(follows.from);
    if (barRow === null || follows === null || before === null) continue;
    const start = xOf(barRow.bar.start, scale);
    const end = xOf(before.bar.end, scale);
    if (start < 0 || start > scale.width) continue;
    const path = follows.kind === "proven" ? proven : sequential;
    path.push(elbow({ x: end, row: before.row }, { x: start, row }));
    const tip = tenth(start);
    arrows.push(`M${tip} ${middleOf(row)}l${-ARROW} ${-ARROW + 1}v${2 * ARROW - 2}z`);
  }
  return Object.freeze({ proven: proven.join(""), sequential: sequential.join(""), arrows: arrows.join("") });
}

/** A parallel group with at least one loaded row. */
export interface GroupBand {
  readonly id: ExchangeId;
  readonly start: number;
  readonly end: number;
  readonly members: number;
  /** Whether the group may have exchanges that are not loaded. */
  readonly more: boolean;
  /** How many rows the group's first and last loaded rows are below the first drawn row; negative if above. */
  readonly first: number;
  readonly last: number;
}

/**
 * The groups among the loaded rows. `from`: how many rows the first loaded row is below the first drawn one; negative
 * if it is above.
 */
export function groupsOf(
  loaded: readonly BarRow[],
  from: number,
  before: boolean,
  after: boolean,
): ReadonlyMap<ExchangeId, GroupBand> {
  const groups = new Map<ExchangeId, GroupBand>();
  for (const [index, { record, bar }] of loaded.entries()) {
    if (record.group === null) continue;
    const known = groups.get(record.group);
    const cut = (before && index === 0) || (after && index === loaded.length - 1);
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

/** Tint and bracket for each visible row of a group. Rows of no group have none. */
export function bandsOf(
  rows: readonly (BarRow | null)[],
  groups: ReadonlyMap<ExchangeId, GroupBand>,
  scale: Scale,
): Bands {
  const [tint, brackets]: [string[], string[]] = [[], []];
  for (const [row, barRow] of rows.entries()) {
    const group = barRow?.record.group ?? null;
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
 * The label "4 in parallel" of a group, and its distance from the drawing's right edge in px; `null` if there is no
 * room. `taken`: the width in px of the duration's text to the left of the bar; 0 if there is none.
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

/** Approximate width of a group's label, in px. */
const LABEL_ROOM = 92;

function elbow(from: { x: number; row: number }, to: { x: number; row: number }): string {
  return `M${tenth(from.x)} ${middleOf(from.row)}H${tenth(to.x)}V${middleOf(to.row)}`;
}

function middleOf(row: number): number {
  return row * ROW_HEIGHT + MIDDLE;
}
