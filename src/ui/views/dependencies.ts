import type { ChosenSet, ComparedWith } from "../../engine/messages/difference-messages.ts";
import type { Mark } from "../../engine/model/annotation.ts";
import type { Endpoint } from "../../engine/model/endpoint.ts";
import type { ExchangeId, Instant } from "../../engine/model/units.ts";
import type { Commands } from "../state/commands.ts";
import type { Downloads } from "../state/downloads.ts";
import type { PickedRows, Selection } from "../state/selection.ts";
import type { SubscriptionStore } from "../state/subscription-store.ts";
import type { UndoStack } from "../state/undo.ts";
import type { ExperimentWish } from "./experiment-wish.ts";

/** What a view's factory depends on. Tests pass replacements. */
export interface ViewDependencies {
  readonly windows: SubscriptionStore;
  readonly commands: Commands;
  readonly selection: Selection;
  readonly downloads: Downloads;
  readonly undo: UndoStack;
  readonly now: () => Instant;
  /** Announces an event: shown briefly at the bottom of the window and read by assistive technology. */
  readonly announce: (text: string) => void;
  /** Copies text and announces `done`, or else the failure. */
  readonly copy: (text: string, done: string) => Promise<unknown>;
  /** Shows the counts of matches in the filter box; `null`: there are no counts. */
  readonly showMatches: (matches: Matches | null) => void;
  /** Opens the context menu of an exchange, an endpoint or a value. */
  readonly openMenu: (wish: MenuIntent) => void;
  /** Opens the dialog that replays an exchange's request. */
  readonly openReplay: (exchange: ExchangeId) => void;
  /** Opens the dialog in which an exchange's request is edited and sent. */
  readonly openEdit: (exchange: ExchangeId) => void;
  /** Opens the dialog that exports these rows. */
  readonly openExport: (rows: PickedRows) => void;
  /** Opens the dialog that compares two exchanges. */
  readonly openComparison: (wish: ComparisonWish) => void;
  /** Opens the dialog that says what a chosen set has that others lack. */
  readonly openDifference: (wish: DifferenceWish) => void;
  /** Opens the dialog that starts an experiment on an endpoint. */
  readonly openExperiment: (wish: ExperimentWish) => void;
  /**
   * Opens the Setup Hub. `target`: the slug of the target to show; `null` keeps the hub's target. The function itself
   * is `null` if there is no hub.
   */
  readonly openHub: ((target: string | null) => void) | null;
  /** The address of the place that is shown; the function itself is `null` where no browser could open it. */
  readonly linkHere: (() => string) | null;
}

export interface ComparisonWish {
  readonly exchange: ExchangeId;
  readonly other: ComparedWith;
}

/** A chosen set. `name`: the set in words, such as "12 selected requests". */
export interface DifferenceWish {
  readonly set: ChosenSet;
  readonly name: string;
}

/** A cell's value, a header or a parameter. */
export interface MenuValue {
  /** The filter's term for it; `null` if the filter language cannot say it. */
  readonly term: string | null;
  /** The value as text, to copy; `null` if the menu does not offer that. */
  readonly text: string | null;
  /** Name and value, as in a head or a query, to copy; `null` if it has no name. */
  readonly line: string | null;
}

/** What a context menu is about: an exchange, an endpoint, or a value of one. */
export interface MenuSubject {
  readonly exchange: ExchangeId | null;
  /** The absolute URL of the exchange; empty if there is none. */
  readonly address: string;
  /** The endpoint; of an exchange, `null` if it is not known yet. */
  readonly endpoint: Endpoint | null;
  /** The host as lists show it, with its port unless that is the scheme's default; empty if there is none. */
  readonly host: string;
  /** `null`: the menu is not about one value. */
  readonly value: MenuValue | null;
  /** The selected rows that actions apply to, of which the exchange is one; `null`: only the exchange. */
  readonly picked: PickedRows | null;
  readonly mark: Mark | null;
  /** Sets the mark of the exchange and of all rows selected with it; `null` removes their marks. */
  readonly setMark: ((mark: Mark | null) => void) | null;
  /** Deletes the exchange and all rows selected with it, where the list has more to do than that. */
  readonly remove?: () => void;
}

/** The menu's position: its `corner` is at `x`, `y` of the window, in px. */
export interface MenuPosition {
  readonly x: number;
  readonly y: number;
  readonly corner: "left" | "right";
}

export type MenuIntent = MenuSubject & MenuPosition;

/** How many rows of the visible list match the filter. */
export interface Matches {
  readonly matched: number;
  readonly total: number;
  /** The share of the exchanges whose bodies were searched for the filter, 0 to 1; absent if it looks for none. */
  readonly searched?: number;
  /** Why the filter is not applied, as text; `null` if it is applied. */
  readonly problem: string | null;
}
