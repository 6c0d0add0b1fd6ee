import type { Mark } from "../model/remark.ts";
import type { ExchangeId } from "../model/units.ts";
import type { Sort } from "./list-messages.ts";
import type { PickedStretch, TrafficColumn } from "./traffic-messages.ts";

/*
 * What a person says of exchanges of the session that the page shows. It is kept with the session, and goes with it.
 */

export type RemarkCommand =
  /** `null`: takes the mark away. The comment stays. */
  | { readonly type: "mark-exchange"; readonly exchange: ExchangeId; readonly mark: Mark | null }
  /** All rows in some stretches of a traffic list, at most 10,000. The reply's value is how many they were. */
  | {
      readonly type: "mark-picked";
      readonly filter: string;
      readonly sort: Sort<TrafficColumn>;
      readonly stretches: readonly PickedStretch[];
      readonly mark: Mark | null;
    }
  /** At most 4,000 characters; empty: takes it away. The mark stays. */
  | { readonly type: "comment-exchange"; readonly exchange: ExchangeId; readonly comment: string };
