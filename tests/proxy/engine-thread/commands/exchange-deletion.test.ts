import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { ExchangeDeletion } from "../../../../extensions/proxy/engine-thread/commands/exchange-deletion.ts";
import { execute } from "../../../../extensions/proxy/engine-thread/commands/execute.ts";
import { keptFiguresOf } from "../../../../extensions/proxy/export/stored-figures.ts";
import { SessionStore } from "../../../../extensions/proxy/storage/sessions.ts";
import type { Deleted } from "../../../../src/engine/messages/deletion-messages.ts";
import type { Command } from "../../../../src/engine/messages/messages.ts";
import { Baseline } from "../../../../src/engine/session/lists/history.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";
import { withFolder } from "../../../support/temporary-folder.ts";
import { PLENTY, type RunningCommands, running } from "../../running-commands.ts";
import { ended, exchange, idOf, piece, started } from "../../storage/story.ts";

const BY_START = { column: "startTime", descending: false } as const;
const ALL = [{ from: null, to: null }];
const EVERY = { type: "delete-picked", filter: "", sort: BY_START, stretches: ALL } as const;
const MINUTE = 60_000;

type Deleting = Extract<Command, { readonly type: "delete-exchange" | "delete-picked" | "undo-deletion" }>;

describe("exchange deletion", (test) => {
  test("given any deletions and undos, all figures and rows are those of a session without the deleted exchanges", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ number: fc.integer({ min: 1, max: 12 }), isUndone: fc.boolean() }), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.boolean(),
        (steps, isStored) =>
          withFolder(async (folder) => {
            const app = deleting(folder);
            app.record(1, 12);
            if (isStored) await app.openStored();
            const deleted = new Set<number>();
            for (const { number, isUndone } of steps) {
              if (deleted.has(number)) {
                assert.match(await app.refusal({ type: "delete-exchange", exchange: idOf(number) }), /no longer/);
                continue;
              }
              const reply = await app.say({ type: "delete-exchange", exchange: idOf(number) });
              assert.equal([reply.count, reply.inFlight], [1, 0]);
              deleted.add(number);
              assert.equal(app.rows(), rest(deleted));
              if (!isUndone) continue;
              await app.say({ type: "undo-deletion", deletion: reply.deletion });
              deleted.delete(number);
              assert.equal(app.rows(), rest(deleted));
            }
            await withFolder(async (other) => {
              const without = deleting(other);
              for (const number of rest(deleted)) without.currentSession.addEvents(exchange(number));
              without.currentSession.regroup();
              assert.equal(plain(app.session()), plain(without.session()));
              await without.end();
            });
            const [listed] = app.commands.state().sessions.filter(({ state }) => isStored === (state !== "current"));
            assert.is(listed?.exchanges, 12 - deleted.size);
            assert.is(listed?.figures?.bytes, 1_234 * (12 - deleted.size));
            await app.end();
          }),
      ),
      { numRuns: rounds(8) },
    ));

  test("given that another session is shown before a selection is found, none of its exchanges is deleted", () =>
    withFolder(async (folder) => {
      const app = deleting(folder);
      app.record(1, 3);
      await app.openStored();
      app.record(1, 3);
      const refused = app.refusal(EVERY);
      app.shown.close();
      assert.match(await refused, /The list has changed meanwhile/);
      assert.equal(app.rows(), [1, 2, 3]);
      await app.end();
    }));

  test("given a minute, the bytes are gone from the files, undo says so, and a session that is opened later lacks them", () =>
    withFolder(async (folder) => {
      const app = deleting(folder);
      const secret = randomBytes(48).toString("base64");
      app.currentSession.addEvents(exchange(1, Buffer.from(secret)));
      app.record(2, 3);
      const { deletion } = await app.say({ type: "delete-exchange", exchange: idOf(1) });
      app.deletion.tick();
      await settled();
      assert.ok(isIn(folder, secret), "purged while it can be undone");
      app.time += MINUTE;
      app.deletion.tick();
      await until(() => !isIn(folder, secret));
      assert.match(await app.refusal({ type: "undo-deletion", deletion }), /for good/);
      await app.openStored();
      assert.equal(app.rows(), [2, 3, 4]);
      await app.end();
    }));

  test("given a selection with exchanges in flight, leaves these; given nothing else, refuses with the reason", () =>
    withFolder(async (folder) => {
      const app = deleting(folder);
      app.record(1, 2);
      app.currentSession.addEvents([started(3), piece(3, Buffer.from("half"))]);
      assert.match(await app.refusal({ type: "delete-exchange", exchange: idOf(3) }), /in flight/);
      const reply = await app.say(EVERY);
      assert.equal([reply.count, reply.inFlight], [2, 1]);
      // What is in flight goes on.
      app.currentSession.addEvents([piece(3, Buffer.from("whole")), ended(3)]);
      assert.equal(app.rows(), [3]);
      assert.is(app.session().exchange(idOf(3))?.outcome?.kind, "responded");
      assert.is((await app.say({ type: "delete-exchange", exchange: idOf(3) })).count, 1);
      assert.equal(app.rows(), []);
      await app.end();
    }));

  test(
    "given more than 10,000 selected, refuses; given events during the deletion, loses none of them",
    () =>
      withFolder(async (folder) => {
        const app = deleting(folder);
        app.record(1, 10_001);
        assert.match(await app.refusal(EVERY), /10,000/);
        const [picked] = [{ from: idOf(1), to: idOf(10_000) }];
        const reply = app.say({ ...EVERY, stretches: [picked] });
        for (let number = 10_002; number <= 10_050; number += 1) {
          app.currentSession.addEvents(exchange(number));
          await setImmediate();
        }
        assert.is((await reply).count, 10_000);
        assert.equal(
          app.rows(),
          Array.from({ length: 50 }, (_, index) => 10_001 + index),
        );
        await app.end();
      }),
    { isLong: true },
  );

  test("given a deletion while another is being counted, counts nothing at once", () =>
    withFolder(async (folder) => {
      const app = deleting(folder);
      app.record(1, 2_000);
      const { currentSession } = app;
      const deleted = (from: number) => ({
        gone: Array.from({ length: 900 }, (_, index) => idOf(from + index)),
        back: [],
      });
      const first = currentSession.changeDeletions(deleted(1));
      const second = currentSession.changeDeletions(deleted(901));
      assert.is(app.session().summary.counted, 2_000);
      await Promise.all([first, second]);
      assert.is(app.session().summary.counted, 200);
      await app.end();
    }));

  test("given the program's end or a kill before the purge, the next start purges, and the figures are the rest's", () =>
    withFolder(async (folder) => {
      const first = deleting(folder);
      const secret = randomBytes(48).toString("base64");
      first.currentSession.addEvents(exchange(1, Buffer.from(secret)));
      first.record(2, 6);
      await first.openStored();
      const id = first.shown.opened?.facts.id ?? "";
      // A kill after the list was written: nothing of the session was read again.
      assert.is(
        SessionStore.open(folder, PLENTY).changeDeletions(id, (deleted) => void deleted.add(idOf(1))),
        null,
      );
      const second = deleting(folder);
      second.deletion.tick();
      await until(() => !isIn(folder, secret) && second.commands.state().sessions[0]?.exchanges === 6);
      assert.is(second.commands.state().sessions[0]?.figures?.bytes, 6 * 1_234);
      await second.ask({ type: "open-session", session: id });
      await second.say({ type: "delete-exchange", exchange: idOf(2) });
      await second.end();
      assert.equal(SessionStore.open(folder, PLENTY).unpurged(), []);
    }));

  test("given another session since, a deletion is not undone in it", () =>
    withFolder(async (folder) => {
      const app = deleting(folder);
      app.record(1, 2);
      const { deletion } = await app.say({ type: "delete-exchange", exchange: idOf(1) });
      app.currentSession.startNew(app.now());
      app.record(3, 1);
      assert.match(await app.refusal({ type: "undo-deletion", deletion }), /not shown/);
      const [, stored] = app.commands.state().sessions;
      await app.ask({ type: "open-session", session: stored?.id ?? "" });
      assert.equal(app.rows(), [2]);
      await app.say({ type: "undo-deletion", deletion });
      assert.equal(app.rows(), [1, 2]);
      await app.end();
    }));
});

function rest(deleted: ReadonlySet<number>): readonly number[] {
  return Array.from({ length: 12 }, (_, index) => index + 1).filter((number) => !deleted.has(number));
}

/** The session's figures, and its rows. Slices of time keep their bounds when their first exchange goes. */
function plain(session: Session): unknown {
  const sums = { requests: 0, errors: 0, bytes: 0 };
  for (const slice of session.summary.slices())
    for (const figure of ["requests", "errors", "bytes"] as const) sums[figure] += slice[figure];
  return JSON.parse(JSON.stringify([keptFiguresOf(session), sums, session.exchanges]));
}

function isIn(folder: string, text: string): boolean {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true });
  return names.some((one) => one.isFile() && readFileSync(join(one.parentPath, one.name)).includes(text));
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setImmediate();
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
}

interface Deletes extends RunningCommands {
  readonly deletion: ExchangeDeletion;
  say(command: Deleting): Promise<Deleted>;
  rows(): readonly number[];
  session(): Session;
  openStored(): Promise<void>;
}

function deleting(folder: string): Omit<Deletes, "end" | "refusal"> & {
  end(): Promise<void>;
  refusal(command: Deleting): Promise<string>;
} {
  const app = running(folder);
  const { currentSession, commands, shown, settings } = app;
  const deletion = new ExchangeDeletion({
    store: app.store,
    currentSession,
    opened: commands.opened,
    clock: { now: app.now },
    sourceOf: ({ opened }) => ({
      session: opened?.session ?? currentSession.session,
      reader: opened?.reader ?? currentSession.reader(),
      baseline: new Baseline([]),
      settings: settings.settings,
      version: "0.0.0",
    }),
    onPurged: (session, problem) => {
      assert.is(problem, null);
      commands.measureAgain(session);
    },
  });
  const say = (command: Deleting) => execute(deletion.handlers, command, { shown, send: () => {} }) as Promise<Deleted>;
  const session = () => shown.opened?.session ?? currentSession.session;
  const end = app.end;
  return Object.assign(app, {
    deletion,
    say,
    session,
    refusal: (command: Deleting) => say(command).then(() => "", String),
    rows: () => {
      const { table } = session();
      const rows = Array.from({ length: table.nextRow - table.firstRow }, (_, index) => table.firstRow + index);
      return rows.filter((row) => !table.isHiddenAt(row)).map((row) => table.ids.at(row));
    },
    openStored: async () => {
      const stored = currentSession.startNew(app.now());
      await app.ask({ type: "open-session", session: stored ?? "" });
    },
    end: async () => {
      await deletion.finish();
      end();
    },
  });
}
