import { once } from "node:events";
import { connect, createServer, type Http2Session, type Http2Stream, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as assert from "uvu/assert";
import { outlives } from "../../../../../extensions/proxy/data-thread/network/http2/session-lifetime.ts";
import { StreamWriter } from "../../../../../extensions/proxy/data-thread/network/http2/stream-writer.ts";
import { BufferBudget } from "../../../../../extensions/proxy/data-thread/network/sockets/buffer-budget.ts";
import { describe } from "../../../../support/describe.ts";

/** The most collections after which an unreachable object must be gone. */
const COLLECTIONS = 20;
const STREAMS = 10;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");
const KEY = Symbol("kHandle");

/** A session that nothing refers to but the function under test; its native object, and a stream's. */
function madeSession(): { readonly session: WeakRef<object>; stream: object | null } {
  const [session, stream] = [{}, {}];
  outlives({ [KEY]: session } as unknown as Http2Session, { [KEY]: stream } as unknown as Http2Stream);
  return { session: new WeakRef(session), stream };
}

/** A session, closed by its client while streams of it hold bytes that the client did not read. */
async function sessionWithUnreadStreams(): Promise<WeakRef<ServerHttp2Session>> {
  const server = createServer();
  const sessions: ServerHttp2Session[] = [];
  const full = new Promise<void>((resolve) => {
    server.on("session", (session) => {
      sessions.push(session);
      const budget = new BufferBudget();
      session.on("error", () => {});
      session.on("stream", (stream) => {
        outlives(session, stream);
        stream.on("error", () => {});
        stream.respond({ ":status": 200 });
        const writer = new StreamWriter(stream, () => {}, budget);
        do writer.write(Buffer.alloc(4 * 1024));
        while (writer.hasRoom());
        if (stream.id === 1 + 2 * (STREAMS - 1)) resolve();
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  client.on("error", () => {});
  for (let stream = 0; stream < STREAMS; stream += 1) client.request().on("error", () => {});
  await full;
  const [session] = sessions.splice(0);
  assert.ok(session);
  const closed = once(session, "close");
  client.destroy();
  await closed;
  server.close();
  return new WeakRef(session);
}

async function collected(): Promise<void> {
  await turn();
  collect();
  await turn();
}

describe("lifetime of an HTTP/2 connection", (test) => {
  test("given a stream that is not freed yet, its session's native object stays; afterwards it goes", async () => {
    const made = madeSession();
    for (let round = 0; round < 3; round += 1) await collected();
    assert.is.not(made.session.deref(), undefined);
    assert.is.not(made.stream, null);
    made.stream = null;
    for (let round = 0; round < COLLECTIONS && made.session.deref() !== undefined; round += 1) await collected();
    assert.is(made.session.deref(), undefined);
  });

  test("given a session that its client closed beside unread bytes, it is freed with its streams", async () => {
    const session = await sessionWithUnreadStreams();
    for (let round = 0; round < COLLECTIONS && session.deref() !== undefined; round += 1) await collected();
    assert.is(session.deref(), undefined);
  });

  test("given no native session and stream, does nothing", () => outlives({} as Http2Session, {} as Http2Stream));
});
