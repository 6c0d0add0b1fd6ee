import { PLACEHOLDER } from "../../insights/path-template.ts";
import { type Endpoint, partsOf } from "../../model/endpoint.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";
import { inOneCase, type Literal, literal } from "./literal.ts";
import { codedPredicate, type RowPredicate } from "./row-predicate.ts";
import { MATCH, NO_MATCH, STATUSES, TextMatchCache, UNKNOWN } from "./text-match-cache.ts";

/** The code of an endpoint that does not decide alone: whether a row matches depends on the row's target. */
const BEGUN = 4;
/** The code of a target without a number: the target is the endpoint's path, or is not interned. */
const NUMBERLESS = 8;

/**
 * Matches a text anywhere in method and URL, or in the status. Results are cached if they hold for a whole endpoint or
 * for a repeated target.
 */
export function wordPredicate(table: ExchangeTable, text: string): RowPredicate {
  const { endpoint, endpoints, ownTargets, status } = table;
  const pattern = literal(text);
  const restsIn = restsOf(text);
  const inTarget = new TextMatchCache(
    ownTargets.texts,
    (target) => (pattern.test(target) ? MATCH : NO_MATCH),
    NUMBERLESS,
  );
  const inEndpoint = new TextMatchCache(endpoints, (name) => {
    if (pattern.test(name)) return isSent(name, pattern) ? MATCH : BEGUN;
    return restsIn(name).length === 0 ? NO_MATCH : BEGUN;
  });
  /** `null` if the text cannot occur in a status. */
  const inStatus = /^\d{1,3}$/.test(text)
    ? new TextMatchCache(STATUSES, (digits) => (digits.includes(text) ? MATCH : NO_MATCH))
    : null;
  const goesOn = (row: number, target: string) => restsIn(table.endpointAt(row)).some((rest) => begins(target, rest));
  const holds = (row: number): boolean => {
    const code = inEndpoint.at(endpoint.at(row));
    if (code === MATCH || inStatus?.at(status.at(row)) === MATCH) return true;
    const number = ownTargets.numbers.at(row);
    if (number !== 0 && inTarget.at(number) === MATCH) return true;
    if (number !== 0 && code !== BEGUN) return false;
    const target = ownTargets.at(row);
    if (target === null) return code === BEGUN && pattern.test(table.endpointAt(row));
    return (number === 0 && pattern.test(target)) || (code === BEGUN && goesOn(row, target));
  };
  return codedPredicate(
    [
      { numbers: endpoint, codes: inEndpoint },
      { numbers: ownTargets.numbers, codes: inTarget },
      ...(inStatus === null ? ([] as const) : ([{ numbers: status, codes: inStatus }] as const)),
    ],
    holds,
    () => MATCH | BEGUN | UNKNOWN | (ownTargets.hasOthers ? NUMBERLESS : 0),
  );
}

/** Whether the text occurs in the URL of every row of the endpoint. A template's placeholder occurs in no URL. */
function isSent(endpoint: Endpoint, pattern: Literal): boolean {
  return pattern.test(endpoint.replaceAll(`/${PLACEHOLDER}`, "/\n"));
}

/**
 * Finds matches that begin in the origin and continue in the target: returns, in one letter case, texts with which the
 * target then begins. Few origins end with the beginning of the text, so this is cheaper than joining each row's URL:
 *
 *   GET https://api.test│/users?page=2        for "api.test/us" the text is "/US"
 */
function restsOf(text: string): (endpoint: Endpoint) => readonly string[] {
  const wanted = inOneCase(text);
  const known = new Map<string, readonly string[]>();
  return (endpoint) => {
    const { method, origin } = partsOf(endpoint);
    const before = `${method} ${origin}`;
    const rests = known.get(before) ?? splits(inOneCase(before), wanted);
    known.set(before, rests);
    return rests;
  };
}

/** What follows in `wanted` after each of its beginnings with which `before` ends. */
function splits(before: string, wanted: string): readonly string[] {
  const rests: string[] = [];
  for (let length = 1; length < wanted.length && length <= before.length; length += 1)
    if (before.endsWith(wanted.slice(0, length))) rests.push(wanted.slice(length));
  return rests;
}

/** Whether the text begins with `rest`, which is in one letter case. */
function begins(text: string, rest: string): boolean {
  return text.length >= rest.length && inOneCase(text.slice(0, rest.length)) === rest;
}
