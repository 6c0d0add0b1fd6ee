import { once } from "node:events";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { type WebSocket as ServerSocket, WebSocketServer } from "ws";
import { Admission } from "../../../extensions/proxy/engine-thread/channel/admission.ts";
import { WindowKeys } from "../../../extensions/proxy/storage/window-keys.ts";
import type { ChannelState } from "../../../src/ui/channel/channel.ts";
import { SocketChannel } from "../../../src/ui/channel/socket.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const ORIGIN = "http://127.0.0.1:8687";

/** A server on a free port, and a channel to it; `next` waits until the channel enters that state again. */
async function stage(ticket: string | null = "secret") {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  let connected = 0;
  let replaced = 0;
  const tickets: string[] = [];
  server.on("connection", () => {
    connected += 1;
  });
  await once(server, "listening");
  const channel = new SocketChannel({
    address: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/channel`,
    ticket,
    origin: ORIGIN,
    keep: (kept) => tickets.push(kept),
    replaced: () => {
      replaced += 1;
    },
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
    /** Tickets that the page stored for a reload. */
    tickets,
    replacements: () => replaced,
    server,
    client: async () => (await once(server, "connection"))[0] as ServerSocket,
    /** Closes both for good, with the code after which no page reconnects. */
    async stop() {
      for (const client of server.clients) client.close(4403);
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("the socket channel", (test) => {
  test("given an accepted ticket, sends the ticket as its first message and then carries messages both ways", async () => {
    const { channel, client, next, stop } = await stage();
    const arrived = new Promise((resolve) => channel.onMessage(resolve));
    const opened = next("open");
    const connected = client();
    channel.connect();
    const socket = await connected;
    assert.equal(JSON.parse(String((await once(socket, "message"))[0])), {
      type: "hello",
      ticket: "secret",
      keyed: true,
    });
    await opened;
    channel.send({ type: "unsubscribe", subscription: 3 });
    assert.equal(JSON.parse(String((await once(socket, "message"))[0])), { type: "unsubscribe", subscription: 3 });
    socket.send('{"type":"reply","number":1,"ok":true,"value":null}');
    assert.equal(await arrived, { type: "reply", number: 1, ok: true, value: null });
    const closed = next("closed");
    await stop();
    await closed;
  });

  test("given a lost connection, reconnects without being asked", async () => {
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

  test("given no ticket, opens no connection and ends up in the closed state", async () => {
    const { channel, states, connections, stop } = await stage(null);
    channel.connect();
    channel.send({ type: "unsubscribe", subscription: 3 });
    assert.equal(states, ["connecting", "closed"]);
    await new Promise((resolve) => setImmediate(resolve));
    await stop();
    assert.is(connections(), 0);
  });

  test("given an engine that exits, says its reason, and reconnects to a later start by its key", () =>
    withFolder(async (folder) => {
      const { channel, next, tickets, replacements, server, stop } = await stage("ticket");
      const start = (ticket: string, version: string) =>
        new Admission({ ticket, keys: new WindowKeys(folder, () => {}), version, now: () => 1 });
      let weir = start("ticket", "1");
      const heard: string[] = [];
      server.on("connection", (socket) => {
        const receive = weir.visitFrom(ORIGIN, true);
        socket.on("message", (data) => {
          heard.push(String(data));
          const { kind, reply = null } = { reply: null, ...receive(String(data)) };
          if (reply !== null) socket.send(reply);
          if (kind === "admitted") socket.send('{"type":"welcome","now":1}');
        });
      });
      const welcomed = () =>
        new Promise<void>((resolve) => channel.onMessage(({ type }) => type === "welcome" && resolve()));
      let arrived = welcomed();
      const stored = async () => {
        while (tickets.length === 0) await new Promise((resolve) => setImmediate(resolve));
        return tickets.splice(0)[0] ?? "";
      };
      channel.connect();
      await arrived;
      assert.is.not(await stored(), "ticket", "the key's ticket is forgotten");
      for (const version of ["1", "2"]) {
        weir = start(`ticket of version ${version}`, version);
        heard.length = 0;
        arrived = welcomed();
        const lost = next("lost");
        for (const socket of server.clients) socket.send('{"type":"shutdown","reason":"Weir has exited."}');
        await lost;
        let reason = "";
        channel.onState((state) => {
          reason = state.kind === "lost" ? (state.reason ?? "") : "";
        });
        assert.match(reason, /^Weir has exited\. .*reconnects/);
        for (const socket of server.clients) socket.terminate();
        await arrived;
        assert.ok(!heard.join().includes("ticket"), "neither ticket nor key is sent");
        const hello = JSON.stringify({ type: "hello", ticket: await stored() });
        assert.is(weir.visitFrom(ORIGIN, true)(hello).kind, "admitted", "a reload is admitted by the stored ticket");
        assert.is(start("other", "1").visitFrom(ORIGIN, true)(hello).kind, "refused", "in this start alone");
      }
      assert.is(replacements(), 1, "the page of another version is loaded anew");
      const closed = next("closed");
      server.removeAllListeners("connection");
      server.on("connection", (refusing) => refusing.close(4403));
      for (const socket of server.clients) socket.terminate();
      await closed;
      await stop();
    }));

  test("given a stranger at its address, sends it no proof and no ticket", () =>
    withFolder(async (folder) => {
      const { channel, client, server, next, stop } = await stage("ticket");
      const keys = new WindowKeys(folder, () => {});
      const admission = new Admission({ ticket: "ticket", keys, version: "1", now: () => 1 });
      const first = client();
      const opened = next("open");
      channel.connect();
      const socket = await first;
      socket.send(JSON.stringify(replyTo(admission, String((await once(socket, "message"))[0]))));
      await opened;
      // The key is there once it can be derived; until then a reconnect would use the ticket.
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      const heard: string[] = [];
      const gone = new Promise<void>((resolve) =>
        server.on("connection", (stranger) => {
          stranger.on("message", (data) => heard.push(String(data)));
          stranger.on("close", () => resolve());
          stranger.send(JSON.stringify({ type: "challenge", nonce: "n".repeat(43), proof: "p".repeat(43) }));
        }),
      );
      socket.terminate();
      await gone;
      assert.is(heard.length, 1);
      assert.equal(Object.keys(JSON.parse(heard[0] ?? "{}")), ["type", "key", "nonce"]);
      const closed = next("closed");
      server.removeAllListeners("connection");
      server.on("connection", (refusing) => refusing.close(4403));
      await closed;
      await stop();
    }));

  test("given messages sent before the connection is open, drops them without throwing", async () => {
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

function replyTo(admission: Admission, text: string): unknown {
  const result = admission.visitFrom(ORIGIN, true)(text);
  return JSON.parse((result.kind === "refused" ? null : result.reply) ?? "null");
}
