import { Writable } from "node:stream";
import { setImmediate as turnsEnd } from "node:timers/promises";
import * as assert from "uvu/assert";
import { PIECE_WEIGHT, ROOM } from "../../../../../extensions/proxy/data-thread/network/sockets/buffer-budget.ts";
import {
  type Sink,
  WriteBatcher,
  WriteBuffer,
} from "../../../../../extensions/proxy/data-thread/network/sockets/write-buffer.ts";
import { describe } from "../../../../support/describe.ts";

/** A sink that records its writes; all sinks of a test share one record. */
function sink(name: string, heard: string[], writableLength?: number): Sink {
  return {
    ...(writableLength === undefined ? {} : { writableLength }),
    write: (piece) => {
      heard.push(`${name} ${piece.length > 40 ? piece.length : String(piece)}`);
      return true;
    },
    cork: () => {},
    uncork: () => {},
  };
}

/** A batcher of its own, for which time advances only when the test says so. */
function stage() {
  const heard: string[] = [];
  const clock = { now: 0 };
  const turn = new WriteBatcher(() => clock.now);
  const flowTo = (name: string, writableLength?: number): ((text: string) => WriteBuffer) => {
    const outflow = new WriteBuffer(sink(name, heard, writableLength), turn);
    return (text) => {
      outflow.add(text);
      outflow.flushSoon();
      return outflow;
    };
  };
  return { heard, clock, flowTo };
}

describe("write buffer", (test) => {
  test("given several writes in one turn, sends the first at once and the others in order at the turn's end", async () => {
    const { heard, flowTo } = stage();
    const [a, b, c] = [flowTo("a", 0), flowTo("b", 0), flowTo("c", 0)];
    a("one");
    b("two");
    c("three");
    b(", and more");
    a("four");
    assert.equal(heard, ["a one"]);
    await turnsEnd();
    assert.equal(heard, ["a one", "b two, and more", "c three", "a four"]);
  });

  test("given writes in one turn, the first goes out at once by the clock, and the others at the turn's end at the latest", async () => {
    const { heard, clock, flowTo } = stage();
    const [a, b] = [flowTo("a", 0), flowTo("b", 0)];
    a("one");
    clock.now += 0.06;
    b("two");
    assert.equal(heard, ["a one", "b two"]);
    clock.now += 0.04;
    a("three");
    assert.equal(heard.length, 2);
    clock.now += 0.06;
    b("four");
    assert.equal(heard.length, 2, "nobody overtakes who waits");
    await turnsEnd();
    assert.equal(heard.slice(2), ["a three", "b four"]);
  });

  test("given an empty write, sends nothing and does not count as the turn's first", async () => {
    const { heard, flowTo } = stage();
    const [a, b] = [flowTo("a", 0), flowTo("b", 0)];
    const silent = a("");
    b("one");
    assert.equal(heard, ["b one"]);
    silent.add("not yet");
    await turnsEnd();
    assert.equal(heard, ["b one"]);
  });

  test("given a large write, a socket with unsent bytes or a sink that batches by itself, writes at once", async () => {
    const { heard, flowTo } = stage();
    const first = flowTo("first", 0);
    first("x");
    flowTo("large", 0)("y".repeat(16 * 1024 + 1));
    flowTo("full", 1)("one");
    flowTo("stream")("two");
    assert.equal(heard, ["first x", `large ${16 * 1024 + 1}`, "full one", "stream two"]);
  });

  test("given waiting bytes that grow too large, sends them before the turn's end", async () => {
    const { heard, flowTo } = stage();
    const [a, b] = [flowTo("a", 0), flowTo("b", 0)];
    a("x");
    b("y");
    b("z".repeat(16 * 1024));
    assert.equal(heard, ["a x", "b y", `b ${16 * 1024}`]);
  });

  test("given a flush, sends the bytes in order at once and leaves none for the turn's end", async () => {
    const { heard, flowTo } = stage();
    const [a, b] = [flowTo("a", 0), flowTo("b", 0)];
    a("x");
    const out = b("one");
    out.add(", two");
    out.flush();
    assert.equal(heard, ["a x", "b one, two"]);
    await turnsEnd();
    assert.equal(heard.length, 2);
  });

  test("given flushWaiting, sends only bytes that wait for the turn's end", async () => {
    const { heard, flowTo } = stage();
    const [a, b] = [flowTo("a", 0), flowTo("b", 0)];
    const out = a("x");
    out.add("not yet");
    out.flushWaiting();
    const waiting = b("y");
    waiting.flushWaiting();
    assert.equal(heard, ["a x", "b y"]);
  });

  test("given a callback before the flush, runs it once, just before its bytes, or at once if all are sent", async () => {
    const { heard, flowTo } = stage();
    const [a, b] = [flowTo("a", 0), flowTo("b", 0)];
    a("x").beforeFlush(() => heard.push("a's note"));
    b("y").beforeFlush(() => heard.push("b's note"));
    await turnsEnd();
    assert.equal(heard, ["a x", "a's note", "b's note", "b y"]);
    await turnsEnd();
    assert.equal(heard.length, 4);
  });

  test("given bytes that wait in the socket, has room below the limit; without a count, while write returns true", () => {
    const roomOf = (waiting?: number): boolean => {
      const outflow = new WriteBuffer({ ...sink("", [], waiting), write: () => false });
      outflow.add("x");
      return outflow.flush();
    };
    const full = ROOM - PIECE_WEIGHT;
    assert.equal([roomOf(64 * 1024), roomOf(full - 1), roomOf(full), roomOf()], [true, true, false, false]);
  });

  test("given a socket below Node's own mark that may hold no more, tells by a drain when it has sent all", async () => {
    const drained: string[] = [];
    let sent = (): void => {};
    const socket = new Writable({
      highWaterMark: 1024 * 1024,
      write: (_piece, _encoding, done) => {
        sent = done;
      },
    });
    socket.on("drain", () => drained.push("drain"));
    const outflow = new WriteBuffer(socket as unknown as Sink);
    let pieces = 0;
    for (let mayAdd = true; mayAdd; pieces += 1) {
      outflow.add("x");
      mayAdd = outflow.flush();
    }
    assert.ok(pieces > 100 && socket.writableLength < 64 * 1024, `${pieces} pieces`);
    while (drained.length === 0) {
      sent();
      await turnsEnd();
    }
    assert.is(socket.writableLength, 0);
    assert.ok(outflow.hasRoom());
  });

  test("given a socket that sends each piece before the next comes, there is always room", () => {
    const socket = { writableLength: 0, write: () => true, cork: () => {}, uncork: () => {} };
    const outflow = new WriteBuffer(socket);
    for (let piece = 0; piece < (3 * ROOM) / PIECE_WEIGHT; piece += 1) {
      outflow.add("x".repeat(100));
      // The socket encrypts and sends later, so it is never empty right after the write.
      socket.write = () => {
        socket.writableLength = 100;
        return true;
      };
      assert.ok(outflow.flush(), `piece ${piece}`);
      socket.writableLength = 0;
    }
  });

  test("given discarded bytes, neither writes them nor runs their callback", async () => {
    const { heard, flowTo } = stage();
    const [a, b] = [flowTo("a", 0), flowTo("b", 0)];
    a("x");
    const out = b("y");
    out.beforeFlush(() => heard.push("noted"));
    out.discard();
    await turnsEnd();
    assert.equal(heard, ["a x"]);
  });
});
