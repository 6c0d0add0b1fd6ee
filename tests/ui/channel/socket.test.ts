import { once } from "node:events";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { type WebSocket as ServerSocket, WebSocketServer } from "ws";
import type { FromEngine } from "../../../src/engine/messages/messages.ts";
import type { ChannelState } from "../../../src/ui/channel/channel.ts";
import { SocketChannel } from "../../../src/ui/channel/socket.ts";
import { describe } from "../../support/describe.ts";

/** A server on a free port, and a channel to it; `next` waits until the channel enters that state again. */
async function stage(ticket: string | null = "secret") {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  let connected = 0;
  server.on("connection", () => {
    connected += 1;
  });
  await once(server, "listening");
  const channel = new SocketChannel({
    address: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/channel`,
    ticket,
  });
  const states: ChannelState["kind"][] = [];
  const waiting: { kind: ChannelState["kind"]; resolve: () => void }[] = [];
  channel.onState(({ kind }) => {
    states.push(kind);
    for (const each of waiting.splice(0)) {
      if (each.kind === kind) each.resolve();
      else waiting.push(each);
    }
  });
  return {
    channel,
    states,
    next: (kind: ChannelState["kind"]) => new Promise<void>((resolve) => waiting.push({ kind, resolve })),
    connections: () => connected,
    client: async () => (await once(server, "connection"))[0] as ServerSocket,
    /** Closes both for good, with the code after which no page reconnects. */
    async stop() {
      for (const client of server.clients) client.close(4403);
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("the socket channel", (test) => {
  test("the ticket is the first message, and then messages flow both ways", async () => {
    const { channel, client, next, stop } = await stage();
    const arrived = new Promise((resolve) => channel.onMessage(resolve));
    const opened = next("open");
    const connected = client();
    channel.connect();
    const socket = await connected;
    assert.equal(JSON.parse(String((await once(socket, "message"))[0])), { type: "hello", ticket: "secret" });
    await opened;
    channel.send({ type: "unsubscribe", subscription: 3 });
    assert.equal(JSON.parse(String((await once(socket, "message"))[0])), { type: "unsubscribe", subscription: 3 });
    socket.send('{"type":"reply","number":1,"ok":true,"value":null}');
    assert.equal(await arrived, { type: "reply", number: 1, ok: true, value: null });
    const closed = next("closed");
    await stop();
    await closed;
  });

  test("a lost connection is made again by itself", async () => {
    const { channel, client, next, states, stop } = await stage();
    const first = client();
    const opened = next("open");
    channel.connect();
    const socket = await first;
    await opened;
    const lost = next("lost");
    const second = client();
    const again = next("open");
    socket.terminate();
    await lost;
    await second;
    await again;
    assert.equal(states, ["connecting", "open", "lost", "open"]);
    const closed = next("closed");
    await stop();
    await closed;
  });

  test("without a ticket nothing is tried, and the reason is said", async () => {
    const { channel, states, connections, stop } = await stage(null);
    channel.connect();
    channel.send({ type: "unsubscribe", subscription: 3 });
    assert.equal(states, ["connecting", "closed"]);
    await new Promise((resolve) => setImmediate(resolve));
    await stop();
    assert.is(connections(), 0);
  });

  test("an engine that says farewell is not looked for any more, and its reason is what is said", async () => {
    const { channel, client, next, states, stop } = await stage();
    const heard: FromEngine[] = [];
    channel.onMessage((message) => heard.push(message));
    const first = client();
    const opened = next("open");
    channel.connect();
    const socket = await first;
    await opened;
    const closed = next("closed");
    socket.send('{"type":"shutdown","reason":"Weir has exited."}');
    await closed;
    let reason = "";
    channel.onState((state) => {
      reason = state.kind === "closed" ? state.reason : "";
    });
    assert.equal([reason, heard], ["Weir has exited.", []]);
    // Closes its connection with a code after which a page reconnects.
    const gone = once(socket, "close");
    socket.terminate();
    await gone;
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(states, ["connecting", "open", "closed"]);
    await stop();
  });

  test("what is sent while there is no connection goes nowhere, and nothing is thrown", async () => {
    const { channel, next, stop } = await stage();
    channel.send({ type: "unsubscribe", subscription: 1 });
    const opened = next("open");
    channel.connect();
    channel.send({ type: "unsubscribe", subscription: 2 });
    await opened;
    const closed = next("closed");
    await stop();
    await closed;
  });
});
