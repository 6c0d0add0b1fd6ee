import { app, init, window as nativeWindow, os } from "@neutralinojs/lib";
import { keepPage } from "./keep-page.ts";
import { type Door, SocketChannel } from "./socket.ts";

/** Milliseconds after which the hub's window is shown even if nothing is drawn, for example without a connection. */
const LATEST = 2_000;

/** Milliseconds in which a page draws an answer. */
const DRAWN = 50;

/** Milliseconds that the hub's window waits for a lost engine before it closes. */
const PATIENCE = 5_000;

/**
 * The channel of the hub in its own native window: the loopback socket. The engine passed the socket's address in this
 * process's environment.
 */
export function nativeHubChannel(): SocketChannel {
  const channel = new SocketChannel(door());
  let isShown = false;
  const show = () => {
    if (!isShown) void nativeWindow.show();
    isShown = true;
  };
  setTimeout(show, LATEST);
  // Shown once the first answer is drawn; before, the window would be empty. A hidden one gets no animation frames.
  channel.onMessage(({ type }) => {
    if (type === "value") setTimeout(show, DRAWN);
  });
  channel.onMessage((message) => {
    if (message.type !== "show-hub") return;
    if (message.target !== null) location.hash = new URLSearchParams({ target: message.target }).toString();
    void nativeWindow.focus();
  });
  let leaving: ReturnType<typeof setTimeout> | undefined;
  channel.onState(({ kind }) => {
    clearTimeout(leaving);
    // A new engine does not know this window, and opens another one.
    if (kind === "lost" || kind === "closed") leaving = setTimeout(() => void app.killProcess(), PATIENCE);
  });
  return channel;
}

async function door(): Promise<Door> {
  keepPage();
  init();
  const [port, ticket] = await Promise.all([os.getEnv("WEIR_UI_PORT"), os.getEnv("WEIR_TICKET")]);
  return { address: `ws://127.0.0.1:${port}/channel`, ticket, origin: location.origin };
}
