import * as assert from "uvu/assert";
import { BatchRooms, newBytes, newFigures, ROOM_BYTES } from "../../../extensions/proxy/channel/batch-rooms.ts";
import { describe } from "../../support/describe.ts";

type Room = ReturnType<BatchRooms["take"]>;

/** As a batch that was packed in it holds it. */
function packedIn({ figures, bytes }: Room) {
  return { figures: figures.subarray(0, 1), words: [], bytes: new Uint8Array(bytes.buffer, 0, 1), others: [] };
}

describe("rooms of batches", (test) => {
  test("one that grew large in either half is not kept, one that grew a little is", () => {
    const { figures, bytes } = new BatchRooms().take();
    const rooms = new BatchRooms();
    rooms.giveBack(packedIn({ figures, bytes: newBytes(4 * ROOM_BYTES) }));
    rooms.giveBack(packedIn({ figures: newFigures((4 * ROOM_BYTES) / Float64Array.BYTES_PER_ELEMENT), bytes }));
    const next = rooms.take();
    assert.is(next.bytes.byteLength, ROOM_BYTES);
    assert.is(next.figures.length, figures.length);
    rooms.giveBack(packedIn({ figures, bytes: newBytes(2 * ROOM_BYTES) }));
    assert.is(rooms.take().bytes.byteLength, 2 * ROOM_BYTES);
  });

  test("only so many are kept", () => {
    const rooms = new BatchRooms();
    const given = Array.from({ length: 100 }, () => rooms.take());
    const memory = new Set(given.map(({ bytes }) => bytes.buffer));
    for (const room of given) rooms.giveBack(packedIn(room));
    const again = given.map(() => rooms.take()).filter(({ bytes }) => memory.has(bytes.buffer));
    assert.is(again.length, 32);
  });
});
