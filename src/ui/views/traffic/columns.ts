import type { TrafficColumn } from "../../../engine/messages/traffic-messages.ts";
import { PHASES } from "../../../engine/model/phases.ts";
import { PHASE_NAMES } from "../../format/phases.ts";
import type { Column } from "../column-headers.ts";

/** The columns in default order, from left to right. "path" is always shown and takes the width that is left. */
export type ColumnName =
  | "number"
  | "started"
  | "method"
  | "status"
  | "path"
  | "comment"
  | "type"
  | "mime"
  | "protocol"
  | "client"
  | "server"
  | "requestSize"
  | "size"
  | (typeof PHASES)[number]
  | "latency"
  | "phases";

/** What the user chose for a column; `null`: the default. */
interface ColumnChoice {
  readonly shown: boolean | null;
  /** In px. */
  readonly width: number | null;
}

/** What the user chose for each column, in the chosen order from left to right. */
export type ColumnChoices = ReadonlyMap<ColumnName, ColumnChoice>;

const UNCHOSEN: ColumnChoice = Object.freeze({ shown: null, width: null });

export interface ShownColumn extends Column<TrafficColumn> {
  readonly name: ColumnName;
  /** The label for assistive technology. */
  readonly accessibleName: string;
  /** The accessible name if it differs from the label; else `null`. */
  readonly named: string | null;
  /** In px; `null`: the width of the row numbers, or for "path" the width that is left. */
  readonly width: number | null;
  /** The edge by which the column is resized; `null`: the column cannot be resized. */
  readonly edge: "left" | "right" | null;
}

export interface ColumnItem {
  readonly name: ColumnName;
  readonly label: string;
  readonly shown: boolean;
  /** Whether the column cannot be hidden. */
  readonly fixed: boolean;
}

/** Least and greatest width of a column, in px. */
export const COLUMN_BOUNDS = Object.freeze({ least: 36, most: 800 });

/**
 * Least width of the path in px, enough for 24 characters. If the window has less room, the list is wider than the
 * window.
 */
const PATH_LEAST = 180;

/** Gap between two columns, and beside the first and last, in px, as in traffic.html. */
const GAP = Object.freeze({ wide: 12, narrow: 10 });
const GUTTER = Object.freeze({ wide: 16, narrow: 12 });

interface Kind {
  readonly name: ColumnName;
  readonly label: string;
  readonly accessibleName: string;
  readonly sort: TrafficColumn | null;
  /** Width in px in a wide and in a narrow window. */
  readonly widths: readonly [number, number] | null;
  /** Whether the column is visible by default, in a wide and in a narrow window. */
  readonly shown: readonly [boolean, boolean];
  /** The unit of all values, shown beside the label. */
  readonly unit: string;
  readonly end: boolean;
}

const ALWAYS = [true, true] as const;
const NEVER = [false, false] as const;

const KINDS: readonly Kind[] = Object.freeze([
  { ...kind("number", "#", "id", null, ALWAYS), accessibleName: "Number", end: true },
  kind("started", "Started", "startTime", [96, 88], ALWAYS),
  kind("method", "Method", "method", [54, 54], ALWAYS),
  kind("status", "Status", "status", [50, 50], ALWAYS),
  kind("path", "Path and host", "path", null, ALWAYS),
  kind("comment", "Comment", null, [180, 140], NEVER),
  kind("type", "Type", "type", [72, 72], [true, false]),
  kind("mime", "MIME type", "type", [136, 120], NEVER),
  kind("protocol", "Protocol", "protocol", [68, 68], NEVER),
  kind("client", "Client", "client", [140, 120], NEVER),
  kind("server", "Server", "server", [132, 132], NEVER),
  { ...kind("requestSize", "Sent", "requestSize", [60, 60], NEVER), accessibleName: "Sent, request size", end: true },
  { ...kind("size", "Size", "size", [60, 60], ALWAYS), end: true },
  ...PHASES.map((phase) => ({
    ...kind(phase, PHASE_NAMES[phase], phase, [88, 88] as const, NEVER),
    unit: "ms",
    end: true,
  })),
  { ...kind("latency", "Latency", "latency", [100, 92], ALWAYS), end: true },
  kind("phases", "Phases", null, [192, 124], ALWAYS),
]);

const NAMES: readonly ColumnName[] = KINDS.map(({ name }) => name);

const KIND_OF: ReadonlyMap<ColumnName, Kind> = new Map(KINDS.map((each) => [each.name, each]));

/** The column of a cell, by its class `column-<name>`; `null`: the cell is of no column. */
export function columnOf(cell: Element | null): ColumnName | null {
  return NAMES.find((name) => cell?.classList.contains(`column-${name}`)) ?? null;
}

/**
 * Parses stored choices: per column `+name` (shown), `-name` (hidden) or `name` (default), with `=width` if resized,
 * from left to right. Unknown columns and invalid widths are ignored.
 */
export function choicesOf(texts: readonly string[] | null): ColumnChoices {
  const said = new Map<ColumnName, ColumnChoice>();
  for (const text of texts ?? []) {
    const [, sign = "", name = "", digits = ""] = /^([+-]?)([a-zA-Z]+)(?:=(\d+))?$/.exec(text) ?? [];
    const known = NAMES.find((one) => one === name);
    if (known === undefined) continue;
    const px = Number(digits);
    const isSound = known !== "path" && px >= COLUMN_BOUNDS.least && px <= COLUMN_BOUNDS.most;
    const shown = sign === "" || known === "path" ? null : sign === "+";
    const width = isSound ? px : null;
    const isPosition = sign === "" && digits === "";
    if (isPosition || shown !== null || width !== null) said.set(known, Object.freeze({ shown, width }));
  }
  return new Map(orderOf([...said.keys()]).map((name) => [name, said.get(name) ?? UNCHOSEN]));
}

/** All columns in order. A column that is not listed comes after its predecessor in the default order. */
function orderOf(said: readonly ColumnName[]): readonly ColumnName[] {
  const order = [...said];
  for (const [index, name] of NAMES.entries()) {
    const before = NAMES[index - 1];
    if (!said.includes(name)) order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, name);
  }
  return order;
}

/** The choices as texts: of the changed columns, or of all columns if their order changed. */
export function textsOf(choices: ColumnChoices): readonly string[] {
  const isMoved = [...choices.keys()].some((name, index) => name !== NAMES[index]);
  const texts = [...choices].flatMap(([name, { shown, width }]) => {
    if (shown === null && width === null && !isMoved) return [];
    const sign = shown === null ? "" : SIGNS[String(shown) as "true" | "false"];
    return `${sign}${name}${width === null ? "" : `=${width}`}`;
  });
  return Object.freeze(texts);
}

const SIGNS = Object.freeze({ true: "+", false: "-" });

/** The choices after a change to one column. */
export function chosen(choices: ColumnChoices, name: ColumnName, change: Partial<ColumnChoice>): ColumnChoices {
  const before = choices.get(name) ?? UNCHOSEN;
  return new Map(choices).set(name, Object.freeze({ ...before, ...change }));
}

/** Columns that the smallest windows hide unless the user chose them, so that path and latency are both visible. */
const SPARED: readonly ColumnName[] = ["started", "phases"];

/** The choices for the smallest windows. */
export function spared(choices: ColumnChoices): ColumnChoices {
  return SPARED.reduce(
    (fewer, name) => (fewer.get(name)?.shown === null ? chosen(fewer, name, { shown: false }) : fewer),
    choices,
  );
}

/** The choices with one column moved left of another; `null`: to the right end. */
export function moved(choices: ColumnChoices, name: ColumnName, before: ColumnName | null): ColumnChoices {
  if (name === before) return choices;
  const order = [...choices.keys()].filter((each) => each !== name);
  order.splice(before === null ? order.length : order.indexOf(before), 0, name);
  return new Map(order.map((each) => [each, choices.get(each) ?? UNCHOSEN]));
}

export function itemsOf(choices: ColumnChoices, narrow: boolean): readonly ColumnItem[] {
  return Object.freeze(
    [...choices].map(([name, choice]) => {
      const { accessibleName, shown } = kindOf(name);
      const isShown = choice.shown ?? shown[Number(narrow)] === true;
      return Object.freeze({ name, label: accessibleName, shown: isShown, fixed: name === "path" });
    }),
  );
}

/** The visible columns, from left to right. */
export function columnsOf(choices: ColumnChoices, narrow: boolean): readonly ShownColumn[] {
  const path = [...choices.keys()].indexOf("path");
  const columns = [...choices].flatMap(([name, choice], index): ShownColumn[] => {
    const { label, accessibleName, sort, widths, shown, unit, end } = kindOf(name);
    if (!(choice.shown ?? shown[Number(narrow)] === true)) return [];
    const width = choice.width ?? widths?.[Number(narrow)] ?? null;
    const edge = index < path ? "right" : "left";
    return [
      Object.freeze({
        name,
        label,
        accessibleName,
        named: accessibleName === label ? null : accessibleName,
        column: sort,
        unit,
        kind: end ? `cell-end column-${name}` : `column-${name}`,
        width,
        edge: name === "path" ? null : edge,
      }),
    ];
  });
  return Object.freeze(columns);
}

/** Whether the column is narrower than its default. `digits`: px that the row numbers take. */
export function isNarrowed({ name, width }: ShownColumn, narrow: boolean, digits: number): boolean {
  const own = kindOf(name).widths?.[Number(narrow)] ?? digits;
  return width !== null && width < own;
}

/**
 * The style of the list element, for all rows: the columns' widths, their least total width, and the position of the
 * phases.
 */
export type ColumnLayout = Readonly<Record<string, string>>;

/** The layout of these columns. `digits`: px that the row numbers take. */
export function layoutOf(columns: readonly ShownColumn[], narrow: boolean, digits: number): ColumnLayout {
  const widths = columns.map(({ name, width }) => width ?? (name === "path" ? PATH_LEAST : digits));
  const side = narrow ? "narrow" : "wide";
  const least = widths.reduce((sum, width) => sum + width + GAP[side], 2 * GUTTER[side] - GAP[side]);
  const tracks = columns.map(({ name }, index) =>
    name === "path" ? `minmax(${PATH_LEAST}px, 1fr)` : `${widths[index]}px`,
  );
  const phases = columns.findIndex(({ name }) => name === "phases") + 1;
  return Object.freeze({
    "--columns": tracks.join(" "),
    "--columns-least": `${least}px`,
    "--column-phases": `${phases} / ${phases + 1}`,
  });
}

function kindOf(name: ColumnName): Kind {
  const known = KIND_OF.get(name);
  if (known === undefined) throw new Error(`no column "${name}"`);
  return known;
}

function kind(
  name: ColumnName,
  label: string,
  sort: TrafficColumn | null,
  widths: Kind["widths"],
  shown: Kind["shown"],
): Kind {
  return { name, label, accessibleName: label, sort, widths, shown, unit: "", end: false };
}
