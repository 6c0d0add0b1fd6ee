import { mkdir, readdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { ImportedSession } from "../../../extensions/proxy/storage/imported-session.ts";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { openFilesIn } from "./open-files.ts";
import { exchange, moment } from "./story.ts";

const PLENTY = 1024 ** 3;
const FACTS = { name: "checkout.har", startedAt: moment(1), endedAt: moment(500), baseline: true };

describe("imported session", (test) => {
  test("given an import beside a recording, lists it only once it is complete", () =>
    withFolder((folder) => {
      const store = SessionStore.open(folder, PLENTY);
      store.startSession(moment(0));
      store.append(exchange(1));
      const imported = new ImportedSession(store.importTarget(moment(10)));
      imported.append(exchange(1));
      imported.append(exchange(2));
      assert.is(imported.flush(), null);
      assert.is(store.list().length, 1);
      const { revision } = store;
      assert.is(imported.finish(FACTS, { exchanges: 2 }), null);
      store.importFinished();
      assert.ok(store.revision > revision);
      const facts = store.list().find(({ id }) => id === imported.id);
      assert.equal(
        [facts?.state, facts?.name, facts?.exchanges, facts?.imported],
        ["completed", "checkout.har", 2, true],
      );
      assert.equal(store.figuresOf(imported.id), { exchanges: 2 });
      const reader = unwrap(store.openEnded(imported.id));
      assert.is([...reader.events(true)].filter(({ type }) => type === "exchange-ended").length, 2);
      reader.close();
      store.endSession(moment(600), null);
    }));

  test("given an abandoned import, leaves nothing behind", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const imported = new ImportedSession(store.importTarget(moment(10)));
      imported.append(exchange(1));
      imported.flush();
      imported.abandon();
      assert.equal(await readdir(join(folder, "sessions")), []);
      assert.equal(await openFilesIn(folder), []);
    }));

  test(
    "given a body that could not be kept, refuses the import even if the disk works again",
    () =>
      withFolder(async (folder) => {
        const store = SessionStore.open(folder, PLENTY);
        const imported = new ImportedSession(store.importTarget(moment(10)));
        const inTheWay = join(folder, "sessions", `${imported.id}.import`, "session.sqlite");
        await mkdir(inTheWay, { recursive: true });
        for (const number of [1, 2]) imported.append(exchange(number, Buffer.alloc(20 * 1024 ** 2)));
        await rmdir(inTheWay);
        assert.is(imported.flush(), "1 body could not be kept.");
        assert.is(imported.finish(FACTS, {}), "1 body could not be kept.");
        assert.equal(await readdir(join(folder, "sessions")), []);
      }),
    { isLong: true },
  );

  test("given an import whose folder is taken, refuses it with a sentence and leaves nothing behind", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const imported = new ImportedSession(store.importTarget(moment(10)));
      imported.append(exchange(1));
      await mkdir(join(folder, "sessions", imported.id, "in the way"), { recursive: true });
      assert.match(imported.finish(FACTS, {}) ?? "", /ENOTEMPTY|EEXIST|EPERM/);
      assert.equal(await readdir(join(folder, "sessions")), [imported.id]);
    }));

  test("given an import that a crash cut off, removes it at the next start and recovers nothing", () =>
    withFolder(async (folder) => {
      SessionStore.open(folder, PLENTY);
      await mkdir(join(folder, "sessions", "20261120T120000123-1a2b3c.import"));
      const store = SessionStore.open(folder, PLENTY);
      assert.equal([store.notices, store.recovered, store.list()], [[], null, []]);
      assert.equal(await readdir(join(folder, "sessions")), []);
    }));
});
