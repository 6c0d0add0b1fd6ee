import * as assert from "uvu/assert";
import { READ_TURN } from "../../../../../extensions/proxy/data-thread/network/sockets/read-turn.ts";
import { request } from "../../../../support/absolute-form.ts";
import { describe } from "../../../../support/describe.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { inShortSlices } from "../../../../support/short-slices.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

function withSlices(body: (proxy: TestProxy) => Promise<unknown>): Promise<void> {
  return inShortSlices(() => withProxy({}, body));
}

const SWITCHED = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
/** Framing and body of small responses. */
const BODIES = [
  "Content-Length: 0\r\n\r\n",
  "Content-Length: 5\r\n\r\nhello",
  "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n",
];
const UPGRADE = ["Connection: Upgrade", "Upgrade: websocket"];

describe("time-sliced body parsing", (test) => {
  test("given chunks of one byte, a response that its server ends with its connection arrives whole", () =>
    withSlices(async (proxy) => {
      const count = 2_000;
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${"1 \r\nx\r\n".repeat(count)}0\r\n\r\n`);
        peer.socket.end();
      });
      const client = await RawPeer.to(proxy.port);
      client.send(request("GET", server.port));
      await client.head();
      assert.is(await client.until("0\r\n\r\n"), `${"1\r\nx\r\n".repeat(count)}0\r\n\r\n`);
      const row = await proxy.traffic.row(0);
      assert.equal(row.ended.outcome, { kind: "responded", status: 200 });
      assert.is(row.responseBody.length, count);
      client.close();
    }));

  test("given chunks of one byte, a response that its server cuts off is truncated after its last chunk", () =>
    withSlices(async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(2_000)}`);
        peer.socket.end();
      });
      const client = await RawPeer.to(proxy.port);
      client.send(request("GET", server.port));
      const received = (await client.rest()).toString("latin1");
      assert.ok(received.endsWith(`\r\n\r\n${"1\r\nx\r\n".repeat(2_000)}`));
      const { ended } = await proxy.traffic.row(0);
      assert.is(ended.outcome.kind === "failed" ? ended.outcome.errorType : "", "response-truncated");
    }));

  test("given events of seven bytes, a piece of 64 KiB is read in many slices, and each event is recorded", () =>
    withSlices(async (proxy) => {
      const count = 9_000;
      const body = "data:\n\n".repeat(count);
      const { later } = READ_TURN;
      let slices = 0;
      READ_TURN.later = (work) => {
        slices += 1;
        later.call(READ_TURN, work);
      };
      try {
        const server = await proxy.server(async (peer) => {
          await peer.head();
          peer.send(
            `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
          );
          peer.socket.end();
        });
        const client = await RawPeer.to(proxy.port);
        client.send(request("GET", server.port));
        await client.head();
        assert.is((await client.bytes(body.length)).toString("latin1"), body);
        const { messages } = await proxy.traffic.row(0);
        assert.is(messages.length, count);
        assert.ok(slices >= body.length / 1_024, `${slices} slices`);
        client.close();
      } finally {
        READ_TURN.later = later;
      }
    }));

  test("given chunks of one byte, an upload arrives whole", () =>
    withSlices(async (proxy) => {
      const wire = `${"1\r\nx\r\n".repeat(2_000)}0\r\n\r\n`;
      const server = await proxy.server(async (peer) => {
        await peer.head();
        assert.is(await peer.until("0\r\n\r\n"), wire);
        peer.send("HTTP/1.1 204 No Content\r\n\r\n");
      });
      const client = await RawPeer.to(proxy.port);
      client.send(request("POST", server.port, "/", "Transfer-Encoding: chunked") + wire);
      assert.match(await client.head(), /^HTTP\/1\.1 204/);
      assert.is((await proxy.traffic.row(0)).requestBody.length, 2_000);
      client.close();
    }));

  test("given WebSocket frames of two bytes, all pass untouched and are recorded before the end", () =>
    withSlices(async (proxy) => {
      const pings = "\x89\0".repeat(500);
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send(`${SWITCHED}${pings}`);
        peer.send(`${pings}\x88\0`);
        peer.socket.end();
      });
      const client = await RawPeer.to(proxy.port);
      client.send(request("GET", server.port, "/", ...UPGRADE));
      await client.head();
      assert.is((await client.bytes(2_002)).toString("latin1"), `${pings}${pings}\x88\0`);
      client.socket.end();
      const { messages, ended } = await proxy.traffic.row(0);
      assert.equal(
        messages.map(({ kind }) => kind),
        [...Array.from({ length: 1_000 }, () => "ping"), "close"],
      );
      assert.equal(ended.outcome, { kind: "responded", status: 101 });
    }));
});

describe("fairness between ordinary and costly messages", (test) => {
  test("given turns that are always used up, no request, response or WebSocket message waits for a later one", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        for (let index = 0; index < BODIES.length; index += 1) {
          await peer.head();
          await peer.bytes(index);
          peer.send(`HTTP/1.1 200 OK\r\n${BODIES[index]}`);
        }
        await peer.head();
        peer.send(SWITCHED);
        await peer.bytes(6);
        peer.send("\x81\x02ok\x88\0");
        peer.socket.end();
      });
      const client = await RawPeer.to(proxy.port);
      const { later } = READ_TURN;
      let delays = 0;
      READ_TURN.later = (work) => {
        delays += 1;
        later.call(READ_TURN, work);
      };
      Object.defineProperty(READ_TURN, "isUsedUp", { get: () => true, configurable: true });
      try {
        for (const [index, body] of BODIES.entries()) {
          client.send(request("POST", server.port, "/", `Content-Length: ${index}`) + "b".repeat(index));
          assert.match(await client.head(), /^HTTP\/1\.1 200/);
          await client.bytes(body.length - body.indexOf("\r\n\r\n") - 4);
        }
        client.send(request("GET", server.port, "/", ...UPGRADE));
        await client.head();
        client.send("\x81\x80\0\0\0\0");
        await client.bytes(6);
        client.socket.end();
        await proxy.traffic.row(BODIES.length);
        assert.is(delays, 0);
      } finally {
        READ_TURN.later = later;
        Reflect.deleteProperty(READ_TURN, "isUsedUp");
      }
    }));
});

describe("bodies in tiny chunks", (test) => {
  test("given size lines that need repair, become one event for each 64 chunks", () =>
    withProxy({}, async (proxy) => {
      const count = 20_000;
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${"1 \r\nx\r\n".repeat(count)}0\r\n\r\n`);
      });
      const client = await RawPeer.to(proxy.port);
      client.send(request("GET", server.port));
      await client.until("0\r\n\r\n");
      const row = await proxy.traffic.row(0);
      assert.is(row.responseBody.length, count);
      const events = proxy.traffic.events.filter(({ type }) => type === "body-captured").length;
      // A read of the socket may end within a chunk, which begins a further event.
      assert.ok(events < count / 20, `${events} events for ${count} chunks`);
      client.close();
    }));
});
