import * as assert from "uvu/assert";
import { BodyReading } from "../../../../extensions/proxy/engine-thread/recording/body-reading.ts";
import { SessionStore } from "../../../../extensions/proxy/storage/sessions.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { withFolder } from "../../../support/temporary-folder.ts";
import { answered, ended, moment, piece, started } from "../../storage/story.ts";

/** The smallest cap of a session's bodies. */
const CAP = 1024 ** 2;
const LARGE = Buffer.alloc(0.7 * CAP, "body ");

describe("body reading in pieces", (test) => {
  test("given a body that is deleted while it is read in pieces, says that it was deleted", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, CAP);
      store.startSession(moment(0));
      const capture = (number: number) => {
        store.append([started(number), answered(number), piece(number, LARGE), ended(number)]);
        store.flush();
      };
      const read = async (form: "wire" | "decoded", from: number) => {
        const reader = store.writer?.reader() ?? null;
        if (reader === null) throw new Error("nothing was stored");
        return bodies.piece(reader, exchange({ id: 1 }), "response", form, from, 1_000);
      };
      const bodies = new BodyReading();
      capture(1);
      const first = await read("decoded", 0);
      assert.equal([first.total, first.problem], [LARGE.length, null]);
      capture(2);
      for (const form of ["wire", "decoded"] as const) {
        assert.match((await read(form, 1_000)).problem ?? "", /it was deleted/, form);
      }
      store.endSession(moment(1), null);
    }));
});
