import type { Finding } from "../../model/finding.ts";
import type { Where } from "../../model/where.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";

/**
 * Adds to a finding the numbers that its exchanges have in Traffic, without evicted ones. Returns the finding unchanged
 * if these numbers equal the ids.
 */
export function numberedFinding(finding: Finding, table: ExchangeTable): Finding {
  const numbers = finding.exchanges.flatMap((id) => {
    const row = table.rowOf(id);
    return row === null ? [] : table.numberAt(row);
  });
  const isAsIds = finding.exchanges.every((id, index) => id === numbers[index]);
  return isAsIds ? finding : Object.freeze({ ...finding, numbers: Object.freeze(numbers) });
}

/** Adds to the slowest requests the numbers that they have in Traffic, where these differ from the ids. */
export function numberedWhere(where: Where, table: ExchangeTable): Where {
  const slowest = where.slowest.map((request) => {
    const row = table.rowOf(request.exchange);
    const number = row === null ? request.exchange : table.numberAt(row);
    return number === request.exchange ? request : { ...request, number };
  });
  return { ...where, slowest };
}
