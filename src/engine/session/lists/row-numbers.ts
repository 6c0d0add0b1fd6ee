import type { Finding } from "../../model/finding.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";

/**
 * The finding with its exchanges' numbers in Traffic added; unchanged if the numbers equal the ids. The numbers leave
 * out evicted exchanges.
 */
export function numberedFinding(finding: Finding, table: ExchangeTable): Finding {
  const numbers = finding.exchanges.flatMap((id) => {
    const row = table.rowOf(id);
    return row === null ? [] : table.numberAt(row);
  });
  const isAsIds = finding.exchanges.every((id, index) => id === numbers[index]);
  return isAsIds ? finding : Object.freeze({ ...finding, numbers: Object.freeze(numbers) });
}
