import * as v from "valibot";
import { LONGEST_COMMENT, MARKS } from "../model/annotation.ts";
import { exchangeId, filter, stretches, trafficSort } from "./decoded.ts";

const mark = v.nullable(v.picklist(MARKS));

/*
 * Commands for the annotations of exchanges in the shown session; annotations are stored and deleted with the session.
 */

export const annotationCommands = [
  /** Sets the mark of an exchange, or removes it (`null`). The comment stays. */
  v.object({ type: v.literal("mark-exchange"), exchange: exchangeId, mark }),
  /**
   * Sets or removes the mark of all rows in some ranges of a traffic list; refused for more than 10,000 rows. The
   * reply's value is the number of rows in the ranges.
   */
  v.object({ type: v.literal("mark-picked"), filter, sort: trafficSort, stretches, mark }),
  /** Sets the comment of an exchange; an empty one removes the comment. The mark stays. */
  v.object({
    type: v.literal("comment-exchange"),
    exchange: exchangeId,
    comment: v.pipe(v.string(), v.maxLength(LONGEST_COMMENT)),
  }),
] as const;
