import { WAITED_FOR, type WaitedFor } from "./phases.ts";

/** How the values of a field are packed. */
export type Packing =
  /** A number. `least`: imports ignore smaller ones, and schemas do not allow them. */
  | { readonly as: "figure"; readonly least?: number }
  | { readonly as: "flag" }
  /** A text that many events share. */
  | { readonly as: "word" }
  /** Latin1 text as on the wire. */
  | { readonly as: "text" }
  | { readonly as: "bytes" }
  /** One of a closed list, or several of it. */
  | { readonly as: "choice" | "set"; readonly of: readonly string[] }
  /** A rare object, as JSON; a rare `Map`, as JSON of its entries. */
  | { readonly as: "json" | "map" }
  | { readonly as: "fields"; readonly of: Fields }
  | { readonly as: "outcome"; readonly of: readonly string[] }
  /** `null` is also allowed. */
  | { readonly as: "nullable"; readonly of: Packing }
  /** The field may be absent. */
  | { readonly as: "optional"; readonly of: Packing };

/** A field whose values have the type `Value`. */
export type Field<Value> = Packing & { readonly value?: Value };

export type Fields = Readonly<Record<string, Packing>>;

/** The object that fields describe. */
export type Values<Of> = {
  readonly [Name in keyof Of as Of[Name] extends { readonly as: "optional" } ? never : Name]: ValueOf<Of[Name]>;
} & {
  readonly [Name in keyof Of as Of[Name] extends { readonly as: "optional" } ? Name : never]?: ValueOf<Of[Name]>;
};

type ValueOf<Of> = Of extends { readonly value?: infer Value } ? Exclude<Value, undefined> : never;

type Figure<Value extends number> = { readonly as: "figure"; readonly least?: number; readonly value?: Value };
type Nullable<Value> = { readonly as: "nullable"; readonly of: Packing; readonly value?: Value | null };
type Optional<Value> = { readonly as: "optional"; readonly of: Packing; readonly value?: Value };

export const figure = <Value extends number = number>(): Figure<Value> => ({ as: "figure" });
export const number = figure();
const STREAM: Field<number> = { as: "figure", least: 1 };
export const word: Field<string> = { as: "word" };
export const text: Field<string> = { as: "text" };
export const bytes: Field<Uint8Array> = { as: "bytes" };
export const flag: Field<boolean> = { as: "flag" };
export const choice = <Value extends string>(of: readonly Value[]): Field<Value> => ({ as: "choice", of });
export const set = <Value extends string>(of: readonly Value[]): Field<readonly Value[]> => ({ as: "set", of });
export const json = <Value>(): Field<Value> => ({ as: "json" });
export const nullable = <Value>(of: Field<Value>): Nullable<Value> => ({ as: "nullable", of });
export const optional = <Value>(of: Field<Value>): Optional<Value> => ({ as: "optional", of });

/** `about`: what the field's values are, as the schemas of exports say it. */
function described<Of extends Packing>(about: string, of: Of): Of & { readonly about: string } {
  return { ...of, about };
}

/**
 * Fields that are copied unchanged from `request-started` into the exchange, its row of the table, and its exports. A
 * field that the event lacks is `null` in the exchange. Figures are whole numbers.
 */
export const KEPT_FROM_START = {
  clientConnection: described(
    "The number of the client's connection, counted apart from the servers'.",
    nullable(number),
  ),
  clientStream: described(
    "The HTTP/2 stream on the client's connection (RFC 9113, 5.1.1); none over HTTP/1.",
    nullable(STREAM),
  ),
};

/** As `KEPT_FROM_START`, for `exchange-ended`: `null` in the exchange until then. */
export const KEPT_FROM_END = {
  connection: described(
    "The number of the server's connection; none: no connection carried the exchange.",
    nullable(number),
  ),
  reused: described(
    "Whether the server's connection had carried a request before; none: no connection carried the exchange.",
    nullable(flag),
  ),
  stream: described("The HTTP/2 stream on the server's connection; none over HTTP/1.", nullable(STREAM)),
  waitedFor: described(
    "What the request waited for before it was sent to the server; none: it did not wait.",
    nullable(choice<WaitedFor>(WAITED_FOR)),
  ),
};

export const KEPT = { ...KEPT_FROM_START, ...KEPT_FROM_END };

type Kept = typeof KEPT;

/** What an exchange keeps of its events as it is. */
export type KeptFields = { readonly [Name in keyof Kept]: ValueOf<Kept[Name]> | null };

export const KEPT_NAMES = Object.freeze(Object.keys(KEPT)) as readonly (keyof KeptFields)[];

/** The kept fields of an end that says nothing of them. */
export const NOTHING_AT_END = Object.freeze(
  Object.fromEntries(
    Object.entries<Packing>(KEPT_FROM_END).flatMap(([name, { as }]) => (as === "optional" ? [] : [[name, null]])),
  ),
) as Values<typeof KEPT_FROM_END>;

/** The kept fields alone, with what `shown` makes of their texts. */
export function keptOf(exchange: KeptFields, shown: (text: string) => string): KeptFields {
  const kept = KEPT_NAMES.map((name) => {
    const value = exchange[name];
    return [name, typeof value === "string" ? shown(value) : value];
  });
  return Object.fromEntries(kept) as KeptFields;
}
