import type { FromEngine, ToEngine } from "../../engine/messages/messages.ts";

/**
 * The window's connection to the engine, independent of the transport (Neutralino's extension socket or the loopback
 * socket).
 */
export interface Channel {
  send(message: ToEngine): void;
  onMessage(listener: (message: FromEngine) => void): void;
  /**
   * Calls `listener` at once, and after each change of the state. `open`: messages can be sent, and all subscriptions
   * must be made anew. `lost`: the channel reconnects. `closed`: the channel does not reconnect by itself. `reason`:
   * why, if the engine told it. `startable`: `startAgain` brings the engine back.
   */
  onState(listener: (state: ChannelState) => void): void;
  /** Only in a native window. */
  startAgain?(): void;
  /** Ends the program of a native window. */
  quit?(): void;
}

export type ChannelState =
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  | { readonly kind: "lost"; readonly reason?: string }
  | { readonly kind: "closed"; readonly reason: string; readonly startable?: boolean };

/** Why the channel is not open, if the engine told it. */
export function reasonOf(state: ChannelState): string | undefined {
  return "reason" in state ? state.reason : undefined;
}
