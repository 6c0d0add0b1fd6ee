import { readdirSync, rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import * as assert from "uvu/assert";
import { TRASH_TIME } from "../../../../extensions/proxy/storage/recorded-session.ts";
import { SessionStore } from "../../../../extensions/proxy/storage/sessions.ts";
import type { CaptureEvent } from "../../../../src/engine/capture/event.ts";
import { describe } from "../../../support/describe.ts";
import { withFolder } from "../../../support/temporary-folder.ts";
import { PLENTY, running } from "../../running-commands.ts";
import { exchange, idOf, moment, piece, started } from "../../storage/story.ts";

describe("session commands", (test) => {
  test("given a current and a completed session, lists size, figures and baseline state", () =>
    withFolder((folder) => {
      const app = running(folder);
      app.record(1, 6);
      app.currentSession.startNew(app.now());
      app.record(7, 2);
      const [current, first] = app.commands.state().sessions;
      assert.equal([current?.state, current?.exchanges, current?.baseline], ["current", 2, "not-ended"]);
      assert.equal(current?.figures, { p95: 9.5, errorRate: 0, bytes: 2 * 1_234, endpoints: 0 });
      assert.equal([first?.state, first?.exchanges, first?.kept], ["completed", 6, true]);
      assert.ok((first?.size ?? 0) > 1_000);
      assert.equal(first?.figures, { p95: 9.5, errorRate: 0, bytes: 6 * 1_234, endpoints: 1 });
      assert.is(first?.baseline, "in");
      app.end();
    }));

  test("given a current session, its size is what it keeps once it has ended", () =>
    withFolder((folder) => {
      const app = running(folder);
      for (let first = 1; first <= 40; first += 1) app.record(first, 1);
      const size = () => app.commands.state().sessions.at(-1)?.size ?? 0;
      const current = size();
      app.currentSession.startNew(app.now());
      app.record(100, 1);
      const ended = size();
      assert.ok(current > 1_000);
      assert.ok(Math.abs(current - ended) < ended / 5, `${current} bytes while recording, ${ended} after it`);
      app.end();
    }));

  test("given stored sessions, measures them after the start, before a list asks", () =>
    withFolder(async (folder) => {
      const before = running(folder);
      before.record(1, 6);
      before.end();
      const app = running(folder);
      for (let turn = 0; turn < 20; turn += 1) await setImmediate();
      const figures = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /figures/.test(name));
      assert.is(figures.length, 1);
      for (const name of figures) rmSync(join(folder, name));
      assert.equal(app.commands.state().sessions[0]?.figures, {
        p95: 9.5,
        errorRate: 0,
        bytes: 6 * 1_234,
        endpoints: 1,
      });
      app.end();
    }));

  test("given a current session, lists its figures so far; after Clear, lists only what is recorded next", () =>
    withFolder((folder) => {
      const app = running(folder);
      app.record(1, 1);
      assert.is(app.commands.state().sessions[0]?.figures?.bytes, 1_234);
      app.record(2, 1);
      assert.is(app.commands.state().sessions[0]?.figures?.bytes, 2 * 1_234);
      app.currentSession.clear(app.now());
      app.time += 2_000;
      assert.equal(app.commands.state().sessions, []);
      app.record(3, 1);
      assert.equal(
        app.commands.state().sessions.map(({ state, figures }) => [state, figures?.bytes]),
        [["current", 1_234]],
      );
      app.end();
    }));

  test("given a cleared session, undo within 10 s records it further, later it lists it, and emptied it says no", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      const state = () => {
        const { sessions, trash } = app.commands.state();
        const listed = sessions.map((one) => [one.state, one.exchanges]);
        return [listed, trash.map(({ exchanges }) => exchanges)];
      };
      app.record(1, 3);
      const first = app.currentSession.clear(app.now()) ?? "";
      app.record(4, 2);
      assert.equal(state(), [[["current", 2]], [3]]);
      assert.equal(await app.ask({ type: "undo-clear", session: first }), { goesOn: true });
      assert.equal(state(), [[["current", 5]], []]);
      const second = app.currentSession.clear(app.now()) ?? "";
      app.record(6, 1);
      app.time += 10_000;
      app.currentSession.tick(app.now());
      assert.equal(state(), [[["current", 1]], [5]]);
      assert.equal(await app.ask({ type: "undo-clear", session: second }), { goesOn: false });
      assert.equal(state(), [
        [
          ["current", 1],
          ["completed", 5],
        ],
        [],
      ]);
      await app.ask({ type: "delete-session", session: second });
      assert.equal(state(), [[["current", 1]], [5]]);
      assert.ok(app.commands.state().size > (app.commands.state().trash[0]?.size ?? 0));
      await app.ask({ type: "empty-trash" });
      assert.equal(state(), [[["current", 1]], []]);
      for (const type of ["undo-clear", "restore-session"] as const)
        assert.match(await app.refusal({ type, session: second }), "no longer in the trash, so it cannot be restored.");
      app.end();
    }));

  test("given sessions in the trash that are too old, the next look deletes them", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      const trash = () => app.commands.state().trash.length;
      for (const number of [1, 2]) {
        app.record(number, 1);
        app.currentSession.clear(app.now());
        app.time += 60_000;
        app.currentSession.tick(app.now());
      }
      app.time += TRASH_TIME - 70_000;
      app.commands.tick();
      assert.is(trash(), 1);
      app.end();
      const again = running(folder);
      again.time = app.time + TRASH_TIME;
      again.commands.tick();
      assert.is(again.commands.state().trash.length, 0);
      again.end();
    }));

  test("given a name, notes and a baseline choice, keeps them after a restart", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      app.record(1, 1);
      app.currentSession.startNew(app.now());
      const session = app.commands.state().sessions[0]?.id ?? "";
      await app.ask({ type: "describe-session", session, words: { name: "Checkout" } });
      await app.ask({ type: "describe-session", session, words: { notes: "slow since Monday" } });
      await app.ask({ type: "set-baseline", session, on: false });
      app.end();
      const again = running(folder);
      const [record] = again.commands.state().sessions;
      assert.equal([record?.name, record?.notes, record?.baseline], ["Checkout", "slow since Monday", "left-out"]);
      again.end();
    }));

  test("given a session that was cut off, offers it until the user dismisses or opens it", () =>
    withFolder(async (folder) => {
      const cutOff = running(folder);
      cutOff.record(1, 3);
      const session = cutOff.commands.state().sessions[0]?.id ?? "";
      for (const type of ["dismiss-recovered", "open-session"] as const) {
        const place = join(folder, type);
        await cp(join(folder, "sessions"), join(place, "sessions"), { recursive: true });
        const app = running(place);
        assert.is(app.commands.state().recovered, session);
        await app.ask({ type, session });
        assert.is(app.commands.state().recovered, null, type);
        assert.is(app.commands.state().sessions.length, 1);
        app.end();
      }
      cutOff.end();
    }));

  test("given a stored session, opens it while recording goes on, and returns to the current one", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      app.record(1, 300);
      app.currentSession.startNew(app.now());
      app.record(301, 1);
      const session = app.commands.state().sessions[1]?.id ?? "";
      const opening = app.ask({ type: "open-session", session });
      assert.is(app.shown.state().kind, "opening");
      await opening;
      assert.is(app.shown.state().kind, "stored");
      const opened = app.shown.opened;
      assert.is(opened?.session.exchanges, 300);
      assert.is(opened?.archive.headsOf(idOf(5))?.request.split("\r\n")[0], "GET /items/5?q=1 HTTP/1.1");
      app.record(302, 1);
      assert.is(app.currentSession.session.exchanges, 2);
      assert.is(app.shown.opened?.session.exchanges, 300);
      await app.ask({ type: "show-current" });
      assert.equal(app.shown.state(), { kind: "current" });
      assert.not(app.commands.opened.isOpen(session));
      app.end();
    }));

  test("given a shown session that is deleted, shows the current one", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      app.record(1, 3);
      app.currentSession.startNew(app.now());
      const session = app.commands.state().sessions[0]?.id ?? "";
      await app.ask({ type: "open-session", session });
      await app.ask({ type: "delete-session", session });
      assert.is(app.shown.opened, null);
      assert.equal(app.commands.state().sessions, []);
      assert.match(await app.refusal({ type: "open-session", session }), /cannot be opened/);
      app.end();
    }));

  test("given a session that was cut off, has figures only after it is opened", () =>
    withFolder(async (folder) => {
      const crashed = SessionStore.open(folder, PLENTY);
      const session = crashed.startSession(moment(0));
      for (let number = 1; number <= 5; number += 1) crashed.append(same(number));
      crashed.append([started(9)]);
      crashed.flush();
      const app = running(folder);
      assert.is(app.commands.state().recovered, session);
      assert.is(app.commands.state().sessions[0]?.figures, null);
      await app.ask({ type: "open-session", session });
      const { recovered, sessions } = app.commands.state();
      assert.equal([recovered, sessions[0]?.state, sessions[0]?.figures?.endpoints], [null, "recovered", 1]);
      app.end();
    }));

  const largeOf = (day: number): CaptureEvent[] => [
    { ...started(day), at: moment(day * 86_400_000) },
    piece(day, Buffer.alloc(33 * 1024 ** 2)),
    ...exchange(day).slice(3),
  ];

  test(
    "given data over the cap, deletes the oldest session's exchanges within half a minute",
    () =>
      withFolder((folder) => {
        const app = running(folder);
        assert.is(app.settings.change("dataCap", 64 * 1024 ** 2), null);
        app.currentSession.addEvents(largeOf(1));
        app.currentSession.startNew(app.now());
        app.currentSession.addEvents(exchange(2));
        app.commands.tick();
        app.currentSession.addEvents(largeOf(3));
        app.currentSession.tick(app.now());
        for (const expected of [0, 0, 1]) {
          app.commands.tick();
          assert.is(app.said.length, expected);
          app.time += 15_001;
        }
        app.end();
      }),
    { isLong: true },
  );

  test(
    "given a lowered cap, deletes the oldest session's exchanges at once and tells the user",
    () =>
      withFolder((folder) => {
        const app = running(folder);
        for (const day of [1, 2]) {
          app.currentSession.addEvents(largeOf(day));
          app.currentSession.startNew(app.now());
        }
        app.commands.tick();
        assert.is(app.settings.change("dataCap", 64 * 1024 ** 2), null);
        app.commands.tick();
        assert.equal(app.said, [
          "Captured data reached its limit, so the exchanges of the oldest session were deleted. Their figures are kept.",
        ]);
        assert.equal(
          app.commands.state().sessions.map(({ kept }) => kept),
          [true, false],
        );
        app.end();
      }),
    { isLong: true },
  );

  test(
    "given data over the cap in the shown session, tells the user and deletes it once it is closed",
    () =>
      withFolder(async (folder) => {
        const app = running(folder);
        for (const part of [1, 2]) app.currentSession.addEvents(largeOf(part));
        app.currentSession.startNew(app.now());
        const session = app.commands.state().sessions[0]?.id ?? "";
        await app.ask({ type: "open-session", session });
        assert.is(app.settings.change("dataCap", 64 * 1024 ** 2), null);
        app.commands.tick();
        assert.match(app.said.join(), /over its limit, and Weir deletes no session that is being recorded or shown/);
        await app.ask({ type: "show-current" });
        app.time += 30_001;
        app.commands.tick();
        assert.match(app.said.at(-1) ?? "", /exchanges of the oldest session were deleted/);
        app.end();
      }),
    { isLong: true },
  );

  test("given the command to delete all captured data, deletes the current session too", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      app.record(1, 3);
      app.currentSession.startNew(app.now());
      app.record(4, 3);
      await app.ask({ type: "delete-captured" });
      assert.equal(app.commands.state().sessions, []);
      assert.is(app.currentSession.session.exchanges, 0);
      app.record(7, 1);
      assert.equal(
        app.commands.state().sessions.map(({ exchanges }) => exchanges),
        [1],
      );
      app.end();
    }));
});

/** Two exchanges with one endpoint. */
function same(number: number): readonly CaptureEvent[] {
  const [first, ...rest] = exchange(number);
  return first === undefined ? [] : [{ ...started(number), target: "/same" }, ...rest];
}
