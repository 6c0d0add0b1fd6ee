import * as assert from "uvu/assert";
import { BodyWriter } from "../../../extensions/proxy/storage/bodies.ts";
import { BodyPlaces } from "../../../extensions/proxy/storage/body-places.ts";
import { NOWHERE } from "../../../extensions/proxy/storage/extents.ts";
import type { PendingExchange } from "../../../extensions/proxy/storage/session-rows.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { idOf, started } from "./story.ts";

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

const piece = (size: number) =>
  ({ type: "body-captured", id: idOf(1), side: "response", bytes: Buffer.alloc(size) }) as const;

/** Allocates extents in that folder; `canWrite`: whether space can be allocated. */
function placing(folder: string, canWrite: boolean) {
  const writer = new BodyWriter(folder, 1024 * MEGABYTE);
  let asked = 0;
  const places = new BodyPlaces(writer, () => {
    asked += 1;
    if (canWrite) writer.write();
    return canWrite;
  });
  const told = { started: started(1), answered: null, ended: null };
  const kept: PendingExchange = { ...told, request: null, response: null, messages: 0, changed: true, hasRow: false };
  const lengths = () => kept.response?.extents.map(({ length }) => length) ?? [];
  return { writer, places, kept, lengths, asked: () => asked };
}

describe("places of bodies", (test) => {
  test("pieces are gathered to 64 KB, and what is left over is placed when it is asked for", () =>
    withFolder((folder) => {
      const { places, kept, lengths, asked } = placing(folder, true);
      for (const size of [40, 23, 1, 10, 5]) places.gather(kept, piece(size * KILOBYTE));
      assert.equal(lengths(), [64 * KILOBYTE]);
      for (const _ of [1, 2]) places.placeAll(kept);
      assert.equal(lengths(), [64 * KILOBYTE, 15 * KILOBYTE]);
      assert.is(places.placeMessage(Buffer.alloc(0)), null);
      assert.is(asked(), 0);
    }));

  test("over 32 MB room is made; where that is not possible each body and message is lost, and counted once", () =>
    withFolder((folder) => {
      for (const canWrite of [true, false]) {
        const { writer, places, kept, lengths, asked } = placing(folder, canWrite);
        for (let megabyte = 1; megabyte <= 34; megabyte += 1) places.gather(kept, piece(MEGABYTE));
        places.placeMessage(Buffer.alloc(MEGABYTE));
        assert.equal(lengths(), Array(34).fill(MEGABYTE));
        const isLost = kept.response?.extents.map(({ segment }) => segment === NOWHERE).lastIndexOf(true) ?? -1;
        assert.equal([isLost, asked()], canWrite ? [-1, 1] : [33, 3]);
        assert.equal(places.lost, canWrite ? { messages: 0, bodies: 0 } : { messages: 1, bodies: 1 });
        writer.close();
      }
    }));
});
