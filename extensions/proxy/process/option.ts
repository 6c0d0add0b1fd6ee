import { parseArgs } from "node:util";

export interface Option {
  /** The name without dashes. */
  readonly name: string;
  /** A word for the option's value; `null`: the option has no value. */
  readonly value: string | null;
  /** What help says about the option; `null`: help does not list it. */
  readonly note: string | null;
  /** True if the option can be given several times. */
  readonly isRepeatable?: true;
}

/** The given values by the option's name: `true`, a text, or a list of texts. */
export type Values<Known extends Option> = {
  readonly [One in Known as One["name"]]?: One extends { readonly isRepeatable: true }
    ? readonly string[]
    : One["value"] extends null
      ? boolean
      : string;
};

export interface Parsed<Known extends Option> {
  readonly values: Values<Known>;
  readonly positionals: readonly string[];
}

/** Parses words. Throws an error with a code `ERR_PARSE_ARGS_…` for an unknown option or a missing value. */
export function parsed<Known extends Option>(
  words: readonly string[],
  known: readonly Known[],
  allowPositionals: boolean,
): Parsed<Known> {
  const { values, positionals } = parseArgs({ args: [...words], options: typesOf(known), allowPositionals });
  return { values: values as Values<Known>, positionals };
}

/** The options in the form that `parseArgs` of `node:util` takes. */
export function typesOf(known: readonly Option[]) {
  return Object.fromEntries(
    known.map(({ name, value, isRepeatable = false }) => {
      const type = value === null ? ("boolean" as const) : ("string" as const);
      return [name, { type, multiple: isRepeatable }] as const;
    }),
  );
}
