import * as assert from "uvu/assert";
import { Recordings } from "../../extensions/proxy/recordings.ts";
import { isRemark, RemarkDesk } from "../../extensions/proxy/remark-desk.ts";
import { SessionDesk } from "../../extensions/proxy/session-desk.ts";
import { ShownSession } from "../../extensions/proxy/shown-session.ts";
import { SessionStore } from "../../extensions/proxy/storage/sessions.ts";
import { SettingsFile } from "../../extensions/proxy/storage/settings-file.ts";
import type { RemarkCommand } from "../../src/engine/messages/remark-messages.ts";
import type { Remark } from "../../src/engine/model/remark.ts";
import type { Session } from "../../src/engine/session/session.ts";
import { instant } from "../support/capture.ts";
import { describe } from "../support/describe.ts";
import { withFolder } from "../support/temporary-folder.ts";
import { exchange, idOf, moment } from "./storage/story.ts";

const BY_START = { column: "startTime", descending: false } as const;
const ALL = [{ from: null, to: null }];

describe("remarks on exchanges", (test) => {
  test("only what says something of exchanges is carried out here", () => {
    assert.ok(isRemark({ type: "mark-exchange", exchange: idOf(1), mark: null }));
    assert.not(isRemark({ type: "clear" }));
  });

  test("a mark leaves the comment, and a comment the mark, also over a restart", () =>
    withFolder((folder) => {
      const app = running(folder, 2);
      app.say({ type: "mark-exchange", exchange: idOf(1), mark: "star" });
      app.say({ type: "comment-exchange", exchange: idOf(1), comment: "first" });
      app.say({ type: "mark-exchange", exchange: idOf(1), mark: "flag" });
      assert.equal(app.remarkOf(1), { mark: "flag", comment: "first" });
      app.recordings.tick(moment(100));
      // The engine's thread has died, and another goes on with the recording.
      const again = new Recordings(SessionStore.open(folder, 1024 ** 3, true), false);
      assert.equal(remarkIn(again.session, 1), { mark: "flag", comment: "first" });
      app.end();
    }));

  test("of a list, those that are picked are marked, at most 10,000", () =>
    withFolder((folder) => {
      const app = running(folder, 4);
      const picked = [{ from: idOf(2), to: idOf(3) }];
      const mark = { type: "mark-picked", filter: "", sort: BY_START, mark: "check" } as const;
      assert.is(app.say({ ...mark, stretches: picked }), 2);
      assert.equal(
        [1, 2, 3, 4].map((number) => app.remarkOf(number).mark),
        [null, "check", "check", null],
      );
      assert.is(app.say({ ...mark, filter: "mark:", stretches: ALL, mark: null }), 2);
      assert.match(app.refusal({ ...mark, stretches: [] }), /not in the list/);
      assert.match(app.refusal({ ...mark, filter: "nothing:", stretches: ALL }), /no filter/);
      for (let number = 5; number <= 10_001; number += 1) app.recordings.take(exchange(number).slice(0, 1));
      assert.match(app.refusal({ ...mark, stretches: ALL }), /10,000/);
      assert.match(app.refusal({ type: "mark-exchange", exchange: idOf(20_000), mark: "star" }), /not in the list/);
      app.end();
    }));

  test("of a stored session that is shown, what is said is written at once, and the recording is left alone", () =>
    withFolder(async (folder) => {
      const app = running(folder, 1);
      app.recordings.begin(moment(50));
      app.recordings.take(exchange(1));
      app.recordings.tick(moment(60));
      const [, stored] = app.desk.state().sessions;
      await app.desk.carryOut({ type: "open-session", session: stored?.id ?? "" }, app.shown);
      app.say({ type: "comment-exchange", exchange: idOf(1), comment: "of the first" });
      assert.is(remarkIn(app.recordings.session, 1).comment, "");
      app.shown.close();
      await app.desk.carryOut({ type: "open-session", session: stored?.id ?? "" }, app.shown);
      assert.is(app.remarkOf(1).comment, "of the first");
      app.end();
    }));
});

function remarkIn({ table }: Session, number: number): Remark {
  const row = table.rowOf(idOf(number));
  if (row === null) throw new Error(`no exchange ${number}`);
  return table.remarks.at(row);
}

/** The desks as the engine's thread has them, over a recording of so many exchanges. */
function running(folder: string, exchanges: number) {
  const store = SessionStore.open(folder, 1024 ** 3);
  const settings = SettingsFile.open(folder);
  const recordings = new Recordings(store, false);
  for (let number = 1; number <= exchanges; number += 1) recordings.take(exchange(number));
  const clock = { now: () => instant(Number(moment(0))) };
  const desk = new SessionDesk({ store, recordings, settings, clock, onPruned: () => {}, onOver: () => {} });
  const shown = new ShownSession(desk.opened);
  const remarks = new RemarkDesk({ store, recordings, settings: () => settings.settings });
  const say = (command: RemarkCommand): number => remarks.carryOut(command, shown);
  return {
    recordings,
    desk,
    shown,
    say,
    remarkOf: (number: number) => remarkIn(shown.opened?.session ?? recordings.session, number),
    refusal: (command: RemarkCommand): string => {
      try {
        say(command);
        return "";
      } catch (error) {
        return String(error);
      }
    },
    end: () => {
      desk.end();
      recordings.end(moment(1_000));
    },
  };
}
