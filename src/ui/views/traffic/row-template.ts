import type { ColumnName } from "./columns.ts";

/**
 * What the list's rows are made of: a row has cells for the columns in sight and no others, since a cell that nobody sees
 * is paid for in each row all the same.
 */
export class RowTemplate {
  readonly #row: Element;
  readonly #cells: readonly Element[];

  /** `template`: a row with the cells of all columns, each with the class `column-<name>`; those without one always stay. */
  constructor(template: HTMLTemplateElement) {
    const row = template.content.firstElementChild;
    if (row === null) throw new Error("a list without a row");
    this.#row = row;
    this.#cells = [...row.children];
  }

  /** From now on rows are made with these columns. */
  show(shown: ReadonlySet<ColumnName>): void {
    this.#row.replaceChildren(...this.#cells.filter((cell) => isShown(cell, shown)));
  }
}

function isShown(cell: Element, shown: ReadonlySet<string>): boolean {
  const column = [...cell.classList].find((name) => name.startsWith("column-"));
  return column === undefined || shown.has(column.slice("column-".length));
}
