import type { FromEngine, ToEngine } from "../../engine/messages/messages.ts";

/** What the window can do with the engine, whatever carries it (Neutralino's extension socket or the loopback socket). */
export interface Channel {
  send(message: ToEngine): void;
  onMessage(listener: (message: FromEngine) => void): void;
  /** `open`: messages flow (subscriptions must be made anew). `lost`: reconnecting. `closed`: for good, with the reason in words. */
  onState(listener: (state: ChannelState) => void): void;
}

export type ChannelState =
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  | { readonly kind: "lost" }
  | { readonly kind: "closed"; readonly reason: string };
