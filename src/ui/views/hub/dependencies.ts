import type { Instant } from "../../../engine/model/units.ts";
import type { Channel } from "../../channel/channel.ts";
import type { Commands } from "../../state/commands.ts";
import type { Windows } from "../../state/windows.ts";
import type { HubModel } from "./hub-model.ts";

/** What the parts of the hub's window get, so that a test can give them something else. */
export interface HubDependencies {
  readonly model: HubModel;
  readonly channel: Channel;
  readonly windows: Windows;
  readonly commands: Commands;
  /** Reads the clock that instants are of. */
  readonly now: () => Instant;
  /** Says something that happened: shown for a moment, read out by assistive technology. */
  readonly announce: (text: string) => void;
  /** Calls `listener` with what is announced. */
  readonly onAnnounce: (listener: (text: string) => void) => void;
  /** Copies text and announces `done`, or what went wrong; false if it did. */
  readonly copy: (text: string, done: string) => Promise<boolean>;
  /** Opens the dialog about the certificate. */
  readonly showCertificate: () => void;
  readonly onShowCertificate: (listener: () => void) => void;
  /** Brings the main window forward; false: none can be. */
  readonly focusMain: () => boolean;
}
