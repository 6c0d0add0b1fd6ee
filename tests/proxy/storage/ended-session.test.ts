import { readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { openSession } from "../../../extensions/proxy/storage/stored-sessions.ts";
import { NO_ANNOTATION } from "../../../src/engine/model/annotation.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { countOf, opened, PLENTY, recorded } from "./small-sessions.ts";
import { exchange, idOf, moment } from "./story.ts";

describe("a session that has ended", (test) => {
  test("dropping exchanges keeps the figures, deleting a session keeps nothing", () =>
    withFolder(async (folder) => {
      const store = recorded(folder, 3);
      const [facts] = store.list();
      const id = facts?.id ?? "";
      store.dropExchanges(id);
      assert.equal((await readdir(join(folder, "sessions", id))).sort(), ["figures.json", "session.json"]);
      assert.equal(store.list(), [{ ...facts, kept: false }]);
      assert.equal(store.figuresOf(id), { endpoints: 3 });
      assert.not(openSession(folder, id).ok);
      store.deleteSession(id);
      assert.equal(store.list(), []);
    }));

  test("links among its files count for themselves, lead nowhere when it is deleted, and stop nothing", () =>
    withFolder(async (folder) => {
      const store = recorded(folder, 3);
      const id = store.list()[0]?.id ?? "";
      const place = join(folder, "sessions", id);
      const before = store.sizeOf(id);
      await writeFile(join(folder, "precious"), Buffer.alloc(1_000_000));
      await symlink(join(folder, "precious"), join(place, "elsewhere"));
      await symlink(join(place, "itself"), join(place, "itself"));
      await symlink(join(folder, "none"), join(place, "session.sqlite-shm"));
      const size = store.sizeOf(id);
      assert.ok(size > before && size < before + 10_000, `${size} after ${before}`);
      store.deleteSession(id);
      assert.equal((await readdir(folder)).sort(), ["precious", "sessions"]);
    }));

  test("what is said of an exchange is there after a restart, also when it is said of an ended session", () =>
    withFolder((folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const id = store.startSession(moment(0));
      store.append(exchange(1));
      store.append(exchange(2));
      store.annotate([
        [idOf(1), { mark: "star", comment: "" }],
        [idOf(2), { mark: null, comment: "look “here”\u0000\n😀" }],
      ]);
      store.endSession(moment(9), null);
      const again = SessionStore.open(folder, PLENTY);
      const reader = opened(folder, id); // stays open: a page shows it
      assert.equal(
        [...reader.annotations()],
        [
          [1, { mark: "star", comment: "" }],
          [2, { mark: null, comment: "look “here”\u0000\n😀" }],
        ],
      );
      assert.is(
        again.annotateEnded(id, [
          [idOf(1), NO_ANNOTATION],
          [idOf(2), { mark: "flag", comment: "later" }],
        ]),
        null,
      );
      reader.close();
      const later = opened(folder, id);
      assert.equal([...later.annotations()], [[2, { mark: "flag", comment: "later" }]]);
      assert.is(countOf(later), 2);
      later.close();
      again.dropExchanges(id);
      assert.match(again.annotateEnded(id, [[idOf(1), NO_ANNOTATION]]) ?? "", /no longer kept/);
    }));
});
