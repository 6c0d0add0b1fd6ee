import type { Result } from "../../../engine/model/result.ts";
import { FIXED_THRESHOLD_BOUNDS, NUMBER_BOUNDS, type NumberKey } from "../../../engine/model/setting-rules.ts";
import type { Settings } from "../../../engine/model/settings.ts";
import type { Milliseconds } from "../../../engine/model/units.ts";
import { countText } from "../../format/count.ts";

/** The field of a numeric setting. */
export interface NumberRow {
  readonly key: NumberKey;
  /** Prefix of the ids of the field's elements. */
  readonly id: string;
  readonly name: string;
  readonly unit: string;
  readonly note: string;
  readonly text: string;
  readonly problem: string;
}

interface NumberField extends Pick<NumberRow, "key" | "name" | "unit" | "note"> {
  /** How many units of the setting make one unit of the field: 1,024 for a setting in bytes and a field in KB. */
  readonly size: number;
}

const KB = 1024;
const MB = 1024 ** 2;

/** The fields for oversized responses, gaps in chains and stable trends. */
const INSIGHT: readonly NumberField[] = [
  field(
    "oversizedFactor",
    "Oversized factor",
    "times",
    "A response is oversized if it is more than this many times the mean of its endpoint's other responses.",
  ),
  field(
    "oversizedFloor",
    "Oversized minimum",
    "KB",
    "An oversized response also exceeds the mean of its endpoint's other responses by at least this size.",
    KB,
  ),
  field("chainGap", "Chain gap", "ms", "The longest pause between two requests of a chain."),
  field(
    "stableLatencyPercent",
    "Stable latency",
    "%",
    "A latency that changes by less than this share counts as stable.",
  ),
  field(
    "stableLatencyMs",
    "Stable latency, time",
    "ms",
    "A latency that changes by less than this time also counts as stable.",
  ),
  field("stablePayloadPercent", "Stable size", "%", "A size that changes by less than this share counts as stable."),
  field(
    "stablePayloadBytes",
    "Stable size, bytes",
    "KB",
    "A size that changes by less than this also counts as stable.",
    KB,
  ),
  field(
    "stableErrorPoints",
    "Stable error rate",
    "points",
    "An error rate that changes by less than this counts as stable.",
  ),
];

const LIMITS: readonly NumberField[] = [
  field("bodyCap", "Kept per body", "MB", "The rest of a larger body is counted and forwarded, but not kept.", MB),
  field("sessionBodyCap", "Size of a session", "MB", "Above this size, its oldest data is deleted.", MB),
  field(
    "rowCap",
    "Requests per session",
    "rows",
    "Above this number, the oldest requests leave the list; statistics still count them.",
  ),
  field("dataCap", "All sessions", "MB", "Above this size, the oldest sessions are deleted, with a notice.", MB),
  field(
    "historyKept",
    "Sessions in trends",
    "sessions",
    "The figures of this many completed sessions are kept, even after their requests are deleted.",
  ),
];

function field(key: NumberKey, name: string, unit: string, note: string, size = 1): NumberField {
  return Object.freeze({ key, name, unit, note, size });
}

const FIELDS = new Map([...INSIGHT, ...LIMITS].map((one) => [one.key, one]));

export const NO_NUMBERS: { readonly insight: readonly NumberRow[]; readonly limits: readonly NumberRow[] } =
  Object.freeze({ insight: rowsOf(INSIGHT), limits: rowsOf(LIMITS) });

function rowsOf(fields: readonly NumberField[]): readonly NumberRow[] {
  const rows = fields.map(({ key, name, unit, note }) =>
    Object.freeze({ key, id: `number-${key}`, name, unit, note, text: "", problem: "" }),
  );
  return Object.freeze(rows);
}

/**
 * The rows for the current settings. A field keeps its text while the text is refused or is being sent (`isSending`).
 */
export function numbersTold(
  rows: readonly NumberRow[],
  settings: Settings,
  isSending: (key: NumberKey) => boolean,
): readonly NumberRow[] {
  return Object.freeze(
    rows.map((row) => {
      const text = String(Number((settings[row.key] / sizeOf(row.key)).toFixed(6)));
      return row.problem !== "" || isSending(row.key) || row.text === text ? row : Object.freeze({ ...row, text });
    }),
  );
}

/** The rows after the user changed one of them. */
export function numbersChanged(
  rows: readonly NumberRow[],
  key: NumberKey,
  change: Pick<NumberRow, "text" | "problem">,
): readonly NumberRow[] {
  return Object.freeze(rows.map((row) => (row.key === key ? Object.freeze({ ...row, ...change }) : row)));
}

/** Parses a field's text. The value has the setting's unit; a problem names the field's unit. */
export function readNumber({ key, unit }: Pick<NumberRow, "key" | "unit">, text: string): Result<number> {
  const size = sizeOf(key);
  const { least, most, whole } = NUMBER_BOUNDS[key];
  const number = /^\d{1,9}(?:\.\d{1,6})?$/.test(text.trim()) ? Number(text) * size : Number.NaN;
  const value = whole && size > 1 ? Math.round(number) : number;
  if (value >= least && value <= most && (!whole || Number.isInteger(value))) return { ok: true, value };
  const what = whole && size === 1 ? "a whole number" : "a number";
  return { ok: false, problem: `Enter ${what} from ${shown(least / size)} to ${shown(most / size)} (${unit}).` };
}

function sizeOf(key: NumberKey): number {
  return FIELDS.get(key)?.size ?? 1;
}

function shown(number: number): string {
  return number.toLocaleString("en-US", { maximumFractionDigits: 3 });
}

/** A parsed threshold: the value to set, or the problem. */
export type ThresholdReading = Result<Milliseconds | null>;

/**
 * Parses a fixed threshold: whole milliseconds, 1 to 600,000 (docs/specification.md, Fixed threshold). An empty text
 * switches the threshold off; any other text is refused.
 */
export function readThreshold(text: string): ThresholdReading {
  const trimmed = text.trim();
  if (trimmed === "") return { ok: true, value: null };
  const { least, most } = FIXED_THRESHOLD_BOUNDS;
  const value = Number(trimmed);
  if (!/^\d+$/.test(trimmed) || value < least || value > most) {
    return {
      ok: false,
      problem: `Enter whole milliseconds from ${countText(least)} to ${countText(most)}, or leave empty to turn the threshold off.`,
    };
  }
  return { ok: true, value };
}
