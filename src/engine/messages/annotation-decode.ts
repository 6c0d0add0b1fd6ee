import * as v from "valibot";
import { LONGEST_COMMENT, MARKS } from "../model/annotation.ts";
import { exchangeId, pickedRows, textUpTo, whole } from "./decoded.ts";

const mark = v.nullable(v.picklist(MARKS));

/*
 * Commands for the annotations of exchanges in the shown session; annotations are stored and deleted with the session.
 * The value of each reply but that of `undo-annotations` is an `Annotated`.
 */

/** The reply to a change of annotations. */
export interface Annotated {
  /** The number of changed exchanges. */
  readonly count: number;
  /** The number of this change, for `undo-annotations`. */
  readonly change: number;
}

export const annotationCommands = [
  /** Sets the mark of an exchange, or removes it (`null`). The comment stays. */
  v.object({ type: v.literal("mark-exchange"), exchange: exchangeId, mark }),
  /** Sets or removes the mark of all rows in some ranges of a traffic list; refused for more than 10,000 rows. */
  v.object({ type: v.literal("mark-picked"), ...pickedRows, mark }),
  /** Sets the comment of an exchange; an empty one removes the comment. The mark stays. */
  v.object({
    type: v.literal("comment-exchange"),
    exchange: exchangeId,
    comment: textUpTo(LONGEST_COMMENT),
  }),
  /** Undoes a change; refused unless it is among the latest 20, and its session is shown. */
  v.object({ type: v.literal("undo-annotations"), change: whole }),
] as const;
