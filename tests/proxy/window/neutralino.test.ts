import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { type WebSocket, WebSocketServer } from "ws";
import type { UiSocket } from "../../../extensions/proxy/engine-thread/channel/loopback.ts";
import { NeutralinoChannel } from "../../../extensions/proxy/window/neutralino.ts";
import { describe } from "../../support/describe.ts";

/** A call of the native process by the extension. */
interface Call {
  readonly id: string;
  readonly method: string;
  readonly accessToken: string;
  readonly data: unknown;
}

/** The native process's end of the socket, controlled by the test, and the extension's end. */
async function connected(
  act: (stage: {
    readonly channel: NeutralinoChannel;
    readonly request: IncomingMessage;
    readonly native: WebSocket;
    /** Sends messages of the native process; resolves once all have been read. */
    tell(...messages: readonly unknown[]): Promise<void>;
    called(): Promise<Call>;
    readonly pages: UiSocket[];
    readonly seen: string[];
    readonly gone: Promise<void>;
  }) => Promise<void>,
): Promise<void> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const pages: UiSocket[] = [];
  const seen: string[] = [];
  let leave = () => {};
  const gone = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const connection = { port, extensionId: "weir.proxy", token: "the token", connectToken: "a/b c" };
  const both = once(server, "connection");
  const opened = new Promise<NeutralinoChannel>((resolve) => {
    const channel = new NeutralinoChannel(connection, {
      onOpen: () => resolve(channel),
      onPage: (page) => {
        const number = pages.push(page);
        page.onMessage((text) => seen.push(`page ${number}: ${text}`));
        page.onClose(() => seen.push(`page ${number} left`));
      },
      onMenu: (id) => seen.push(`menu ${id}`),
      onMaximized: () => seen.push("maximized"),
      onPageLost: () => seen.push("lost"),
      backWithin: 20,
      onGone: () => {
        seen.push("gone");
        leave();
      },
    });
    channel.call("app.exit", "before it is open");
  });
  const [native, request] = (await both) as [WebSocket, IncomingMessage];
  const channel = await opened;
  const calls: Call[] = [];
  let arrived = () => {};
  native.on("message", (data) => {
    calls.push(JSON.parse(String(data)));
    arrived();
  });
  const called = async (): Promise<Call> => {
    for (;;) {
      const call = calls.shift();
      if (call !== undefined) return call;
      await new Promise<void>((resolve) => {
        arrived = resolve;
      });
    }
  };
  const tell = async (...messages: readonly unknown[]) => {
    for (const message of messages) native.send(JSON.stringify(message));
    native.ping();
    await once(native, "pong");
  };
  try {
    await act({ channel, request, native, tell, called, pages, seen, gone });
  } finally {
    channel.close();
    await gone;
    server.close();
  }
}

const fromPage = (data: unknown) => ({ event: "weir.toEngine", data });
const hello = fromPage('{"type":"hello","ticket":""}');

describe("Neutralino socket", (test) => {
  test("given a name and token, opens the extension's socket with them, and calls native methods with ids of their own", () =>
    connected(async ({ channel, request, called }) => {
      const { searchParams } = new URL(request.url ?? "", "http://native");
      assert.equal(
        [...searchParams],
        [
          ["extensionId", "weir.proxy"],
          ["connectToken", "a/b c"],
        ],
      );
      channel.call("window.show", {});
      channel.call("window.focus", { a: 1 });
      const [first, second] = [await called(), await called()];
      assert.equal(
        [first, second].map(({ method, accessToken, data }) => [method, accessToken, data]),
        [
          ["window.show", "the token", {}],
          ["window.focus", "the token", { a: 1 }],
        ],
      );
      assert.is.not(first.id, second.id);
    }));

  test("given replies in any order, hands each what a native method returns to who asked; null if it failed", () =>
    connected(async ({ channel, tell, called }) => {
      const asked = ["window.getSize", "window.isMaximized", "window.getPosition"].map((method) => channel.ask(method));
      const [size, isMaximized, position] = [await called(), await called(), await called()];
      await tell(
        { id: position.id, method: position.method, data: { error: { code: "NE_RT_NATPRME", message: "" } } },
        { id: "unknown", data: { success: true, returnValue: 7 } },
        { id: isMaximized.id, data: { success: true, returnValue: false } },
        { id: size.id, data: { success: true, returnValue: { width: 9 } } },
      );
      assert.equal(await Promise.all(asked), [{ width: 9 }, false, null]);
    }));

  test("given a page that goes and is not back in time, says so; not if it is back, or another page is there", () =>
    connected(async ({ tell, seen }) => {
      await tell(hello, { event: "appClientDisconnect", data: 1 }, { event: "appClientDisconnect", data: 0 }, hello);
      seen.splice(0);
      await tell({ event: "appClientDisconnect", data: 0 });
      while (!seen.includes("lost")) await new Promise((resolve) => setTimeout(resolve, 1));
      assert.equal(seen, ["page 2 left", "lost"]);
    }));

  test("given that the user maximized the window, says so", () =>
    connected(async ({ tell, seen }) => {
      await tell({ event: "windowMaximize", data: null });
      assert.equal(seen, ["maximized"]);
    }));

  test("given a page's greeting, its window is connected; given another greeting, that page replaces the one before", () =>
    connected(async ({ tell, called, pages, seen }) => {
      await tell(fromPage("before hello"));
      assert.equal(seen, []);
      await tell(hello, fromPage("one"), hello, fromPage("two"));
      assert.equal(seen.splice(0), ["page 1: one", "page 1 left", "page 2: two"]);
      pages[1]?.send("an answer");
      const { method, data } = await called();
      assert.equal([method, data], ["app.broadcast", { event: "weir.fromEngine", data: "an answer" }]);
    }));

  test("given messages of any kind, reports only clicks on menu entries, by their ids", () =>
    connected(async ({ tell, seen }) => {
      await tell(hello);
      await tell(
        { event: "mainMenuItemClicked", data: { id: "open-hub", text: "Setup Hub" } },
        { event: "mainMenuItemClicked", data: null },
        { event: "mainMenuItemClicked", data: "id" },
        { event: "mainMenuItemClicked", data: {} },
        { event: "windowFocus", data: { id: "no menu" } },
        { event: "windowFocus", data: "text" },
        { event: "weir.toEngine", data: { type: "hello" } },
        { event: "weir.toEngine" },
        { event: 7, data: "text" },
        { id: "1", method: "app.broadcast", data: { success: true } },
        null,
        [],
        "text",
      );
      assert.equal(seen, ["menu open-hub"]);
    }));

  test("given a native process that disconnects, reports its page and itself as gone and calls nothing more", () =>
    connected(async ({ channel, native, tell, seen, gone }) => {
      await tell(hello);
      native.terminate();
      await gone;
      channel.call("window.show", {});
      assert.equal(seen, ["page 1 left", "gone"]);
    }));

  test("given a native process that refuses the connection, reports it as gone", async () => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1", verifyClient: () => false });
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const connection = { port, extensionId: "weir.proxy", token: "", connectToken: "" };
    await new Promise<void>((resolve) => {
      new NeutralinoChannel(connection, { onPage: () => {}, onGone: resolve });
    });
    server.close();
  });
});
