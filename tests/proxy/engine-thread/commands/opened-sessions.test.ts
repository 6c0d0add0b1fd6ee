import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { InsightEvaluator } from "../../../../src/engine/session/evaluation/insight-evaluator.ts";
import { figuresOf } from "../../../../src/engine/session/lists/figures.ts";
import { summaryOf } from "../../../../src/engine/session/queries/summary.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { anyExchanges, eventsOf, instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";
import { withFolder } from "../../../support/temporary-folder.ts";
import { type RunningCommands, running } from "../../running-commands.ts";

/** Ends the recorded session, and opens it again. */
async function reopened(app: RunningCommands): Promise<Session> {
  app.currentSession.startNew(app.now());
  const session = app.commands.state().sessions.at(-1)?.id ?? "";
  await app.ask({ type: "open-session", session });
  const { opened } = app.shown;
  if (opened === null) throw new Error("it was not opened");
  return opened.session;
}

describe("opened sessions", (test) => {
  test("given a session opened later, has the figures and the summary from when it ended", () =>
    fc.assert(
      fc.asyncProperty(anyExchanges(30), fc.integer({ min: 0, max: 90_000 }), (exchanges, later) =>
        withFolder(async (folder) => {
          fc.pre(exchanges.length > 0);
          const app = running(folder);
          const summary = (session: Session) => {
            const evaluator = new InsightEvaluator(session, app.settings.settings);
            const { sessionEnd: _, ...rest } = summaryOf(session, evaluator, app.now());
            return rest;
          };
          app.time = Math.max(...exchanges.map(({ endTime, instants }) => endTime ?? instants.startTime)) + later;
          app.currentSession.addEvents(exchanges.flatMap(eventsOf));
          const ended = app.currentSession.session;
          const before = [figuresOf(ended), summary(ended)];
          const opened = await reopened(app);
          app.time += 3_600_000;
          assert.equal([figuresOf(opened), summary(opened)], before);
          app.end();
        }),
      ),
      { numRuns: rounds(25) },
    ));

  test("given grouping that is turned on while a session is read, groups its paths", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      app.record(1, 1);
      let asked = 0;
      const settings = {
        ...app.settings.settings,
        get groupSimilarPaths() {
          asked += 1;
          return asked > 3;
        },
      };
      Object.defineProperty(app.settings, "settings", { value: settings });
      assert.is.not((await reopened(app)).templates, null);
      app.end();
    }));

  test("given an ended session, its end is the time at which it was ended", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      app.record(1, 1);
      assert.is(app.currentSession.session.endedAt, null);
      const endedAt: Instant = instant(app.time + 60_000);
      app.time = endedAt;
      assert.is((await reopened(app)).endedAt, endedAt);
      app.end();
    }));

  test("given a stored end before the last event, ends at the last event", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      app.record(1, 1);
      const { lastTime } = app.currentSession.session.table;
      app.time -= 3_600_000; // as in a file, after the wall clock was set back
      assert.is((await reopened(app)).endedAt, lastTime);
      app.end();
    }));
});
