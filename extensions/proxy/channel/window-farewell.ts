import type { FromEngine } from "../../../src/engine/messages/messages.ts";
import type { NeutralinoConnection } from "../threads.ts";
import { NeutralinoChannel } from "./neutralino.ts";

/** Our choice: a window's page is there within a second; one that never comes is not waited for. */
const PATIENCE = 5_000;

/** Tells the window that started us why it will have no engine. Resolves when it knows, or has gone. */
export function bidFarewell(connection: NeutralinoConnection, reason: string): Promise<void> {
  const farewell: FromEngine = { type: "farewell", reason };
  return new Promise((resolve) => {
    const channel = new NeutralinoChannel(connection, {
      onPage: (page) => {
        page.send(JSON.stringify(farewell));
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
 * Ends the window that started us, once it has our words. `app.exit` may abort it (neutralino.md section 2), and its process
 * need not be our parent; by `app.killProcess` it ends itself at once, on every system. Whether it was there.
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
