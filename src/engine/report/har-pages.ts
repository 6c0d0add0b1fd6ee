import type { HarPage } from "../interchange/har.ts";
import { urlOf } from "../interchange/url.ts";
import type { ExchangeId } from "../model/units.ts";
import type { Session } from "../session/session.ts";
import type { ExchangeTable } from "../session/table/exchange-table.ts";

/** The page loads of a session, and the id of each exchange's page. */
export interface HarPages {
  readonly pages: readonly HarPage[];
  readonly idOf: (exchange: ExchangeId) => string | null;
}

export const NO_PAGES: HarPages = Object.freeze({ pages: [], idOf: () => null });

/**
 * The page loads in the order of the rows. A page that a HAR file describes keeps its id; of a captured page, each request
 * for its document is a load of its own, with the title that the document gives, and without moments of the load.
 */
export function harPagesOf({ table }: Session): HarPages {
  const pages: HarPage[] = [];
  const latest = new Map<string, number>();
  const { firstRow, nextRow } = table;
  /** By row from `firstRow`, the number of its page; 0 for none. */
  const ofRows = new Uint32Array(nextRow - firstRow);
  for (let row = firstRow; row < nextRow; row += 1) {
    const name = table.page.at(row);
    if (name === null) continue;
    const described = table.describedPages.get(name);
    const exchange = table.viewAt(row);
    const inFile = exchange.tags.includes("imported") ? described : undefined;
    const key = inFile === undefined ? `${exchange.client} ${name}` : name;
    const isDocument = inFile === undefined && urlOf(exchange) === name;
    let number = isDocument ? undefined : latest.get(key);
    if (number === undefined) {
      const { page: id = newIdOf(pages.length + 1, table), marks = NO_MARKS } = inFile ?? {};
      const title = described?.title ?? name;
      number = pages.push({ id, title, marks, at: inFile?.at ?? exchange.instants.startTime });
      latest.set(key, number);
    }
    ofRows[row - firstRow] = number;
  }
  const idOf = (exchange: ExchangeId) => {
    const row = table.rowOf(exchange);
    return row === null ? null : (pages[(ofRows[row - firstRow] ?? 0) - 1]?.id ?? null);
  };
  return Object.freeze({ pages, idOf });
}

const NO_MARKS: HarPage["marks"] = new Map();

/** An id that no page of the file has. */
function newIdOf(number: number, { describedPages }: ExchangeTable): string {
  let id = `page_${number}`;
  while (describedPages.has(id)) id += "_";
  return id;
}
