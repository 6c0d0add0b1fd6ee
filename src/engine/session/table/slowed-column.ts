import type { Slowed } from "../../model/phases.ts";
import { SparseColumn } from "./sparse-column.ts";

/** By how long conditions delayed the exchanges; most rows are empty. */
export class SlowedColumn {
  /** Three cells: request, upload, response. */
  readonly #cells = new SparseColumn(3);

  #isEmpty = true;

  /** Whether no exchange was slowed so far. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  at(row: number): Slowed | null {
    if (!this.#cells.has(row)) return null;
    const at = (cell: number) => this.#cells.at(row, cell);
    return Object.freeze({ request: at(0), upload: at(1), response: at(2) });
  }

  put(row: number, { request, upload, response }: Slowed): void {
    this.#isEmpty = false;
    this.#cells.put(row, 0, request);
    this.#cells.put(row, 1, upload);
    this.#cells.put(row, 2, response);
  }

  /** As `Chunks.forgetBefore`. */
  forgetBefore(row: number): void {
    this.#cells.forgetBefore(row);
  }
}
