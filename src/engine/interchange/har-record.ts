import {
  type Fields,
  type KEPT,
  KEPT_NAMES,
  type KeptFields,
  keptOf,
  type Packing,
  type Values,
} from "../model/exchange-fields.ts";
import type { JsonValue } from "./json-value.ts";
import { shownText } from "./redaction.ts";

/** The record's fields that entries have as `_<name>`: all but those of HAR 1.2 (entries, `connection`). */
export const RECORD_IN_HAR: readonly (keyof KeptFields)[] = KEPT_NAMES.filter((name) => name !== "connection");

/** The record's fields in an entry; absent where the exchange has none. */
export function harRecordOf(exchange: KeptFields, redact: boolean): object {
  const kept = keptOf(exchange, (text) => shownText(text, redact));
  const given = RECORD_IN_HAR.filter((name) => kept[name] !== null);
  return Object.fromEntries(given.map((name) => [`_${name}`, kept[name]]));
}

/** The fields that Weir wrote in an entry; `null`, or absent if optional, where one is absent or invalid. */
export function recordIn<Of extends Fields & Partial<typeof KEPT>>(entry: JsonValue, fields: Of): Values<Of> {
  const values = Object.entries(fields).map(
    ([name, packing]) => [name, valueIn(packing, entry.at(`_${name}`))] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Values<Of>;
}

function valueIn(packing: Packing, value: JsonValue): unknown {
  switch (packing.as) {
    case "nullable":
      return valueIn(packing.of, value) ?? null;
    case "optional":
      return valueIn(packing.of, value);
    case "figure":
      return isCount(value.number, packing.least ?? 0) ? value.number : undefined;
    case "flag":
      return value.boolean ?? undefined;
    case "choice":
      return packing.of.find((one) => one === value.text);
    case "word":
      return value.text ?? undefined;
    default:
      throw new Error(`no HAR file has a field that is packed as ${packing.as}`);
  }
}

function isCount(number: number | null, least: number): boolean {
  return number !== null && Number.isInteger(number) && number >= least && number < 2 ** 31;
}
