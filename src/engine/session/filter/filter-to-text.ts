import type { Condition, Filter, Term } from "./term.ts";
import { amountOf, DURATIONS, SIZES } from "./term-parser.ts";

/** A text of the filter language that `filterOf` reads as this filter. */
export function filterText(filter: Filter): string {
  const [only] = filter;
  return only?.kind === "any" && filter.length === 1 ? choicesText(only.of) : filter.map(termText).join(" ");
}

function choicesText(terms: readonly Term[]): string {
  return terms.map((term) => (term.kind === "all" ? term.of.map(termText).join(" ") : termText(term))).join(" OR ");
}

function termText(term: Term): string {
  switch (term.kind) {
    case "not":
      return `-${term.of.kind === "not" || term.of.kind === "all" ? `(${groupText(term.of)})` : termText(term.of)}`;
    case "any":
    case "all":
      return `(${groupText(term)})`;
    default:
      return conditionText(term);
  }
}

function groupText(term: Term): string {
  return filterText(term.kind === "all" ? term.of : [term]);
}

type Texts = { readonly [Kind in Condition["kind"]]: (of: Extract<Condition, { readonly kind: Kind }>) => string };

const TEXTS: Texts = {
  text: ({ field, text }) => (field === "word" ? wordText(text) : `${field}:${valueText(text)}`),
  under: ({ host, path }) => `under:${valueText(host + path)}`,
  status: ({ least, most }) => `status:${least === most ? least : `${least / 100}xx`}`,
  duration: ({ comparison, limit }) => `dur${comparison}${amountText(limit, DURATIONS)}`,
  latency: ({ comparison, limit }) => `latency${comparison}${amountText(limit, DURATIONS)}`,
  size: ({ comparison, limit }) => `size${comparison}${amountText(limit, SIZES)}`,
  flag: ({ flag }) => `${flag}:`,
  connection: ({ connection }) => `connection:${connection}`,
  tag: ({ tag }) => `tag:${tag}`,
  mark: ({ mark }) => `mark:${mark ?? ""}`,
  comment: ({ text }) => `comment:${valueText(text)}`,
  query: ({ name, value }) => `q.${name}:${valueText(value ?? "")}`,
  header: ({ side, name, value }) => `${side === "request" ? "req" : "resp"}.${name}:${valueText(value ?? "")}`,
  body: ({ text }) => `body:${valueText(text)}`,
  finding: ({ finding }) => `finding:${finding}`,
};

function conditionText(condition: Condition): string {
  // The compiler does not know that each kind's function takes the conditions of its own kind.
  return (TEXTS[condition.kind] as (of: Condition) => string)(condition);
}

function wordText(text: string): string {
  return PLAIN.test(text) && text !== "OR" && text !== "AND" ? text : `"${text}"`;
}

/** The value of a key as the filter language reads it; `//` would make an address. Values must not contain a quote. */
export function valueText(value: string): string {
  return value === "" || (PLAIN.test(value) && !value.startsWith("//")) ? value : `"${value}"`;
}

const PLAIN = /^[\w./*=&%?~+][\w./*=&%?~+-]*$/;

function amountText(amount: number, units: Readonly<Record<string, number>>): string {
  for (const [unit, factor] of Object.entries(units)) {
    const figure = String(Number((amount / factor).toFixed(6)));
    if (amountOf(figure + unit, units) === amount) return figure + unit;
  }
  return String(amount);
}
