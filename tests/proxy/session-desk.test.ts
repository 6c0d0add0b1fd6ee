import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { Recordings } from "../../extensions/proxy/recordings.ts";
import { SessionDesk } from "../../extensions/proxy/session-desk.ts";
import { ShownSession } from "../../extensions/proxy/shown-session.ts";
import { SessionStore } from "../../extensions/proxy/storage/sessions.ts";
import { SettingsFile } from "../../extensions/proxy/storage/settings-file.ts";
import type { CaptureEvent } from "../../src/engine/capture/event.ts";
import type { ImportProgress, ImportStarted } from "../../src/engine/messages/session-messages.ts";
import { instant } from "../support/capture.ts";
import { describe } from "../support/describe.ts";
import { withFolder } from "../support/temporary-folder.ts";
import { exchange, idOf, moment, piece, started } from "./storage/story.ts";

const PLENTY = 1024 ** 3;
const HAR = new URL("../fixtures/har/http1.1-firefox.har", import.meta.url);

describe("session desk", (test) => {
  test("a session is listed with size, figures and whether it is in the baseline", () =>
    withFolder((folder) => {
      const app = running(folder);
      app.record(1, 6);
      app.recordings.begin(app.now());
      app.record(7, 2);
      const [current, first] = app.desk.state().sessions;
      assert.equal([current?.state, current?.exchanges, current?.baseline], ["current", 2, "not-ended"]);
      assert.equal(current?.figures, { p95: 9.5, errorRate: 0, bytes: 2 * 1_234, endpoints: 0 });
      assert.equal([first?.state, first?.exchanges, first?.kept], ["completed", 6, true]);
      assert.ok((first?.size ?? 0) > 1_000);
      assert.equal(first?.figures, { p95: 9.5, errorRate: 0, bytes: 6 * 1_234, endpoints: 0 });
      assert.is(first?.baseline, "too-small");
      app.end();
    }));

  test("the current session's figures are those so far; while Clear can be undone there are none", () =>
    withFolder((folder) => {
      const app = running(folder);
      app.record(1, 1);
      assert.is(app.desk.state().sessions[0]?.figures?.bytes, 1_234);
      app.record(2, 1);
      assert.is(app.desk.state().sessions[0]?.figures?.bytes, 2 * 1_234);
      app.recordings.clear(app.now());
      app.time += 2_000;
      assert.is(app.desk.state().sessions[0]?.figures, null);
      app.end();
    }));

  test("a session that was cleared is listed with the exchanges that were its own", () =>
    withFolder((folder) => {
      const app = running(folder);
      app.record(1, 3);
      app.recordings.clear(app.now());
      app.record(4, 2);
      app.time += 10_000;
      app.recordings.tick(app.now());
      assert.equal(
        app.desk.state().sessions.map(({ state, kept, exchanges }) => [state, kept, exchanges]),
        [
          ["current", true, 2],
          ["completed", false, 3],
        ],
      );
      app.end();
    }));

  test("name, notes and the baseline are kept over a restart", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      app.record(1, 1);
      app.recordings.begin(app.now());
      const session = app.desk.state().sessions[0]?.id ?? "";
      await app.ask({ type: "describe-session", session, name: "Checkout", notes: "slow since Monday" });
      await app.ask({ type: "set-baseline", session, on: false });
      app.end();
      const again = running(folder);
      const [record] = again.desk.state().sessions;
      assert.equal([record?.name, record?.notes, record?.baseline], ["Checkout", "slow since Monday", "left-out"]);
      again.end();
    }));

  test("Open shows a stored session read-only while recording goes on, and back", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      app.record(1, 300);
      app.recordings.begin(app.now());
      app.record(301, 1);
      const session = app.desk.state().sessions[1]?.id ?? "";
      const opening = app.ask({ type: "open-session", session });
      assert.is(app.shown.state().kind, "opening");
      await opening;
      assert.is(app.shown.state().kind, "stored");
      const opened = app.shown.opened;
      assert.is(opened?.session.exchanges, 300);
      assert.is(opened?.archive.headsOf(idOf(5))?.request.split("\r\n")[0], "GET /items/5?q=1 HTTP/1.1");
      app.record(302, 1);
      assert.is(app.recordings.session.exchanges, 2);
      assert.is(app.shown.opened?.session.exchanges, 300);
      await app.ask({ type: "show-current" });
      assert.equal(app.shown.state(), { kind: "current" });
      assert.not(app.desk.opened.isOpen(session));
      app.end();
    }));

  test("a session that is deleted while it is shown gives way to the current one", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      app.record(1, 3);
      app.recordings.begin(app.now());
      const session = app.desk.state().sessions[0]?.id ?? "";
      await app.ask({ type: "open-session", session });
      await app.ask({ type: "delete-session", session });
      assert.is(app.shown.opened, null);
      assert.equal(app.desk.state().sessions, []);
      assert.match(await app.refusal({ type: "open-session", session }), /cannot be opened/);
      app.end();
    }));

  test("a session whose recording was cut off is offered, and has figures once it was opened", () =>
    withFolder(async (folder) => {
      const crashed = SessionStore.open(folder, PLENTY);
      const session = crashed.startSession(moment(0));
      for (let number = 1; number <= 5; number += 1) crashed.append(same(number));
      crashed.append([started(9)]);
      crashed.flush();
      const app = running(folder);
      assert.is(app.desk.state().recovered, session);
      assert.is(app.desk.state().sessions[0]?.figures, null);
      await app.ask({ type: "open-session", session });
      const { recovered, sessions } = app.desk.state();
      assert.equal([recovered, sessions[0]?.state, sessions[0]?.figures?.endpoints], [null, "recovered", 1]);
      app.end();
    }));

  test("over the data folder's cap the oldest exchanges go, and the user is told", () =>
    withFolder((folder) => {
      const app = running(folder);
      for (const day of [1, 2]) {
        app.recordings.take([
          { ...started(day), at: moment(day * 86_400_000) },
          piece(day, Buffer.alloc(40 * 1024 ** 2)),
          ...exchange(day).slice(3),
        ]);
        app.recordings.begin(app.now());
      }
      assert.is(app.settings.change("dataCap", 64 * 1024 ** 2), null);
      app.time += 60_000;
      app.desk.tick();
      assert.equal(app.said, [
        "Captured data reached its limit, so the exchanges of the oldest session were deleted. Their figures are kept.",
      ]);
      assert.equal(
        app.desk.state().sessions.map(({ kept }) => kept),
        [true, false],
      );
      app.end();
    }));

  test("all captured data can be deleted, the current session too", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      app.record(1, 3);
      app.recordings.begin(app.now());
      app.record(4, 3);
      await app.ask({ type: "delete-captured" });
      assert.equal(app.desk.state().sessions, []);
      assert.is(app.recordings.session.exchanges, 0);
      app.record(7, 1);
      assert.equal(
        app.desk.state().sessions.map(({ exchanges }) => exchanges),
        [1],
      );
      app.end();
    }));

  test("an imported HAR is opened as a session, left out of the baseline", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      const progress = await app.importFile(readFileSync(HAR, "utf8"), "opened");
      assert.is(progress.leftOut, 0);
      const state = app.shown.state();
      assert.equal([state.kind, state.kind === "stored" && state.session], ["stored", progress.session]);
      assert.is(app.shown.opened?.session.exchanges, progress.exchanges);
      const [record] = app.desk.state().sessions;
      assert.equal([record?.imported, record?.baseline, record?.name], [true, "left-out", "recorded.har"]);
      app.end();
    }));

  test("an imported HAR is added as a completed session", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      const progress = await app.importFile(readFileSync(HAR, "utf8"), "completed");
      assert.equal(app.shown.state(), { kind: "current" });
      const [record] = app.desk.state().sessions;
      assert.equal([record?.id, record?.state, record?.exchanges], [progress.session, "completed", progress.exchanges]);
      assert.ok(record?.baseline === "too-small" || record?.baseline === "in");
      app.end();
    }));

  test("a file that is no HAR, or is cut off, is refused and leaves nothing", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      const text = readFileSync(HAR, "utf8");
      for (const wrong of ["no JSON", "[]", '{"log":{"entries":[]}}', text.slice(0, -20)]) {
        try {
          await app.importFile(wrong, "completed");
          assert.unreachable(wrong.slice(0, 20));
        } catch (error) {
          assert.match(String(error), /file/);
        }
      }
      assert.equal(app.desk.state().sessions, []);
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
        text: readFileSync(HAR, "utf8").slice(0, 9_000),
        last: false,
      });
      await app.ask({ type: "cancel-import", importNumber });
      assert.match(await app.refusal({ type: "import-piece", importNumber, text: "", last: true }), /cancelled/);
      assert.equal(app.desk.state().sessions, []);
      app.end();
    }));
});

type Asked = Parameters<SessionDesk["carryOut"]>[0];

/** The desk as the engine's thread has it, with a clock of its own. */
function running(folder: string) {
  const store = SessionStore.open(folder, PLENTY);
  const settings = SettingsFile.open(folder);
  const recordings = new Recordings(store, false);
  const said: string[] = [];
  const app = { time: Number(moment(0)) };
  const now = () => instant(app.time);
  const desk = new SessionDesk({
    store,
    recordings,
    settings,
    clock: { now },
    onPruned: (text) => void said.push(text),
  });
  const shown = new ShownSession(desk.opened);
  const ask = (command: Asked) => desk.carryOut(command, shown);
  return Object.assign(app, {
    settings,
    recordings,
    desk,
    shown,
    said,
    now,
    ask,
    record: (from: number, count: number) => {
      app.time += 2_000;
      for (let number = from; number < from + count; number += 1) recordings.take(exchange(number));
      recordings.tick(now());
    },
    refusal: async (command: Asked): Promise<string> => {
      try {
        await ask(command);
        return "";
      } catch (error) {
        return String(error);
      }
    },
    importFile: async (text: string, as: "opened" | "completed"): Promise<ImportProgress> => {
      const { importNumber } = (await ask({ type: "import-har", fileName: "recorded.har", as })) as ImportStarted;
      const PIECE = 5_000;
      for (let from = 0; from + PIECE < text.length; from += PIECE) {
        await ask({ type: "import-piece", importNumber, text: text.slice(from, from + PIECE), last: false });
      }
      const rest = text.slice(Math.floor((text.length - 1) / PIECE) * PIECE);
      return (await ask({ type: "import-piece", importNumber, text: rest, last: true })) as ImportProgress;
    },
    end: () => {
      desk.end();
      recordings.end(now());
    },
  });
}

/** Of one endpoint. */
function same(number: number): readonly CaptureEvent[] {
  const [first, ...rest] = exchange(number);
  return first === undefined ? [] : [{ ...started(number), target: "/same" }, ...rest];
}
