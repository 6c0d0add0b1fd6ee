import type { Exchange } from "../../src/engine/model/exchange.ts";
import { exchange } from "./exchange.ts";

/** Milliseconds that a column of a drawing stands for. */
export const COLUMN = 10;

/**
 * Exchanges from a drawing, a row each; ids count from 1 in the order of rows.
 *
 *     a ----        from 0 to 40 ms
 *     b   |         at 20 ms, took no time
 *     c@x  --       of client x
 */
export function timeline(drawing: string): readonly Exchange[] {
  const rows = drawing.split("\n").filter((row) => row.trim() !== "");
  const indent = Math.min(...rows.map((row) => row.length - row.trimStart().length));
  const width = Math.max(...rows.map((row) => row.slice(indent).split(" ", 1)[0]?.length ?? 0)) + 1;
  return rows.map((row, index) => {
    const [name = ""] = row.slice(indent).split(" ", 1);
    const bar = row.slice(indent + width);
    const from = bar.search(/[-|]/);
    const length = /-+/.exec(bar)?.[0].length ?? 0;
    if (from < 0) throw new Error(`no bar in row "${row}"`);
    const start = from * COLUMN;
    return exchange({ id: index + 1, client: name.split("@")[1] ?? "client", start, end: start + length * COLUMN });
  });
}
