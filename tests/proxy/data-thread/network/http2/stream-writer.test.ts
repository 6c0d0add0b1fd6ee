import { EventEmitter, once } from "node:events";
import { connect, createServer, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { StreamWriter } from "../../../../../extensions/proxy/data-thread/network/http2/stream-writer.ts";
import { BufferBudget, LEAST_ROOM } from "../../../../../extensions/proxy/data-thread/network/sockets/buffer-budget.ts";
import { describe } from "../../../../support/describe.ts";

const PIECE = Buffer.alloc(4 * 1024);

/** A stream to a client that reads nothing until `take`, and everything after. */
async function withStuckStream(run: (stream: ServerHttp2Stream, take: () => void) => Promise<void>): Promise<void> {
  const server = createServer().listen(0, "127.0.0.1");
  const sessions: ServerHttp2Session[] = [];
  server.on("session", (session) => sessions.push(session));
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = connect(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: 0 } });
  try {
    const [[stream]] = await Promise.all([
      once(server, "stream") as Promise<[ServerHttp2Stream]>,
      Promise.resolve(
        client
          .request({ ":path": "/" })
          .on("error", () => {})
          .resume(),
      ),
    ]);
    stream.on("error", () => {});
    stream.respond({ ":status": 200 });
    await run(stream, () => client.settings({ initialWindowSize: 1024 * 1024 }));
  } finally {
    client.destroy();
    for (const session of sessions) session.destroy();
    server.close();
  }
}

/** Writes until the stream is full; returns the bytes written. */
function filled(writer: StreamWriter): number {
  let written = 0;
  do {
    writer.write(PIECE);
    written += PIECE.length;
  } while (writer.hasRoom());
  return written;
}

describe("HTTP/2 stream writer", (test) => {
  test("given a stream that closes with unread bytes, its budgets count nothing of it", () =>
    withStuckStream(async (stream) => {
      const budget = new BufferBudget();
      filled(new StreamWriter(stream, () => {}, budget));
      assert.ok(budget.total > 0);
      const closed = once(stream, "close");
      stream.destroy();
      await closed;
      assert.is(budget.total, 0);
    }));

  test("given a client that reads nothing, counts the bytes as held, and signals room once they are read", () =>
    withStuckStream(async (stream, take) => {
      const budget = new BufferBudget();
      const signal = new EventEmitter();
      const writer = new StreamWriter(stream, () => signal.emit("drained"), budget);
      const written = filled(writer);
      assert.ok(writer.held >= written, `${writer.held} of ${written}`);
      assert.is(budget.total, writer.held);
      const drained = once(signal, "drained");
      take();
      await drained;
      assert.ok(writer.hasRoom());
      assert.is(budget.total, 0);
    }));

  test("given a spent budget, holds the least room and one piece, and goes on once that is taken", () =>
    withStuckStream(async (stream, take) => {
      const budget = new BufferBudget(0);
      budget.count({ held: 1 });
      const signal = new EventEmitter();
      const writer = new StreamWriter(stream, () => signal.emit("drained"), budget);
      assert.ok(filled(writer) <= LEAST_ROOM + PIECE.length);
      const drained = once(signal, "drained");
      take();
      await drained;
    }));

  test("given two budgets, is full as soon as one of them is spent, and counts in both", () =>
    withStuckStream(async (stream) => {
      const [ample, spent] = [new BufferBudget(), new BufferBudget(0)];
      spent.count({ held: 1 });
      for (const budgets of [
        [ample, spent],
        [spent, ample],
      ]) {
        const writer = new StreamWriter(stream, () => {}, ...budgets);
        assert.ok(filled(writer) <= LEAST_ROOM + PIECE.length);
      }
      assert.is(spent.total, ample.total + 1);
    }));

  test("given small parts of large reads, keeps the memory of few of those reads", () =>
    withStuckStream(async (stream) => {
      const written: Buffer[] = [];
      const write = stream.write.bind(stream);
      stream.write = ((bytes: Buffer, sent: () => void) => {
        written.push(bytes);
        return write(bytes, sent);
      }) as typeof stream.write;
      const writer = new StreamWriter(stream, () => {}, new BufferBudget());
      do writer.write(Buffer.alloc(64 * 1024).subarray(0, 1_000));
      while (writer.hasRoom());
      assert.ok(written.length > 20);
      const kept = written.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
      assert.ok(kept <= 512 * 1024, `${kept} bytes for ${written.length} pieces`);
    }));

  test("given a destroyed stream, counts nothing as held", () =>
    withStuckStream(async (stream) => {
      const budget = new BufferBudget();
      const writer = new StreamWriter(stream, () => assert.unreachable("a destroyed stream has no room"), budget);
      filled(writer);
      const closed = once(stream, "close");
      stream.destroy();
      await closed;
      assert.is(writer.held, 0);
      budget.recount();
      assert.is(budget.total, 0);
    }));
});
