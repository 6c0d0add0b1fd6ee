import type { Slot } from "./list-frame.ts";

/** The texts to draw, by name. */
type Texts = Readonly<Record<string, string>>;

interface Cell {
  readonly name: string;
  shown: string;
  draw(text: string): void;
}

/**
 * Draws one element without Alpine's bindings, which take ten times as long when a list scrolls. The element and its
 * descendants name their texts in attributes, and only changed texts are written:
 *
 *   data-text="path"   data-title="address"   data-class="statusClass"   data-background="bar"
 *   data-attributes="aria-sort:order hidden:unsorted"   (no attribute if there is no text)
 *
 * If an element has a child (the unit), the text is placed before the child.
 */
export class CellWriter {
  readonly #cells: readonly Cell[];

  constructor(root: HTMLElement) {
    this.#cells = [
      ...cellsOf(root, "text", textWriter),
      ...cellsOf(root, "title", (element) => (text) => {
        element.title = text;
      }),
      ...cellsOf(root, "class", classWriter),
      ...cellsOf(root, "background", (element) => (text) => {
        element.style.background = text;
      }),
      ...elementsOf(root, "attributes").flatMap(attributeCells),
    ];
  }

  show(texts: Texts | null): void {
    for (const cell of this.#cells) {
      const text = texts?.[cell.name] ?? "";
      if (text === cell.shown) continue;
      cell.shown = text;
      cell.draw(text);
    }
  }
}

/** A mounted row of a list, with its ARIA attributes. */
export class RowCells {
  readonly #root: HTMLElement;
  readonly #cells: CellWriter;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#cells = new CellWriter(root);
  }

  /** Draws a slot. While its row is loading, the cells are empty. */
  show({ id, rowIndex, active, selected, row }: Slot<Texts>): void {
    this.#set("id", id);
    this.#set("aria-rowindex", String(rowIndex));
    this.#set("aria-selected", String(selected));
    this.#mark("is-active", active);
    this.#cells.show(row);
  }

  #mark(name: string, holds: boolean): void {
    if (this.#root.classList.contains(name) !== holds) this.#root.classList.toggle(name, holds);
  }

  #set(name: string, value: string): void {
    if (this.#root.getAttribute(name) !== value) this.#root.setAttribute(name, value);
  }
}

function elementsOf(root: HTMLElement, kind: string): HTMLElement[] {
  const within = [...root.querySelectorAll<HTMLElement>(`[data-${kind}]`)];
  return kind in root.dataset ? [root, ...within] : within;
}

function cellsOf(root: HTMLElement, kind: string, writer: (element: HTMLElement) => (text: string) => void): Cell[] {
  return elementsOf(root, kind).map((element) => ({
    name: element.dataset[kind] ?? "",
    shown: "",
    draw: writer(element),
  }));
}

function attributeCells(element: HTMLElement): Cell[] {
  const pairs = (element.dataset["attributes"] ?? "").split(" ").map((pair) => pair.split(":"));
  return pairs.map(([attribute = "", name = ""]) => ({
    name,
    shown: "",
    draw: (text) => {
      if (text === "") element.removeAttribute(attribute);
      else element.setAttribute(attribute, text);
    },
  }));
}

function textWriter(element: HTMLElement): (text: string) => void {
  const node = document.createTextNode("");
  element.insertBefore(node, element.lastElementChild);
  return (text) => {
    node.data = text;
  };
}

/** Writes one dynamic class; the element's static classes stay. */
function classWriter(element: HTMLElement): (text: string) => void {
  const own = element.className;
  return (text) => {
    element.className = `${own} ${text}`;
  };
}
