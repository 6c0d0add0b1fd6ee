import * as v from "valibot";
import { LONGEST_COMMENT, MARKS } from "../model/annotation.ts";
import { exchangeId, filter, stretches, trafficSort } from "./decoded.ts";

const mark = v.nullable(v.picklist(MARKS));

/** Schemas of the commands of annotation-messages.ts. */
export const annotationCommands = [
  v.object({ type: v.literal("mark-exchange"), exchange: exchangeId, mark }),
  v.object({ type: v.literal("mark-picked"), filter, sort: trafficSort, stretches, mark }),
  v.object({
    type: v.literal("comment-exchange"),
    exchange: exchangeId,
    comment: v.pipe(v.string(), v.maxLength(LONGEST_COMMENT)),
  }),
] as const;
