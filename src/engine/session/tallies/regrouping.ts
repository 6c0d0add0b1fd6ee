import { isTemplate } from "../../insights/path-template.ts";
import { type Endpoint, partsOf } from "../../model/endpoint.ts";
import { EndpointNames } from "../table/endpoint-names.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";

import type { EndpointKeys } from "./endpoint-keys.ts";
import { EndpointTallies } from "./endpoint-tallies.ts";

export type TemplateTest = (origin: string, template: string) => boolean;

/** The tallies under other keys, and the old numbers of endpoints whose rows were counted again. */
export interface Regrouped {
  readonly tallies: EndpointTallies;
  readonly recounted: ReadonlySet<number>;
}

/**
 * Counts a session's endpoints under other keys, and gives the rows their new numbers. Endpoints with the same key are
 * merged, including their evicted exchanges. `mayFallApart`: selects templates to check; if a row of such a template
 * gets another key, all of the template's rows in the table are counted again.
 */
export function regroup(
  table: ExchangeTable,
  before: EndpointTallies,
  keys: EndpointKeys,
  mayFallApart: TemplateTest,
): Regrouped {
  const endpoints = new EndpointNames(table.endpoints.most);
  const tallies = new EndpointTallies(endpoints);
  const recounted = fallenApart(table, keys, mayFallApart);
  const numbers = new Uint32Array(table.endpoints.size);
  for (let old = 1; old < table.endpoints.size; old += 1) {
    if (recounted.has(old)) continue;
    const number = endpoints.numberOf(keys.of(table.endpoints.textAt(old) as Endpoint));
    numbers[old] = number;
    const tally = before.at(old);
    if (tally !== null) tallies.absorb(number, tally);
  }
  table.rekey(endpoints, (row, old) => {
    if (!recounted.has(old)) return numbers[old] as number;
    const number = endpoints.numberOf(keys.of(table.literalAt(row)));
    if (table.countsAt(row)) tallies.record(number, table.exchangeAt(row));
    return number;
  });
  return { tallies, recounted };
}

/** The templates with at least one row that no longer belongs to them. */
function fallenApart(table: ExchangeTable, keys: EndpointKeys, mayFallApart: TemplateTest): Set<number> {
  const split = new Set<number>();
  const templates = new Map<number, Endpoint>();
  for (let number = 1; number < table.endpoints.size; number += 1) {
    const endpoint = table.endpoints.textAt(number) as Endpoint;
    const { origin, path } = partsOf(endpoint);
    if (isTemplate(path) && mayFallApart(origin, path)) templates.set(number, endpoint);
  }
  if (templates.size === 0) return split;
  for (let row = table.firstRow; row < table.nextRow; row += 1) {
    const number = table.endpoint.at(row);
    const template = templates.get(number);
    if (template !== undefined && !split.has(number) && keys.of(table.literalAt(row)) !== template) split.add(number);
  }
  return split;
}
