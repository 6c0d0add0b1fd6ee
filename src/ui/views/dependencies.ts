import type { Mark } from "../../engine/model/annotation.ts";
import type { ExchangeId, Instant } from "../../engine/model/units.ts";
import type { Commands } from "../state/commands.ts";
import type { Downloads } from "../state/downloads.ts";
import type { Selection } from "../state/selection.ts";
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
  /** The current instant. */
  readonly now: () => Instant;
  /** Announces an event: shown briefly at the bottom of the window and read by assistive technology. */
  readonly announce: (text: string) => void;
  /** Copies text and announces `done`, or else the failure. */
  readonly copy: (text: string, done: string) => Promise<void>;
  /** Shows the counts of matches in the filter box; `null`: there are no counts. */
  readonly showMatches: (matches: Matches | null) => void;
  /** Opens an exchange's context menu. */
  readonly openMenu: (wish: MenuIntent) => void;
  /** Opens the dialog that repeats an exchange's request. */
  readonly openReplay: (exchange: ExchangeId) => void;
  /** Opens the dialog that starts an experiment on an endpoint. */
  readonly openExperiment: (wish: ExperimentWish) => void;
  /**
   * Opens the Setup Hub. `target`: the slug of the target to show; `null` keeps the hub's target. The function itself
   * is `null` if there is no hub.
   */
  readonly openHub: ((target: string | null) => void) | null;
}

/** The exchange of a context menu, and the menu's position: the menu's `corner` is at `x`, `y` of the window, in px. */
export interface MenuIntent {
  readonly exchange: ExchangeId;
  /** The exchange's absolute URL; empty if unknown. */
  readonly address: string;
  /** The exchange's current mark. */
  readonly mark: Mark | null;
  /** Sets the mark of the exchange and of all rows selected with it; `null` removes their marks. */
  readonly setMark: (mark: Mark | null) => void;
  readonly x: number;
  readonly y: number;
  readonly corner: "left" | "right";
}

/** How many rows of the visible list match the filter. */
export interface Matches {
  readonly matched: number;
  readonly total: number;
  /** Why the filter is not applied, as text; `null` if it is applied. */
  readonly problem: string | null;
}
