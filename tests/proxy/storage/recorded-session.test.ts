import { cp, mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  surplusOf,
  TRASH_BYTES,
  TRASH_SESSIONS,
  TRASH_TIME,
} from "../../../extensions/proxy/storage/recorded-session.ts";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { listSessions, openSession } from "../../../extensions/proxy/storage/stored-sessions.ts";
import { NO_ANNOTATION } from "../../../src/engine/model/annotation.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { addSession, countOf, opened, PLENTY, recorded } from "./small-sessions.ts";
import { exchange, idOf, moment } from "./story.ts";

describe("recorded session", (test) => {
  test("given dropped exchanges, keeps the figures; given a deleted session, keeps nothing", () =>
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

  test("given links among a session's files, counts only the links themselves and deletes no target", () =>
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

  test("given annotations of a recorded or an ended session, reads them after a restart", () =>
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

const DAY = 86_400_000;

describe("trash of sessions", (test) => {
  test("given sessions of any age and size, keeps the latest that fit, and the latest of all for 7 days", () => {
    const session = fc.record({
      age: fc.integer({ min: 0, max: 2 * TRASH_TIME }),
      size: fc.integer({ min: 0, max: 2 * TRASH_BYTES }),
    });
    fc.assert(
      fc.property(fc.array(session, { maxLength: TRASH_SESSIONS + 20 }), (drawn) => {
        const now = moment(0);
        const trash = drawn
          .toSorted((one, other) => one.age - other.age)
          .map(({ age, size }, index) => ({ id: String(index), trashedAt: (now - age) as Instant, size }));
        const gone = new Set(surplusOf(trash, now));
        const stays = trash.filter(({ id }) => !gone.has(id));
        assert.equal(
          stays.map(({ id }) => id),
          stays.map((_, index) => String(index)),
          "the oldest go",
        );
        assert.ok(stays.every(({ trashedAt }) => now - trashedAt < TRASH_TIME));
        const bytes = stays.reduce((sum, { size }) => sum + size, 0);
        assert.ok(stays.length <= 1 || (bytes <= TRASH_BYTES && stays.length <= TRASH_SESSIONS));
        const next = trash[stays.length];
        if (next === undefined || now - next.trashedAt >= TRASH_TIME) return;
        assert.ok(bytes + next.size > TRASH_BYTES || stays.length === TRASH_SESSIONS, "no session leaves needlessly");
      }),
    );
  });

  test("given a kill after any step, each session is whole in the list or the trash, and deleted ones are in neither", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            step: fc.constantFrom("trash", "restore", "delete", "kill"),
            which: fc.nat(3),
          }),
          { maxLength: 12 },
        ),
        (steps) =>
          withFolder(async (folder) => {
            const own = join(folder, "own");
            const store = SessionStore.open(own, PLENTY);
            const ids = [0, 1, 2, 3].map((day) => addSession(store, 1 + day, day * DAY));
            const places = new Map(ids.map((id) => [id, "list"]));
            for (const { step, which } of steps) {
              const id = ids[which] ?? "";
              const place = places.get(id) ?? "";
              if (step === "trash") {
                assert.is(store.trashSession(id, moment(which)) === null, place === "list");
                if (place === "list") places.set(id, "trash");
              } else if (step === "restore") {
                assert.is(store.restoreSession(id) === null, place === "trash");
                if (place === "trash") places.set(id, "list");
              } else if (step === "delete") {
                assert.is(store.deleteSession(id) === null, place !== "");
                places.set(id, "");
              } else {
                const copy = join(folder, "copy");
                await cp(own, copy, { recursive: true });
                const again = SessionStore.open(copy, PLENTY);
                for (const [one, where] of places) {
                  const exchanges = ids.indexOf(one) + 1;
                  const found = (all: readonly { readonly id: string; readonly exchanges: number }[]) =>
                    all.some((facts) => facts.id === one && facts.exchanges === exchanges);
                  assert.equal([found(again.list()), found(again.trash())], [where === "list", where === "trash"]);
                  assert.is(found(listSessions(copy)), where === "list", "as other processes see it");
                  assert.is(again.openEnded(one).ok, where === "list");
                }
                await rm(copy, { recursive: true });
              }
            }
          }),
      ),
      { numRuns: rounds(10) },
    ));

  test("given a deletion that a kill interrupted, the next start ends it, and recovers nothing", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const id = addSession(store, 2, 0);
      await rename(join(folder, "sessions", id), join(folder, "sessions", `${id}.deleted`));
      await rm(join(folder, "sessions", `${id}.deleted`, "session.json"));
      const again = SessionStore.open(folder, PLENTY);
      assert.equal([again.list(), again.trash(), again.recovered, again.notices], [[], [], null, []]);
      assert.equal(await readdir(join(folder, "sessions")), []);
    }));

  test("given a folder that cannot be renamed, a deletion is refused, and the session stays", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const id = addSession(store, 1, 0);
      await mkdir(join(folder, "sessions", `${id}.deleted`, "in the way"), { recursive: true });
      assert.match(store.deleteSession(id) ?? "", /cannot be deleted/);
      assert.is(store.list().length, 1);
    }));

  test("given a folder over its limit, the trash goes first, the oldest before the others", () =>
    withFolder((folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const ids = [0, 1, 2].map((day) => addSession(store, 50, day * DAY));
      const [kept = "", second = "", first = ""] = ids;
      store.trashSession(first, moment(5 * DAY));
      store.trashSession(second, moment(6 * DAY));
      const size = store.sizeOf(kept);
      assert.equal(store.prune(size * 2.5, 50), { dropped: [], isOver: false });
      assert.equal(
        [store.list(), store.trash()].map((all) => all.map(({ id }) => id)),
        [[kept], [second]],
      );
      assert.is(store.prune(size * 0.5, 50).dropped.length, 1, "then the exchanges of what is listed");
      assert.equal(store.trash(), []);
    }));
});
