import { app, init, window as nativeWindow, os } from "@neutralinojs/lib";
import { keepPage } from "./keep-page.ts";
import { type Door, SocketChannel } from "./socket.ts";

/** Milliseconds that the hub's window waits for a lost engine before it closes. */
const PATIENCE = 5_000;

/**
 * The channel of the hub in its own native window: the loopback socket. The engine passed the socket's address in this
 * process's environment.
 */
export function nativeHubChannel(): SocketChannel {
  const channel = new SocketChannel(door());
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
  void nativeWindow.show();
  const [port, ticket] = await Promise.all([os.getEnv("WEIR_UI_PORT"), os.getEnv("WEIR_TICKET")]);
  return { address: `ws://127.0.0.1:${port}/channel`, ticket, origin: location.origin };
}
