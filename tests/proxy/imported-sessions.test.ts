import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import type { ImportStarted } from "../../src/engine/messages/session-messages.ts";
import { unwrap } from "../../src/engine/model/result.ts";
import { filterOf } from "../../src/engine/session/filter/filter.ts";
import { Matcher } from "../../src/engine/session/filter/matcher.ts";
import { occurringValuesOf } from "../../src/engine/session/lists/occurring-values.ts";
import { describe } from "../support/describe.ts";
import { withFolder } from "../support/temporary-folder.ts";
import { running } from "./running-commands.ts";

const HAR = readFileSync(new URL("../fixtures/har/http1.1-firefox.har", import.meta.url), "utf8");

describe("sessions imported from HAR files", (test) => {
  test("given an import as opened, shows the session and leaves it out of the baseline", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      const progress = await app.importFile(HAR, "opened");
      assert.is(progress.leftOutCount, 0);
      const state = app.shown.state();
      assert.equal([state.kind, state.kind === "stored" && state.session], ["stored", progress.session]);
      assert.is(app.shown.opened?.session.exchanges, progress.exchanges);
      const [record] = app.commands.state().sessions;
      assert.equal([record?.imported, record?.baseline, record?.name], [true, "left-out", "recorded.har"]);
      app.end();
    }));

  test("given entries of two pages, page: finds those of one, and its names are completed with their numbers", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      const file = JSON.parse(HAR);
      file.log.entries.forEach((entry: { pageref?: string }, index: number) => {
        entry.pageref = index < 2 ? "page_1" : "page_2";
      });
      const { exchanges } = await app.importFile(JSON.stringify(file), "opened");
      const { session } = app.shown.opened ?? app.currentSession;
      assert.equal(occurringValuesOf(session, "page"), [
        { value: "page_2", exchanges: exchanges - 2 },
        { value: "page_1", exchanges: 2 },
      ]);
      const rows = Uint32Array.from({ length: exchanges }, (_, row) => row);
      const filter = unwrap(filterOf("page:PAGE_1"));
      assert.is(new Matcher(session.table, filter).retainMatches(rows), 2);
      app.end();
    }));

  test("given an import as completed, adds the session to the list and shows the current one", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      const progress = await app.importFile(HAR, "completed");
      assert.equal(app.shown.state(), { kind: "current" });
      const [record] = app.commands.state().sessions;
      assert.equal([record?.id, record?.state, record?.exchanges], [progress.session, "completed", progress.exchanges]);
      assert.ok(record?.baseline === "too-small" || record?.baseline === "in");
      app.end();
    }));

  test("given a file that is not HAR or is cut off, refuses it and leaves nothing behind", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      for (const wrong of ["no JSON", "[]", '{"log":{"entries":[]}}', HAR.slice(0, -20)]) {
        const end = await app.importFile(wrong, "completed").then(() => "taken", String);
        assert.match(end, /file/, wrong.slice(0, 20));
      }
      assert.equal(app.commands.state().sessions, []);
      app.end();
    }));

  test("given a cancelled import, leaves nothing behind", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      const { importNumber } = (await app.ask({
        type: "import-har",
        fileName: "a.har",
        as: "opened",
      })) as ImportStarted;
      await app.ask({
        type: "import-piece",
        importNumber,
        base64: Buffer.from(HAR.slice(0, 9_000)).toString("base64"),
        last: false,
      });
      await app.ask({ type: "cancel-import", importNumber });
      assert.match(await app.refusal({ type: "import-piece", importNumber, base64: "", last: true }), /cancelled/);
      assert.equal(app.commands.state().sessions, []);
      app.end();
    }));

  test("given a page that disconnects during its imports, other pages can import again", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      const begin = () => app.refusal({ type: "import-har", fileName: "a.har", as: "completed" });
      for (let count = 0; count < 4; count += 1) assert.is(await begin(), "");
      assert.match(await begin(), /Too many files/);
      app.commands.detach(app.shown);
      assert.is(await begin(), "");
      app.end();
    }));
});
