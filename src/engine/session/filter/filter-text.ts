import type { Condition, Filter, Term } from "./term.ts";
import { amountOf, DURATIONS, SIZES } from "./word.ts";

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

function conditionText(condition: Condition): string {
  switch (condition.kind) {
    case "text":
      return condition.field === "word" ? wordText(condition.text) : `${condition.field}:${valueText(condition.text)}`;
    case "under":
      return `under:${valueText(condition.host + condition.path)}`;
    case "status":
      return `status:${condition.least === condition.most ? condition.least : `${condition.least / 100}xx`}`;
    case "duration":
      return `dur${condition.comparison}${amountText(condition.limit, DURATIONS)}`;
    case "latency":
      return `latency${condition.comparison}${amountText(condition.limit, DURATIONS)}`;
    case "size":
      return `size${condition.comparison}${amountText(condition.limit, SIZES)}`;
    case "flag":
      return `${condition.flag}:`;
    case "connection":
      return `connection:${condition.connection}`;
    case "tag":
      return `tag:${condition.tag}`;
    case "mark":
      return `mark:${condition.mark ?? ""}`;
    case "comment":
      return `comment:${valueText(condition.text)}`;
    case "query":
      return `q.${condition.name}:${valueText(condition.value ?? "")}`;
    case "header":
      return `${condition.side === "request" ? "req" : "resp"}.${condition.name}:${valueText(condition.value ?? "")}`;
    case "body":
      return `body:${valueText(condition.text)}`;
    case "finding":
      return `finding:${condition.finding}`;
  }
}

function wordText(text: string): string {
  return PLAIN.test(text) && text !== "OR" && text !== "AND" ? text : `"${text}"`;
}

/** The value of a key as the filter language reads it. Values must not contain a quote. */
export function valueText(value: string): string {
  return value === "" || (PLAIN.test(value) && !ADDRESS.test(value)) ? value : `"${value}"`;
}

const PLAIN = /^[\w./*=&%?~+][\w./*=&%?~+-]*$/;
/** After a colon this would make the word an address, such as `localhost:3000`. */
const ADDRESS = /^(?:\/\/|\d)/;

function amountText(amount: number, units: Readonly<Record<string, number>>): string {
  for (const [unit, factor] of Object.entries(units)) {
    const figure = String(Number((amount / factor).toFixed(6)));
    if (amountOf(figure + unit, units) === amount) return figure + unit;
  }
  return String(amount);
}
