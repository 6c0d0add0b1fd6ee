import type { FromEngine, ToEngine } from "../../src/engine/messages/messages.ts";
import type { Channel, ChannelState } from "../../src/ui/channel/channel.ts";

/** A window's channel whose other end is the test. `onSend` is called with each message that the window sends. */
export function fakeChannel(onSend: (message: ToEngine) => void = () => {}): {
  readonly channel: Channel;
  readonly sent: readonly ToEngine[];
  readonly receive: (message: FromEngine) => void;
  readonly enter: (state: ChannelState) => void;
} {
  const sent: ToEngine[] = [];
  const listeners: ((message: FromEngine) => void)[] = [];
  const states: ((state: ChannelState) => void)[] = [];
  const channel: Channel = {
    send: (message) => {
      sent.push(message);
      onSend(message);
    },
    onMessage: (listener) => void listeners.push(listener),
    onState: (listener) => void states.push(listener),
  };
  return {
    channel,
    sent,
    receive: (message) => {
      for (const listener of listeners) listener(message);
    },
    enter: (state) => {
      for (const listener of states) listener(state);
    },
  };
}
