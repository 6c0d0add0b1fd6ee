import { createHash, randomBytes } from "node:crypto";
import * as assert from "uvu/assert";
import type { CaptureEvent, Side } from "../../../../../src/engine/capture/event.ts";
import { get, request } from "../../../../support/absolute-form.ts";
import { describe } from "../../../../support/describe.ts";
import { withinLoopTime } from "../../../../support/loop-time.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { rounds } from "../../../../support/rounds.ts";
import { standstill } from "../../../../support/standstill.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

/** The number of bodies sent to test docs/security.md F9. */
const MANY = rounds(1_000);

function hash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Bytes as chunks of random lengths, some with an extension. */
function chunked(bytes: Buffer, trailers = ""): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + Math.floor(Math.random() * 5_000);
    const piece = bytes.subarray(at, at + length);
    const extension = at % 3 === 0 ? ";q=1" : "";
    pieces.push(Buffer.from(`${piece.length.toString(16)}${extension}\r\n`), piece, Buffer.from("\r\n"));
    at += length;
  }
  return Buffer.concat([...pieces, Buffer.from(`0\r\n${trailers}\r\n`)]);
}

/** Hashes of the captured bodies of consecutive exchanges. */
function capturedBodies(events: readonly CaptureEvent[]): Record<Side, string[]> {
  const hashes: Record<Side, string[]> = { request: [], response: [] };
  const pieces: Record<Side, Uint8Array[]> = { request: [], response: [] };
  for (const event of events) {
    if (event.type === "body-captured") pieces[event.side].push(event.bytes);
    if (event.type !== "exchange-ended") continue;
    for (const side of ["request", "response"] as const) hashes[side].push(hash(Buffer.concat(pieces[side].splice(0))));
  }
  return hashes;
}

describe("relay of bodies", (test) => {
  test("given chunks, extensions and trailers, forwards them byte for byte and captures only the body", () =>
    withProxy({}, async (proxy) => {
      const body = randomBytes(60_000);
      const wire = chunked(body, "X-Sum: 1\r\nx-Sum:2\r\n");
      const server = await proxy.server(async (peer) => {
        await peer.head();
        assert.equal(await peer.bytes(wire.length), wire);
        peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n");
        peer.send(wire);
      });
      const client = await RawPeer.to(proxy.port);
      client.send(request("POST", server.port, "/", "Transfer-Encoding: chunked"));
      client.send(wire);
      await client.head();
      assert.is(hash(await client.bytes(wire.length)), hash(wire));
      const row = await proxy.traffic.row(0);
      assert.is(hash(row.requestBody), hash(body));
      assert.is(hash(row.responseBody), hash(body));
      assert.is(row.ended.encodedBodySize, body.length);
      assert.is(row.ended.requestBodySize, body.length);
      client.close();
    }));

  test(`given ${MANY} bodies of all sizes and framings over TLS, delivers and captures them unchanged both ways`, () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(async (peer) => {
        for (;;) {
          const head = await peer.head();
          const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
          const body = Buffer.from(await peer.bytes(length));
          if (length % 2 === 0) {
            peer.send(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`);
            peer.send(body);
          } else {
            peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            peer.send(chunked(body));
          }
        }
      });
      const client = await RawPeer.secure(proxy.port, `d.test:${server.port}`, proxy.clientCa);
      const sent: string[] = [];
      for (let index = 0; index < MANY; index += 1) {
        const body = randomBytes(Math.floor(Math.random() ** 8 * 300_000));
        sent.push(hash(body));
        client.send(`POST / HTTP/1.1\r\nHost: d.test\r\nContent-Length: ${body.length}\r\n\r\n`);
        client.send(body);
        const head = await client.head();
        if (head.includes("Content-Length")) assert.is(hash(await client.bytes(body.length)), hash(body));
        else await client.until("\r\n0\r\n\r\n");
      }
      client.close();
      const seen = capturedBodies(proxy.traffic.events);
      assert.equal(seen.request, sent);
      assert.equal(seen.response, sent);
    }));

  test("given a body that ends with the server's connection, ends the client's connection too", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nto the end");
        peer.socket.end();
      });
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port));
      assert.match((await client.rest()).toString(), /Connection: close\r\n\r\nto the end$/);
      assert.is(await client.over, "end");
      assert.equal((await proxy.traffic.row(0)).ended.outcome, { kind: "responded", status: 200 });
    }));

  test("given a chunked response for an HTTP/1.0 client, delivers the body without chunks", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        assert.match(await peer.head(), `GET / HTTP/1.1\r\nHost: a.test:${server.port}\r\n`);
        peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
      });
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.0\r\n\r\n`);
      const answer = (await client.rest()).toString();
      assert.match(answer, /\r\n\r\nabcde$/);
      assert.not.match(answer, "chunked");
      assert.is((await proxy.traffic.row(0)).started.protocol, "http/1.0");
    }));

  test("given a response before the request's end, delivers it and keeps both connections", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send(ok("early"));
        await peer.bytes(10);
        await peer.head();
        peer.send(ok("later"));
      });
      const client = await RawPeer.to(proxy.port);
      client.send(request("POST", server.port, "/", "Content-Length: 10"));
      assert.not.match(await client.until("early"), /close/i);
      client.send("0123456789");
      client.send(get(server.port));
      await client.until("later");
      await proxy.traffic.row(1);
      assert.is(server.peers.length, 1);
      client.close();
    }));

  test("given 100 streamed events, delivers each within 20 ms (docs/security.md F10) and tags the row", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
      });
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port));
      await client.head();
      const peer = await server.peer(0);
      for (let index = 0; index < 100; index += 1) {
        const event = `data: ${100 + index}\n`;
        peer.send(`a\r\n${event}\r\n`);
        assert.is(await withinLoopTime(20, client.until("\n\r\n")), `a\r\n${event}\r\n`);
      }
      peer.send("0\r\n\r\n");
      assert.equal((await proxy.traffic.row(0)).ended.tags, ["event-stream"]);
      client.close();
    }));

  test(
    "given a client that reads nothing, pauses the server instead of buffering the body",
    () =>
      withProxy({ settings: { bodyCap: 0 } }, async (proxy) => {
        const size = 64 * 1024 * 1024;
        const piece = Buffer.alloc(64 * 1024);
        let sent = 0;
        const server = await proxy.server(async (peer) => {
          await peer.head();
          peer.send(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
          const more = (): void => {
            while (sent < size) {
              sent += piece.length;
              if (!peer.socket.write(piece)) return;
            }
          };
          peer.socket.on("drain", more);
          more();
        });
        const client = await RawPeer.to(proxy.port);
        client.socket.pause();
        client.send(get(server.port));
        const peer = await server.peer(0);
        await standstill(() => sent);
        assert.ok(sent < 32 * 1024 * 1024, `${sent} bytes were taken from the server`);
        let arrived = 0;
        client.socket.removeAllListeners("data");
        client.socket.on("data", (bytes) => {
          arrived += bytes.length;
        });
        client.socket.resume();
        const row = await proxy.traffic.row(0);
        assert.is(row.ended.encodedBodySize, size);
        assert.is(row.responseBody.length, 0);
        while (arrived < size) await new Promise((resolve) => client.socket.once("data", resolve));
        peer.close();
        client.close();
      }),
    { isLong: true },
  );

  test("given a body over the capture limit, captures its beginning and counts all bytes", () =>
    withProxy({ settings: { bodyCap: 1_000 } }, async (proxy) => {
      const server = await proxy.server(answering(() => ok("x".repeat(5_000))));
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port));
      const row = await proxy.traffic.row(0);
      assert.is(row.responseBody.length, 1_000);
      assert.is(row.ended.encodedBodySize, 5_000);
      client.close();
    }));
});
