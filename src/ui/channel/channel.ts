import type { FromEngine, ToEngine } from "../../engine/messages/messages.ts";

/**
 * The window's connection to the engine, independent of the transport (Neutralino's extension socket or the loopback
 * socket).
 */
export interface Channel {
  send(message: ToEngine): void;
  onMessage(listener: (message: FromEngine) => void): void;
  /**
   * `open`: messages can be sent (all subscriptions must be made anew). `lost`: reconnecting. `closed`: final; the
   * state holds the reason as text.
   */
  onState(listener: (state: ChannelState) => void): void;
}

export type ChannelState =
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  | { readonly kind: "lost" }
  | { readonly kind: "closed"; readonly reason: string };
