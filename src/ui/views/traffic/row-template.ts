import type { ColumnName } from "./columns.ts";

/**
 * What the list's rows are made of: a row has cells for the columns in sight and no others, since a cell that nobody sees
 * is paid for in each row all the same.
 */
export class RowTemplate {
  readonly #template: HTMLTemplateElement;
  readonly #row: Element;
  readonly #cells: readonly Element[];

  /** `template`: a row with the cells of all columns, each with the class `column-<name>`; those without one always stand first. */
  constructor(template: HTMLTemplateElement) {
    const row = template.content.firstElementChild;
    if (row === null) throw new Error("a list without a row");
    this.#template = template;
    this.#row = row;
    this.#cells = [...row.children];
  }

  /** From now on rows are made with these columns, in this order: the template holds another row (parts/mounted-rows.ts). */
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
