import type { Mark } from "../../engine/model/remark.ts";
import type { ExchangeId, Instant } from "../../engine/model/units.ts";
import type { Commands } from "../state/commands.ts";
import type { Downloads } from "../state/downloads.ts";
import type { Selection } from "../state/selection.ts";
import type { Windows } from "../state/windows.ts";

/** What a view's factory gets, so that a test can give it something else. */
export interface ViewDependencies {
  readonly windows: Windows;
  readonly commands: Commands;
  readonly selection: Selection;
  readonly downloads: Downloads;
  /** Reads the clock that instants are of. */
  readonly now: () => Instant;
  /** Says something that happened: shown for a moment at the window's foot, read out by assistive technology. */
  readonly announce: (text: string) => void;
  /** Copies text and announces `done`, or what went wrong. */
  readonly copy: (text: string, done: string) => Promise<void>;
  /** Tells the filter box how many rows of the list in sight match; `null` = there is no such list. */
  readonly showMatches: (matches: Matches | null) => void;
  /** Opens the menu of what can be done with an exchange. */
  readonly openMenu: (wish: MenuWish) => void;
  /** Opens the Setup Hub at a target (a slug; `null`: where it is); `null` where this host has none. */
  readonly openHub: ((target: string | null) => void) | null;
}

/** Which exchange's menu, and where: the corner of it that stands at `x`, `y` of the window, in px. */
export interface MenuWish {
  readonly exchange: ExchangeId;
  /** Its whole address; empty: it is not known. */
  readonly address: string;
  /** What it is marked with now. */
  readonly mark: Mark | null;
  /** Marks it, and what is picked with it. */
  readonly setMark: (mark: Mark | null) => void;
  readonly x: number;
  readonly y: number;
  readonly corner: "left" | "right";
}

/** What the filter box says about the list in sight. */
export interface Matches {
  readonly matched: number;
  readonly total: number;
  /** Why the filter is refused, in words. */
  readonly problem: string | null;
}
