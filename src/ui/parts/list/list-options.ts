import type { Range } from "../../../engine/messages/list-messages.ts";
import type { ListFrame } from "./list-frame.ts";
import type { RowPosition, SelectedRows } from "./selected-rows.ts";

type Key = RowPosition["key"];

/**
 * State of a list's query after a new order or filter: awaiting the answer, answered, or refused. A refusal leaves the
 * list unchanged.
 */
export type ListAnswer = "awaited" | "come" | "refused";

export interface VirtualListOptions<Row> {
  /** Unique in the page; the ids of slots are `<name>-<key>`. */
  readonly name: string;
  readonly rowHeight: number;
  /** The range that was already requested when the list is created. */
  readonly requested: Range;
  /** Whether the list stays at its end when rows are appended. A visible active row overrides this. */
  follows(): boolean;
  /** Announces the rows for which `rowAt` is called next, so that values they share can be computed first. */
  seeing?(first: number, count: number): void;
  rowAt(index: number): Row | null;
  keyAt(index: number): Key | null;
  /** The current index of the row with that key; `null` if the row is not loaded. */
  indexOf(key: Key): number | null;
  /**
   * Requests the index of a row that is not loaded; `tell` gets `null` if the row is not in the list. Omitted: such a
   * row is never found.
   */
  positionOf?(key: Key, tell: (index: number | null) => void): void;
  /** Called with the range to hold from now on, and only if the range changed. */
  wanted(range: Range): void;
  /** The state of the query after `reset`. The old rows stay until the answer comes. */
  answer(): ListAnswer;
  /** Called with the number of rows that were appended while the list was scrolled away from its end. */
  missed?(count: number): void;
  draw(frame: ListFrame<Row>): void;
  /** Called after the active row was moved by keyboard, once that row is loaded. */
  moved(key: Key): void;
  /** Called when Enter is pressed on the active row. */
  opened(key: Key): void;
  /** Called after the selected rows changed. Omitted: only the active row can be selected. */
  selectionChanged?(selected: SelectedRows): void;
}
