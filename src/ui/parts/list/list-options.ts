import type { Range } from "../../../engine/messages/list-messages.ts";
import type { ListFrame } from "./list-frame.ts";
import type { Place, SelectedRows } from "./selected-rows.ts";

type Key = Place["key"];

/**
 * State of a list after a new order or filter: awaiting the answer, answered, or refused, which leaves the list
 * unchanged.
 */
export type ListAnswer = "awaited" | "come" | "refused";

/** Options of a virtual list: measures, rows and callbacks. */
export interface VirtualListOptions<Row> {
  /** Unique in the page; slots are called `<name>-<key>`. */
  readonly name: string;
  readonly rowHeight: number;
  /** Height of the sticky head inside the scroller; 0 if it has none. */
  readonly headHeight: number;
  /** The range requested before the list is mounted; omitted: none. */
  readonly asked?: Range;
  /** Whether to stay at the end when rows are appended, unless the active row is visible. */
  follows(): boolean;
  /** Announces the rows that `rowAt` will be called for, so that shared values can be computed first. */
  seeing?(first: number, count: number): void;
  rowAt(index: number): Row | null;
  keyAt(index: number): Key | null;
  /** The current index of the row with that key; `null` if it is not loaded. */
  indexOf(key: Key): number | null;
  /** Requests the index of a row that is not loaded; `null`: not in the list. Omitted: such rows are never found. */
  placeOf?(key: Key, tell: (index: number | null) => void): void;
  /** The range to hold from now on; called only when it changes. */
  wanted(range: Range): void;
  /** The state of the request after `reset`. Until it is answered the old rows remain; omitted: answered at once. */
  answer?(): ListAnswer;
  draw(frame: ListFrame<Row>): void;
  /** The active row was moved by keyboard; called once it is loaded. */
  moved(index: number, key: Key): void;
  /** Enter on the active row. */
  opened(index: number, key: Key): void;
  /** The selected rows changed; omitted: only the active row can be selected. */
  selectionChanged?(selected: SelectedRows): void;
}
