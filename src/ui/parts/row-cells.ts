import type { Slot } from "./virtual-list.ts";

/** A row's texts by name. */
type Texts = Readonly<Record<string, string>>;

interface Cell {
  readonly name: string;
  shown: string;
  draw(text: string): void;
}

/**
 * One mounted row of a list, drawn at once: elements within it name what they show of the row,
 *
 *   data-text="path"   data-title="address"   data-class="statusClass"   data-background="bar"
 *
 * and only what changed is written. A binding for each of them costs a scrolled page ten times as much.
 */
export class RowCells {
  readonly #root: HTMLElement;
  readonly #cells: readonly Cell[];

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#cells = [
      ...cellsOf(root, "text", textWriter),
      ...cellsOf(root, "title", (element) => (text) => {
        element.title = text;
      }),
      ...cellsOf(root, "class", classWriter),
      ...cellsOf(root, "background", (element) => (text) => {
        element.style.background = text;
      }),
    ];
  }

  /** A row that is still on its way is blank. */
  show({ id, rowIndex, active, selected, row }: Slot<Texts>): void {
    this.#set("id", id);
    this.#set("aria-rowindex", String(rowIndex));
    this.#set("aria-selected", String(selected));
    this.#mark("is-active", active);
    for (const cell of this.#cells) {
      const text = row?.[cell.name] ?? "";
      if (text === cell.shown) continue;
      cell.shown = text;
      cell.draw(text);
    }
  }

  #mark(name: string, holds: boolean): void {
    if (this.#root.classList.contains(name) !== holds) this.#root.classList.toggle(name, holds);
  }

  #set(name: string, value: string): void {
    if (this.#root.getAttribute(name) !== value) this.#root.setAttribute(name, value);
  }
}

function cellsOf(root: HTMLElement, kind: string, writer: (element: HTMLElement) => (text: string) => void): Cell[] {
  return [...root.querySelectorAll<HTMLElement>(`[data-${kind}]`)].map((element) => ({
    name: element.dataset[kind] ?? "",
    shown: "",
    draw: writer(element),
  }));
}

function textWriter(element: HTMLElement): (text: string) => void {
  const node = document.createTextNode("");
  element.append(node);
  return (text) => {
    node.data = text;
  };
}

/** A class of the row's beside those that the element has anyway. */
function classWriter(element: HTMLElement): (text: string) => void {
  const own = element.className;
  return (text) => {
    element.className = `${own} ${text}`;
  };
}
