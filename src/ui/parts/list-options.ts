import type { Range } from "../../engine/messages/list-messages.ts";
import type { ListFrame } from "./list-frame.ts";
import type { Picked, Place } from "./picked-rows.ts";

type Key = Place["key"];

/** Of a list that was asked in another order, or with another filter: a refused one stays as it was. */
export type ListAnswer = "awaited" | "come" | "refused";

/** What a virtual list is told: its measures, its rows, and who hears of what is done in it. */
export interface VirtualListOptions<Row> {
  /** Unique in the page; slots are called `<name>-<key>`. */
  readonly name: string;
  readonly rowHeight: number;
  /** Height of the sticky head inside the scroller; 0 if it has none. */
  readonly headHeight: number;
  /** What has been asked for before the list is there; left out: nothing. */
  readonly asked?: Range;
  /** Stay at the tail when rows are added there, unless the active row is in sight. */
  follows(): boolean;
  /** These rows are about to be asked for by `rowAt`: what they share can be found first. */
  seeing?(first: number, count: number): void;
  rowAt(index: number): Row | null;
  keyAt(index: number): Key | null;
  /** Where the row with that key is now; `null` if it is not held. */
  indexOf(key: Key): number | null;
  /** Finds out where a row stands that is not held, and tells its index; `null`: it is not in the list. Left out: nobody knows. */
  placeOf?(key: Key, tell: (index: number | null) => void): void;
  /** Which rows to hold from now on; called only when that changes. */
  wanted(range: Range): void;
  /** After `reset`: what became of the new order or filter. Until it has come the rows are those before. Left out: it comes at once. */
  answer?(): ListAnswer;
  draw(frame: ListFrame<Row>): void;
  /** The active row was moved by keyboard; called once its row is held. */
  moved(index: number, key: Key): void;
  /** Enter on the active row. */
  opened(index: number, key: Key): void;
  /** Other rows are picked now; left out: of this list only one row is picked at a time, the active one. */
  picked?(picked: Picked): void;
}
