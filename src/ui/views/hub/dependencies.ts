import type { Instant } from "../../../engine/model/units.ts";
import type { Channel } from "../../channel/channel.ts";
import type { Commands } from "../../state/commands.ts";
import type { SubscriptionStore } from "../../state/subscription-store.ts";
import type { HubModel } from "./hub-model.ts";

/** What the parts of the hub depend on. Tests pass replacements. */
export interface HubDependencies {
  readonly model: HubModel;
  readonly channel: Channel;
  readonly windows: SubscriptionStore;
  readonly commands: Commands;
  readonly now: () => Instant;
  /** Announces an event: shown briefly and read by assistive technology. */
  readonly announce: (text: string) => void;
  /** Calls `listener` with each announcement. */
  readonly onAnnounce: (listener: (text: string) => void) => void;
  /** Copies text and announces `done`, or else the failure; returns false after a failure. */
  readonly copy: (text: string, done: string) => Promise<boolean>;
  readonly showCertificate: () => void;
  readonly onShowCertificate: (listener: () => void) => void;
  /** Focuses the main window; returns false if there is none. */
  readonly focusMain: () => boolean;
}
