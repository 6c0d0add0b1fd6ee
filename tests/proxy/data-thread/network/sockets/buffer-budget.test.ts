import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  BufferBudget,
  compact,
  LEAST_ROOM,
  PIECE_WEIGHT,
  ROOM,
} from "../../../../../extensions/proxy/data-thread/network/sockets/buffer-budget.ts";
import {
  type Sink,
  WriteBatcher,
  WriteBuffer,
} from "../../../../../extensions/proxy/data-thread/network/sockets/write-buffer.ts";
import { describe } from "../../../../support/describe.ts";
import { drawnBytes } from "../../../../support/drawn-bytes.ts";

/** A socket that accepts nothing until `take`; `cost`: its bytes, and a weight for each piece. */
class FullSocket implements Sink {
  writableLength = 0;
  cost = 0;
  destroyed = false;

  write(piece: string | Buffer): boolean {
    this.writableLength += piece.length;
    this.cost += piece.length + PIECE_WEIGHT;
    return false;
  }

  take(): void {
    this.writableLength = 0;
    this.cost = 0;
  }

  cork(): void {}
  uncork(): void {}
}

/** A peer that reads nothing, and a source that stops when told to. */
function stuckPeer(budget: BufferBudget) {
  const socket = new FullSocket();
  const out = new WriteBuffer(socket, new WriteBatcher(), budget);
  const write = (piece: Buffer): boolean => {
    out.add(piece);
    return out.flush();
  };
  return { socket, write };
}

const sizes = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 64 * 1024 }));

describe("memory budget for peers", (test) => {
  test("given one peer that takes nothing, bounds its bytes and pieces by the room and one read", () => {
    fc.assert(
      fc.property(sizes, (size) => {
        const { socket, write } = stuckPeer(new BufferBudget());
        while (write(Buffer.alloc(size)));
        assert.ok(socket.cost <= ROOM + size + PIECE_WEIGHT, `${socket.cost} for pieces of ${size}`);
      }),
    );
  });

  test("given many peers that take nothing, bounds the sum by the budget and a least room each", () => {
    fc.assert(
      fc.property(fc.array(sizes, { minLength: 1, maxLength: 60 }), (pieces) => {
        const most = 1024 * 1024;
        const budget = new BufferBudget(most);
        const peers = pieces.map((size) => ({ size, ...stuckPeer(budget) }));
        for (const { size, write } of peers) while (write(Buffer.alloc(size)));
        const sum = peers.reduce((total, { socket }) => total + socket.cost, 0);
        const overshoot = LEAST_ROOM + 64 * 1024 + PIECE_WEIGHT;
        assert.ok(sum <= most + ROOM + peers.length * overshoot, `${sum}`);
        assert.is(budget.total, sum);
      }),
    );
  });

  test("given peers that have taken all or are gone, holds nothing", () => {
    const budget = new BufferBudget();
    const [taker, gone] = [stuckPeer(budget), stuckPeer(budget)];
    for (const { write } of [taker, gone]) write(Buffer.alloc(1_000));
    taker.socket.take();
    gone.socket.destroyed = true;
    assert.ok(budget.total > 2_000);
    budget.recount();
    assert.is(budget.total, 0);
  });

  test("given small pieces, hands them to the socket in few", () => {
    const { socket, write } = stuckPeer(new BufferBudget());
    const out = new WriteBuffer(socket);
    for (let count = 0; count < 10_000; count += 1) out.add(Buffer.alloc(7));
    out.add(Buffer.alloc(20_000));
    for (let count = 0; count < 10_000; count += 1) out.add("text");
    out.flush();
    assert.is(socket.writableLength, 130_000);
    assert.ok(socket.cost < 130_000 + 12 * PIECE_WEIGHT);
    assert.not(write(Buffer.alloc(ROOM)));
  });

  test("given a part of a read of any size, compact gives the same bytes in at most twice their memory", () => {
    fc.assert(
      fc.property(drawnBytes(1, 4_096), fc.nat({ max: 64 * 1024 }), (bytes, more) => {
        const read = Buffer.alloc(bytes.length + more);
        read.set(bytes, more);
        const own = compact(read.subarray(more));
        assert.ok(own.equals(bytes));
        assert.ok(own.buffer.byteLength <= 2 * bytes.length);
      }),
    );
  });
});
