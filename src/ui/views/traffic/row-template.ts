import type { ColumnName } from "./columns.ts";

/**
 * The template for the rows of the list. It has cells for visible columns only, because hidden cells cost time in every
 * row.
 */
export class RowTemplate {
  readonly #template: HTMLTemplateElement;
  readonly #row: Element;
  readonly #cells: readonly Element[];

  /**
   * `template`: a row with the cells of all columns, each with the class `column-<name>`; cells without such a class
   * come first.
   */
  constructor(template: HTMLTemplateElement) {
    const row = template.content.firstElementChild;
    if (row === null) throw new Error("a list without a row");
    this.#template = template;
    this.#row = row;
    this.#cells = [...row.children];
  }

  /** Replaces the template's row by a row with these columns in this order (parts/list/mounted-rows.ts). */
  show(columns: Iterable<ColumnName>): void {
    const first = this.#cells.filter((cell) => columnOf(cell) === null);
    const cells = [...columns].flatMap((name) => this.#cells.find((cell) => columnOf(cell) === name) ?? []);
    const row = this.#row.cloneNode(false) as Element;
    row.append(...first, ...cells);
    this.#template.content.replaceChildren(row);
  }
}

function columnOf(cell: Element): string | null {
  const column = [...cell.classList].find((name) => name.startsWith("column-"));
  return column === undefined ? null : column.slice("column-".length);
}
