import * as v from "valibot";
import { exchangeId, filter, stretches, trafficSort, whole } from "./decoded.ts";

/* Commands that delete exchanges of the shown session. */

/** The reply to a deletion. */
export interface Deleted {
  /** How many exchanges were deleted. */
  readonly count: number;
  /** How many were left, because they are in flight. */
  readonly inFlight: number;
  /** The number of this deletion, for `undo-deletion`. */
  readonly deletion: number;
}

export const deletionCommands = [
  /** Deletes an exchange; refused while it is in flight. */
  v.object({ type: v.literal("delete-exchange"), exchange: exchangeId }),
  /** Deletes all rows in some ranges of a traffic list but those in flight; refused for more than 10,000 rows. */
  v.object({ type: v.literal("delete-picked"), filter, sort: trafficSort, stretches }),
  /** Undoes a deletion; refused after a minute, and unless its session is shown. */
  v.object({ type: v.literal("undo-deletion"), deletion: whole }),
] as const;
