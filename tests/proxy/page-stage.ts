import type { UiSocket } from "../../extensions/proxy/engine-thread/channel/loopback.ts";
import type { UiClientHost } from "../../extensions/proxy/engine-thread/commands/ui-client.ts";
import type { FromEngine, ToEngine } from "../../src/engine/messages/messages.ts";
import type { Session } from "../../src/engine/session/session.ts";
import { instant } from "../support/capture.ts";
import { contextOf } from "../support/recorded.ts";

/** A page's socket, controlled by the test. `onHeard`: called with each message sent to it. */
export function handSocket(onHeard: (message: FromEngine) => void) {
  let say: (text: string) => void = () => {};
  let close: () => void = () => {};
  const socket: UiSocket = {
    send: (text) => onHeard(JSON.parse(text)),
    onMessage: (listener) => {
      say = listener;
    },
    onClose: (listener) => {
      close = listener;
    },
  };
  return {
    socket,
    say: (text: string) => say(text),
    tell: (message: ToEngine) => say(JSON.stringify(message)),
    close: () => close(),
  };
}

/** A command handler over that session. `onCommand` is called with a command's type, and nothing else happens. */
export function handlerOf(session: Session, onCommand: (type: string) => void = () => {}): UiClientHost {
  return {
    attach: () => ({
      context: () => contextOf(session),
      execute: async ({ type }) => onCommand(type),
      close: () => {},
      now: () => instant(0),
    }),
  };
}
