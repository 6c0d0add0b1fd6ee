import { NUMBER_BOUNDS, type NumberKey } from "../../../engine/model/setting-rules.ts";
import type { Settings } from "../../../engine/model/settings.ts";

/** The field of a setting that is a number, as it stands. */
export interface NumberRow {
  readonly key: NumberKey;
  /** Of its elements. */
  readonly id: string;
  readonly name: string;
  readonly unit: string;
  readonly note: string;
  readonly text: string;
  readonly problem: string;
}

interface NumberField extends Pick<NumberRow, "key" | "name" | "unit" | "note"> {
  /** How much of the setting one of the field's unit is. */
  readonly size: number;
}

const KB = 1024;
const MB = 1024 ** 2;

/** What counts as oversized, as following, as stable. */
const INSIGHT: readonly NumberField[] = [
  field(
    "oversizedFactor",
    "Oversized, factor",
    "times",
    "A response is oversized that is more than so many times the mean of its endpoint's others.",
  ),
  field("oversizedFloor", "Oversized, least", "KB", "And at least so far above that mean.", KB),
  field(
    "chainGap",
    "Chain gap",
    "ms",
    "How long after the end of one request another may begin and still follow from it.",
  ),
  field("stableLatencyPercent", "Stable latency", "%", "A change of latency within this share is none."),
  field("stableLatencyMs", "Stable latency, time", "ms", "Nor is one within this time."),
  field("stablePayloadPercent", "Stable size", "%", "A change of size within this share is none."),
  field("stablePayloadBytes", "Stable size, bytes", "KB", "Nor is one within this size.", KB),
  field(
    "stableErrorPoints",
    "Stable error rate",
    "points",
    "A change of the error rate within so many percentage points is none.",
  ),
];

/** What is kept. */
const LIMITS: readonly NumberField[] = [
  field("bodyCap", "Kept of one body", "MB", "The rest is counted, and passes untouched.", MB),
  field("sessionBodyCap", "Bodies of a session", "MB", "Beyond it the oldest bodies go.", MB),
  field(
    "rowCap",
    "Requests of a session",
    "rows",
    "Beyond it the oldest leave the list; the figures still count them.",
  ),
  field("dataCap", "All sessions", "MB", "Beyond it the oldest go first, and that is told.", MB),
  field(
    "historyKept",
    "Figures kept",
    "sessions",
    "So many completed sessions stay in trends, also when their requests are gone.",
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

/** The rows with what is set; what was refused stays in its field, and so does what `isSending`. */
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

/** The rows after one of them was changed by hand. */
export function numbersChanged(
  rows: readonly NumberRow[],
  key: NumberKey,
  change: Pick<NumberRow, "text" | "problem">,
): readonly NumberRow[] {
  return Object.freeze(rows.map((row) => (row.key === key ? Object.freeze({ ...row, ...change }) : row)));
}

/** What a field says: a value to set, or why it is none, in the field's own unit. */
export function readNumber(
  { key, unit }: Pick<NumberRow, "key" | "unit">,
  text: string,
): { readonly ok: true; readonly value: number } | { readonly ok: false; readonly problem: string } {
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
