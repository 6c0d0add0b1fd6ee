import { GutterMarker, WidgetType } from "@codemirror/view";

/** The note in place of folded content, such as "3 objects". */
export class Note extends WidgetType {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  override eq(other: Note): boolean {
    return other.#text === this.#text;
  }

  toDOM(): HTMLElement {
    const note = document.createElement("span");
    note.className = "body-note";
    note.textContent = this.#text;
    note.title = "Unfold";
    return note;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

/** A marker beside a line. Its icon is a copy, because the page's icons do not exist in a shadow root. */
class FoldMarker extends GutterMarker {
  readonly #icon: string;
  readonly #title: string;

  constructor(icon: string, title: string) {
    super();
    this.#icon = icon;
    this.#title = title;
  }

  override toDOM(): HTMLElement {
    const marker = document.createElement("span");
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const symbol = document.querySelector(this.#icon);
    svg.setAttribute("viewBox", symbol?.getAttribute("viewBox") ?? "0 0 16 16");
    svg.append(...(symbol?.cloneNode(true).childNodes ?? []));
    marker.title = this.#title;
    marker.append(svg);
    return marker;
  }
}

/** Markers beside a line that starts a folded range, and beside a line that starts an unfolded range. */
export const FOLDED = new FoldMarker("#icon-folded", "Unfold (Enter, or Ctrl+Shift+])");
export const UNFOLDED = new FoldMarker("#icon-unfolded", "Fold (Enter, or Ctrl+Shift+[)");
