import type { FromEngine } from "../../../src/engine/messages/messages.ts";
import type { NeutralinoConnection } from "../threads.ts";
import { NeutralinoChannel } from "./neutralino.ts";

/** Ms to wait for the page, which usually loads within a second. */
const PATIENCE = 5_000;

/**
 * Tells the window that started us why it gets no engine. Resolves once the reason was sent, the window has closed, or
 * `PATIENCE` is over.
 */
export function notifyShutdown(connection: NeutralinoConnection, reason: string): Promise<void> {
  const notice: FromEngine = { type: "shutdown", reason, startable: false };
  return new Promise((resolve) => {
    const channel = new NeutralinoChannel(connection, {
      onPage: (page) => {
        page.send(JSON.stringify(notice));
        channel.close();
      },
      onGone: () => {
        clearTimeout(limit);
        resolve();
      },
    });
    const limit = setTimeout(() => channel.close(), PATIENCE);
  });
}

/**
 * Closes the window that started us; resolves with whether it was open. Uses `app.killProcess`, because `app.exit` may
 * abort the window. A signal to our parent process is no substitute: the parent need not be the window.
 */
export function closeWindow(connection: NeutralinoConnection): Promise<boolean> {
  let wasThere = false;
  return new Promise((resolve) => {
    const channel = new NeutralinoChannel(connection, {
      onOpen: () => {
        wasThere = true;
        channel.call("app.killProcess", {});
      },
      onPage: () => {},
      onGone: () => resolve(wasThere),
    });
  });
}
