import type { Endpoint } from "../../model/endpoint.ts";
import type { ExchangeId } from "../../model/units.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";

/** A test for whether an exchange is at one of these rows. */
export function exchangesAt(table: ExchangeTable, rows: Uint32Array): (id: ExchangeId) => boolean {
  const first = table.firstRow;
  const isHeld = new Uint8Array(table.nextRow - first);
  for (const row of rows) isHeld[row - first] = 1;
  return (id) => {
    const row = table.rowOf(id);
    return row !== null && isHeld[row - first] === 1;
  };
}

/** A test for whether an endpoint has an exchange at one of these rows. */
export function endpointsAt(
  { endpoints, endpoint }: ExchangeTable,
  rows: Uint32Array,
): (endpoint: Endpoint) => boolean {
  const isHeld = new Uint8Array(endpoints.size);
  for (const row of rows) isHeld[endpoint.at(row)] = 1;
  // Number 0 stands for all endpoints without a number, so it says nothing about the wanted endpoint.
  isHeld[0] = 0;
  return (wanted) => isHeld[endpoints.find(wanted)] === 1;
}
