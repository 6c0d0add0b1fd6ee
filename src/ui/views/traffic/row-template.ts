import { type ColumnName, columnOf } from "./columns.ts";

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

  /**
   * Replaces the template's row by a row with these columns in this order (parts/list/mounted-rows.ts). Throws if a
   * column has no cell.
   */
  show(columns: Iterable<ColumnName>): void {
    const first = this.#cells.filter((cell) => columnOf(cell) === null);
    const cells = Array.from(columns, (name) => {
      const own = this.#cells.find((cell) => columnOf(cell) === name);
      if (own === undefined) throw new Error(`no cell for the column "${name}"`);
      return own;
    });
    const row = this.#row.cloneNode(false) as Element;
    row.append(...first, ...cells);
    this.#template.content.replaceChildren(row);
  }
}
