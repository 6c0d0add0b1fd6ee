import { once } from "node:events";
import type { ServerHttp2Stream } from "node:http2";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { HeldClock } from "../../../../support/held-clock.ts";
import { END_HEADERS, END_STREAM, fields, frame, frameThat, PREFACE, TYPES } from "../../../../support/http2-frames.ts";
import { type Http2Server, http2Server } from "../../../../support/http2-server.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

/** RFC 9113, 6.9.2: bytes that a response may send before the receiver reads any. */
const WINDOW = 65_535;

/** A client's connection, and what its server has received over it. */
interface Stage {
  readonly client: RawPeer;
  readonly taken: Promise<ServerHttp2Stream>;
}

/** `client` has sent the preface; each step sends more. `rows`: the number of exchanges at that point. */
const MOMENTS: readonly {
  readonly title: string;
  readonly rows: number;
  readonly reach: (stage: Stage) => unknown;
}[] = [
  { title: "after its greeting", rows: 0, reach: () => {} },
  { title: "within a frame's header", rows: 0, reach: ({ client }) => client.send(whole("/hold").subarray(0, 5)) },
  { title: "within a frame", rows: 0, reach: ({ client }) => client.send(whole("/hold").subarray(0, 20)) },
  {
    title: "between a head and its continuation",
    rows: 0,
    reach: ({ client }) => client.send(frame("headers", END_STREAM, 1, block("GET", "/hold"))),
  },
  {
    title: "while waiting for the response",
    rows: 1,
    reach: async ({ client, taken }) => {
      client.send(whole("/hold"));
      await taken;
    },
  },
  {
    title: "within its request body",
    rows: 1,
    reach: async ({ client, taken }) => {
      client.send(Buffer.concat([begun("/hold"), frame("data", 0, 1, "part")]));
      await once(await taken, "data");
    },
  },
  {
    title: "within a frame of its request body",
    rows: 1,
    reach: async ({ client, taken }) => {
      client.send(Buffer.concat([begun("/hold"), frame("data", 0, 1, "part").subarray(0, 11)]));
      await once(await taken, "data");
    },
  },
  {
    title: "within the response",
    rows: 1,
    reach: async ({ client }) => {
      client.send(whole("/trickle"));
      await client.until("drop");
    },
  },
  {
    title: "with a response that the client has stopped reading",
    rows: 1,
    reach: async ({ client }) => {
      client.send(whole("/flood"));
      await client.bytes(WINDOW);
    },
  },
  {
    title: "within its request body, after the response",
    rows: 1,
    reach: async ({ client }) => {
      client.send(Buffer.concat([begun("/early"), frame("data", 0, 1, "part")]));
      await client.until("early");
    },
  },
];

const WAYS: readonly (readonly [title: string, leave: (client: RawPeer) => void])[] = [
  ["by a reset", ({ socket }) => socket.resetAndDestroy()],
  ["by a half-close", ({ socket }) => socket.end()],
  ["by a close", ({ socket }) => socket.destroy()],
];

function block(method: string, path: string): Buffer {
  return fields([":method", method], [":scheme", "http"], [":authority", "a.test"], [":path", path]);
}

function whole(path: string): Buffer {
  return frame("headers", END_HEADERS | END_STREAM, 1, block("GET", path));
}

function begun(path: string): Buffer {
  return frame("headers", END_HEADERS, 1, block("POST", path));
}

/** Serves what the moments request; `taken`: its first stream. */
async function withServer(
  proxy: TestProxy,
  body: (server: Http2Server & { readonly taken: Promise<ServerHttp2Stream> }) => Promise<void>,
): Promise<void> {
  let take: (stream: ServerHttp2Stream) => void = () => {};
  const taken = new Promise<ServerHttp2Stream>((resolve) => {
    take = resolve;
  });
  const server = await http2Server(
    proxy,
    (stream, headers) => {
      take(stream);
      if (headers[":path"] === "/hold") return;
      stream.respond({ ":status": 200 });
      if (headers[":path"] === "/trickle") stream.write("drop");
      else if (headers[":path"] === "/flood") stream.end(Buffer.alloc(8_000_000));
      else stream.end("early");
    },
    { clear: true },
  );
  try {
    await body({ ...server, taken });
  } finally {
    await server.stop();
  }
}

async function greeted(proxy: TestProxy, port: number): Promise<RawPeer> {
  const client = await RawPeer.tunnel(proxy.port, `a.test:${port}`);
  client.send(Buffer.concat([PREFACE, frame("settings", 0, 0)]));
  await frameThat(client, ({ type }) => type === TYPES.settings);
  return client;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("HTTP/2 clients that disconnect", (test) => {
  for (const { title, rows, reach } of MOMENTS) {
    for (const [how, leave] of WAYS) {
      test(`given a client that breaks off ${title}, ${how}, leaves no stream, session or socket`, () =>
        withProxy({ limits: { upstreamIdle: 50, linger: 50 } }, (proxy) =>
          withServer(proxy, async ({ port, sessions, taken }) => {
            const client = await greeted(proxy, port);
            await reach({ client, taken });
            leave(client);
            await until(() => proxy.listener.connections === 0);
            if (rows > 0) await until(() => sessions.length > 0 && sessions.every(({ destroyed }) => destroyed));
            if (rows > 0) assert.ok((await taken).destroyed);
            assert.is(proxy.traffic.rows.length, rows);
            assert.is(proxy.traffic.events.filter(({ type }) => type === "request-started").length, rows);
          }),
        ));
    }
  }

  test("given a client that sends GOAWAY while waiting, delivers its response and closes the connection", () =>
    withProxy({ limits: { upstreamIdle: 50, linger: 50 } }, (proxy) =>
      withServer(proxy, async ({ port, sessions, taken }) => {
        const client = await greeted(proxy, port);
        client.send(whole("/hold"));
        const stream = await taken;
        client.send(frame("goaway", 0, 0, Buffer.alloc(8)));
        // The reply shows that the bytes before the PING were read.
        client.send(frame("ping", 0, 0, Buffer.alloc(8)));
        await frameThat(client, ({ type }) => type === TYPES.ping);
        stream.respond({ ":status": 200 });
        stream.end("late");
        await client.until("late");
        await until(() => proxy.listener.connections === 0 && sessions.every(({ destroyed }) => destroyed));
        assert.equal((await proxy.traffic.row(0)).ended.outcome, { kind: "responded", status: 200 });
      }),
    ));

  test("given a client that sends half a head and then nothing, closes the connection without a row", () => {
    const clock = new HeldClock();
    return withProxy({ clock, limits: { idle: 50, linger: 50 } }, (proxy) =>
      withServer(proxy, async ({ port }) => {
        const client = await greeted(proxy, port);
        // The reply shows that these bytes were read.
        client.send(Buffer.concat([frame("ping", 0, 0, Buffer.alloc(8)), whole("/hold").subarray(0, 20)]));
        assert.ok(await frameThat(client, ({ type }) => type === TYPES.ping));
        clock.release();
        await until(() => proxy.listener.connections === 0);
        assert.equal(proxy.traffic.events, []);
      }),
    );
  });
});
