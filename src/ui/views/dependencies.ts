import type { Mark } from "../../engine/model/annotation.ts";
import type { ExchangeId, Instant } from "../../engine/model/units.ts";
import type { Commands } from "../state/commands.ts";
import type { Downloads } from "../state/downloads.ts";
import type { Selection } from "../state/selection.ts";
import type { SubscriptionStore } from "../state/subscription-store.ts";

/** What a view's factory needs; tests replace these parts. */
export interface ViewDependencies {
  readonly windows: SubscriptionStore;
  readonly commands: Commands;
  readonly selection: Selection;
  readonly downloads: Downloads;
  /** The current instant. */
  readonly now: () => Instant;
  /** Announces an event: shown briefly at the bottom of the window and read by assistive technology. */
  readonly announce: (text: string) => void;
  /** Copies text and announces `done`, or else the failure. */
  readonly copy: (text: string, done: string) => Promise<void>;
  /** Passes the counts of matches in the visible list to the filter box; `null`: no such list is visible. */
  readonly showMatches: (matches: Matches | null) => void;
  /** Opens an exchange's context menu. */
  readonly openMenu: (wish: MenuIntent) => void;
  /** Opens the dialog that repeats an exchange's request. */
  readonly openRepeat: (exchange: ExchangeId) => void;
  /** Opens the Setup Hub at a target (a slug; `null`: unchanged); `null` if there is no hub. */
  readonly openHub: ((target: string | null) => void) | null;
}

/** The exchange of a context menu, and the menu's position: the menu's `corner` is at `x`, `y` of the window, in px. */
export interface MenuIntent {
  readonly exchange: ExchangeId;
  /** The exchange's absolute URL; empty if unknown. */
  readonly address: string;
  /** The exchange's current mark. */
  readonly mark: Mark | null;
  /** Marks the exchange and all rows selected together with it. */
  readonly setMark: (mark: Mark | null) => void;
  readonly x: number;
  readonly y: number;
  readonly corner: "left" | "right";
}

/** The counts of matches in the visible list. */
export interface Matches {
  readonly matched: number;
  readonly total: number;
  /** Why the filter was refused, as text. */
  readonly problem: string | null;
}
