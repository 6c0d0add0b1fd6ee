import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { AnnotationCommands } from "../../../../extensions/proxy/engine-thread/commands/annotation-commands.ts";
import { execute } from "../../../../extensions/proxy/engine-thread/commands/execute.ts";
import { SessionCommands } from "../../../../extensions/proxy/engine-thread/commands/session-commands.ts";
import { ShownSession } from "../../../../extensions/proxy/engine-thread/commands/shown-session.ts";
import { CurrentSession } from "../../../../extensions/proxy/engine-thread/recording/current-session.ts";
import { PathGrouping } from "../../../../extensions/proxy/engine-thread/recording/path-grouping.ts";
import { SessionStore } from "../../../../extensions/proxy/storage/sessions.ts";
import { SettingsFile } from "../../../../extensions/proxy/storage/settings-file.ts";
import type { Annotated } from "../../../../src/engine/messages/annotation-decode.ts";
import type { Command } from "../../../../src/engine/messages/messages.ts";
import type { Annotation } from "../../../../src/engine/model/annotation.ts";
import { Baseline } from "../../../../src/engine/session/lists/history.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";
import { withFolder } from "../../../support/temporary-folder.ts";
import { exchange, idOf, moment } from "../../storage/story.ts";

const BY_START = { column: "startTime", descending: false } as const;
const ALL = [{ from: null, to: null }];

describe("annotation commands", (test) => {
  test("given a mark and a comment on one exchange, keeps both, also after a restart", () =>
    withFolder(async (folder) => {
      const app = running(folder, 2);
      await app.say({ type: "mark-exchange", exchange: idOf(1), mark: "star" });
      await app.say({ type: "comment-exchange", exchange: idOf(1), comment: "first" });
      await app.say({ type: "mark-exchange", exchange: idOf(1), mark: "flag" });
      assert.equal(app.annotationOf(1), { mark: "flag", comment: "first" });
      app.currentSession.tick(moment(100));
      // The engine thread has failed, and another one continues the recording.
      const again = new CurrentSession(SessionStore.open(folder, 1024 ** 3, true), null);
      assert.equal(annotationIn(again.session, 1), { mark: "flag", comment: "first" });
      app.end();
    }));

  test(
    "given selected rows, marks them, at most 10,000",
    () =>
      withFolder(async (folder) => {
        const app = running(folder, 4);
        const picked = [{ from: idOf(2), to: idOf(3) }];
        const mark = { type: "mark-picked", filter: "", sort: BY_START, mark: "check" } as const;
        assert.is(countOf(await app.say({ ...mark, stretches: picked })), 2);
        assert.equal(
          [1, 2, 3, 4].map((number) => app.annotationOf(number).mark),
          [null, "check", "check", null],
        );
        assert.is(countOf(await app.say({ ...mark, filter: "mark:", stretches: ALL, mark: null })), 2);
        assert.match(await app.refusal({ ...mark, stretches: [] }), /no longer in the list/);
        assert.match(await app.refusal({ ...mark, filter: "nothing:", stretches: ALL }), /no filter/);
        for (let number = 5; number <= 10_001; number += 1) app.currentSession.addEvents(exchange(number).slice(0, 1));
        assert.match(await app.refusal({ ...mark, stretches: ALL }), /10,000/);
        assert.match(
          await app.refusal({ type: "mark-exchange", exchange: idOf(20_000), mark: "star" }),
          /no longer in the list/,
        );
        app.end();
      }),
    { isLong: true },
  );

  test("given changes of marks and comments, undone from the latest back each exchange is as before", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            exchange: fc.integer({ min: 1, max: 3 }),
            mark: fc.constantFrom("star", "flag", null, "comment"),
          }),
          { minLength: 1, maxLength: 20 },
        ),
        (steps) =>
          withFolder(async (folder) => {
            const app = running(folder, 3);
            const all = () => [1, 2, 3].map(app.annotationOf);
            const before: { readonly annotations: unknown; readonly change: number }[] = [];
            for (const { exchange, mark } of steps) {
              const annotations = all();
              const id = idOf(exchange);
              const reply = await app.say(
                mark === "comment"
                  ? { type: "comment-exchange", exchange: id, comment: `${before.length}` }
                  : { type: "mark-exchange", exchange: id, mark: mark as "star" | "flag" | null },
              );
              before.push({ annotations, change: (reply as Annotated).change });
            }
            for (const { annotations, change } of before.reverse()) {
              await app.say({ type: "undo-annotations", change });
              assert.equal(all(), annotations);
              assert.match(await app.refusal({ type: "undo-annotations", change }), /too old to be undone/);
            }
            app.end();
          }),
      ),
      { numRuns: rounds(5) },
    ));

  test("given another session since, or 20 changes, a mark is no longer undone", () =>
    withFolder(async (folder) => {
      const app = running(folder, 1);
      const mark = async () => {
        const reply = await app.say({ type: "mark-exchange", exchange: idOf(1), mark: "star" });
        return (reply as Annotated).change;
      };
      const first = await mark();
      for (let count = 0; count < 20; count += 1) await mark();
      assert.match(await app.refusal({ type: "undo-annotations", change: first }), /too old to be undone/);
      app.currentSession.clear(moment(50));
      assert.match(await app.refusal({ type: "undo-annotations", change: first + 20 }), /session is no longer shown/);
      app.currentSession.undoClear();
      await app.say({ type: "undo-annotations", change: first + 20 });
      app.end();
    }));

  test("given a comment on a stored session that is shown, stores it at once, and not in the recording", () =>
    withFolder(async (folder) => {
      const app = running(folder, 1);
      app.currentSession.startNew(moment(50));
      app.currentSession.addEvents(exchange(1));
      app.currentSession.tick(moment(60));
      const [, stored] = app.commands.state().sessions;
      await app.shown.open(stored?.id ?? "");
      await app.say({ type: "comment-exchange", exchange: idOf(1), comment: "of the first" });
      assert.is(annotationIn(app.currentSession.session, 1).comment, "");
      app.shown.close();
      await app.shown.open(stored?.id ?? "");
      assert.is(app.annotationOf(1).comment, "of the first");
      app.end();
    }));
});

function countOf(reply: unknown): number {
  return (reply as Annotated).count;
}

function annotationIn({ table }: Session, number: number): Annotation {
  const row = table.rowOf(idOf(number));
  if (row === null) throw new Error(`no exchange ${number}`);
  return table.annotations.at(row);
}

/** The commands as in the engine thread, over a recording of this many exchanges. */
function running(folder: string, exchanges: number) {
  const store = SessionStore.open(folder, 1024 ** 3);
  const settings = SettingsFile.open(folder);
  const grouping = new PathGrouping(() => settings.settings, folder);
  const currentSession = new CurrentSession(store, null);
  for (let number = 1; number <= exchanges; number += 1) currentSession.addEvents(exchange(number));
  const clock = { now: () => instant(Number(moment(0))) };
  const commands = new SessionCommands({
    store,
    currentSession,
    grouping,
    settings,
    clock,
    onPruned: () => {},
    onOver: () => {},
    onTrouble: () => {},
    cut: async (end) => end(clock.now()),
    endAnalysis: async () => {},
  });
  const shown = new ShownSession(commands.opened);
  const annotations = new AnnotationCommands({
    store,
    currentSession,
    sourceOf: ({ opened }) => ({
      session: opened?.session ?? currentSession.session,
      reader: opened?.reader ?? currentSession.reader(),
      baseline: new Baseline([]),
      settings: settings.settings,
      version: "0.0.0",
    }),
  });
  type Annotating = Extract<Command, { readonly type: keyof typeof annotations.handlers }>;
  const say = (command: Annotating): Promise<unknown> =>
    execute(annotations.handlers, command, { shown, send: () => {} });
  return {
    currentSession,
    commands,
    shown,
    say,
    annotationOf: (number: number) => annotationIn(shown.opened?.session ?? currentSession.session, number),
    refusal: (command: Annotating): Promise<string> => say(command).then(() => "", String),
    end: () => {
      commands.finish();
      currentSession.finish(moment(1_000));
    },
  };
}
