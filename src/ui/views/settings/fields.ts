import type { Result } from "../../../engine/model/result.ts";
import { FIXED_THRESHOLD_BOUNDS, NUMBER_BOUNDS, type NumberKey } from "../../../engine/model/setting-rules.ts";
import type { Settings } from "../../../engine/model/settings.ts";
import type { Milliseconds } from "../../../engine/model/units.ts";
import { countText } from "../../format/count.ts";

/** How a setting is typed as text. */
export interface Field<Value> {
  /** The unit of a number; "" for other texts. */
  readonly unit: string;
  readonly textOf: (value: Value) => string;
  /** The value of a text. A problem names the field's unit. */
  readonly read: (text: string) => Result<Value>;
}

type ListKey = {
  [Key in keyof Settings]: Settings[Key] extends readonly string[] ? Key : never;
}[keyof Settings];

/** The settings that are typed as text. */
export type FieldKey = NumberKey | Exclude<ListKey, "pathRules" | "recentFilters"> | "fixedThreshold" | "upstreamProxy";

/** How many units of a setting make one unit of its field. */
const SIZES = { KB: 1024, MB: 1024 ** 2 };

const LIST: Field<readonly string[]> = {
  unit: "",
  textOf: (entries) => entries.join("\n"),
  read: (text) => ({ ok: true, value: patternsOf(text) }),
};

export const FIELDS: { readonly [Key in FieldKey]: Field<Settings[Key]> } = {
  fixedThreshold: { unit: "", textOf: (value) => String(value ?? ""), read: readThreshold },
  upstreamProxy: {
    unit: "",
    textOf: (value) => value ?? "",
    read: (text) => ({ ok: true, value: text.trim() === "" ? null : text.trim() }),
  },
  captureInclude: LIST,
  captureExclude: LIST,
  passThrough: LIST,
  tlsExceptions: LIST,
  upstreamProxyBypass: LIST,
  hostOverrides: LIST,
  reversePorts: LIST,
  transparentPorts: LIST,
  http1Hosts: LIST,
  hiddenHosts: LIST,
  oversizedFactor: numberField("oversizedFactor", "times"),
  oversizedFloor: numberField("oversizedFloor", "KB"),
  chainGap: numberField("chainGap", "ms"),
  stableLatencyPercent: numberField("stableLatencyPercent", "%"),
  stableLatencyMs: numberField("stableLatencyMs", "ms"),
  stablePayloadPercent: numberField("stablePayloadPercent", "%"),
  stablePayloadBytes: numberField("stablePayloadBytes", "KB"),
  stableErrorPoints: numberField("stableErrorPoints", "points"),
  bodyCap: numberField("bodyCap", "MB"),
  sessionBodyCap: numberField("sessionBodyCap", "MB"),
  rowCap: numberField("rowCap", "rows"),
  dataCap: numberField("dataCap", "MB"),
  historyKept: numberField("historyKept", "sessions"),
};

export const FIELD_KEYS = Object.keys(FIELDS) as FieldKey[];

/** The host patterns or host overrides in a field, separated by lines, commas or spaces; duplicates are removed. */
export function patternsOf(text: string): readonly string[] {
  return Object.freeze([...new Set(text.split(/[\s,]+/).filter((pattern) => pattern !== ""))]);
}

function numberField(key: NumberKey, unit: string): Field<number> {
  const size = unit === "KB" || unit === "MB" ? SIZES[unit] : 1;
  const { least, most, whole } = NUMBER_BOUNDS[key];
  const what = whole && size === 1 ? "a whole number" : "a number";
  const problem = `Enter ${what} from ${shown(least / size)} to ${shown(most / size)} (${unit}).`;
  return {
    unit,
    textOf: (value) => String(Number((value / size).toFixed(6))),
    read: (text) => {
      const number = /^\d{1,9}(?:\.\d{1,6})?$/.test(text.trim()) ? Number(text) * size : Number.NaN;
      const value = whole && size > 1 ? Math.round(number) : number;
      const isGood = value >= least && value <= most && (!whole || Number.isInteger(value));
      return isGood ? { ok: true, value } : { ok: false, problem };
    },
  };
}

function shown(number: number): string {
  return number.toLocaleString("en-US", { maximumFractionDigits: 3 });
}

/**
 * Parses a fixed threshold: whole milliseconds, 1 to 600,000 (docs/specification.md, Fixed threshold). An empty text
 * switches the threshold off; any other text is refused.
 */
function readThreshold(text: string): Result<Milliseconds | null> {
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
