import type { Mark } from "../model/annotation.ts";
import type { ExchangeId } from "../model/units.ts";
import type { Sort } from "./list-messages.ts";
import type { PickedStretch, TrafficColumn } from "./traffic-messages.ts";

/* Annotations of the exchanges in the session shown. They are stored and deleted with the session. */

export type AnnotationCommand =
  /** Sets the mark of an exchange, or removes it (`null`). The comment stays. */
  | { readonly type: "mark-exchange"; readonly exchange: ExchangeId; readonly mark: Mark | null }
  /** Marks all rows in some ranges of a traffic list, at most 10,000. The reply's value is their number. */
  | {
      readonly type: "mark-picked";
      readonly filter: string;
      readonly sort: Sort<TrafficColumn>;
      readonly stretches: readonly PickedStretch[];
      readonly mark: Mark | null;
    }
  /** Sets the comment, at most 4,000 characters, or removes it (""). The mark stays. */
  | { readonly type: "comment-exchange"; readonly exchange: ExchangeId; readonly comment: string };
