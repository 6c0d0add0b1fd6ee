import * as v from "valibot";
import type { Milliseconds } from "../model/units.ts";
import { exchangeId, pickedRows, whole } from "./decoded.ts";

/* Commands that delete exchanges of the shown session. */

/** docs/specification.md, Delete exchanges: for how long a deletion can be undone. */
export const UNDO_TIME: Milliseconds = 60_000;

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
  v.object({ type: v.literal("delete-picked"), ...pickedRows }),
  /** Undoes a deletion; refused after a minute, and unless its session is shown. */
  v.object({ type: v.literal("undo-deletion"), deletion: whole }),
] as const;
