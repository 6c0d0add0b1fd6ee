import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import type { ImportStarted } from "../../src/engine/messages/session-messages.ts";
import { describe } from "../support/describe.ts";
import { withFolder } from "../support/temporary-folder.ts";
import { running } from "./running-commands.ts";

const HAR = readFileSync(new URL("../fixtures/har/http1.1-firefox.har", import.meta.url), "utf8");

describe("imported HAR files as sessions", (test) => {
  test("an imported HAR is opened as a session, left out of the baseline", () =>
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

  test("an imported HAR is added as a completed session", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      const progress = await app.importFile(HAR, "completed");
      assert.equal(app.shown.state(), { kind: "current" });
      const [record] = app.commands.state().sessions;
      assert.equal([record?.id, record?.state, record?.exchanges], [progress.session, "completed", progress.exchanges]);
      assert.ok(record?.baseline === "too-small" || record?.baseline === "in");
      app.end();
    }));

  test("a file that is no HAR, or is cut off, is refused and leaves nothing", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      for (const wrong of ["no JSON", "[]", '{"log":{"entries":[]}}', HAR.slice(0, -20)]) {
        const end = await app.importFile(wrong, "completed").then(() => "taken", String);
        assert.match(end, /file/, wrong.slice(0, 20));
      }
      assert.equal(app.commands.state().sessions, []);
      app.end();
    }));

  test("an import that is cancelled leaves nothing", () =>
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

  test("what a page was sending when it went takes nobody's place", () =>
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
