import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { newFacts, newSessionId, type SessionFacts } from "../../../extensions/proxy/storage/session-facts.ts";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import {
  chosenSession,
  listSessions,
  openSession,
  readSessionFigures,
} from "../../../extensions/proxy/storage/stored-sessions.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { killed, recorder, waitForCount } from "./recorder.ts";
import { addSession, countOf, opened, PLENTY } from "./small-sessions.ts";
import { idOf, moment, started } from "./story.ts";

describe("stored sessions of a data folder", (test) => {
  test("given a running recording, another process reads what was flushed", () =>
    withFolder(async (folder) => {
      const child = recorder(folder);
      try {
        const before = await waitForCount(child, 3);
        const [facts] = listSessions(folder);
        assert.is(facts?.state, "current");
        const reader = opened(folder, facts?.id ?? "");
        assert.ok(countOf(reader) >= before);
        const later = await waitForCount(child, 2);
        assert.ok(countOf(reader) >= later);
        assert.equal(reader.headsOf(idOf(5))?.request, started(5).head);
        assert.is(reader.problem, null);
        reader.close();
      } finally {
        await killed(child);
      }
    }));

  test("given a link in the place of a session, neither lists nor changes what it leads to (docs/security.md R2)", () =>
    withFolder((folder) => {
      const id = addSession(SessionStore.open(folder, PLENTY), 1, 0);
      const other = addSession(SessionStore.open(folder, PLENTY), 1, 5_000);
      const elsewhere = join(folder, "elsewhere");
      mkdirSync(elsewhere);
      writeFileSync(join(elsewhere, "mine"), "mine");
      renameSync(join(folder, "sessions", other), join(folder, "moved"));
      symlinkSync(elsewhere, join(folder, "sessions", other));
      SessionStore.open(folder, PLENTY);
      assert.equal(
        listSessions(folder).map((facts) => facts.id),
        [id],
      );
      assert.equal(readdirSync(elsewhere), ["mine"]);
    }));

  test("given a link in the place of a session, by its id neither reads, changes, trashes nor deletes it (docs/security.md R2)", () =>
    withFolder((folder) => {
      const store = SessionStore.open(folder, PLENTY);
      const [ended, trashed] = [addSession(store, 1, 0), addSession(store, 1, 5_000)];
      assert.is(store.trashSession(trashed, moment(9_000)), null);
      const places = [ended, trashed].map((id) => ({
        id,
        real: join(folder, `moved-${id}`),
        link: join(folder, "sessions", id),
      }));
      for (const { real, link } of places) {
        renameSync(link, real);
        symlinkSync(real, link);
      }
      const before = places.map(({ real }) => filesIn(real));
      for (const { id } of places) {
        assert.is(store.figuresOf(id), null);
        assert.is(readSessionFigures(folder, id), null);
        assert.is(store.sizeOf(id), 0);
        assert.not(store.openEnded(id).ok);
        assert.not(openSession(folder, id).ok);
        const refusals = [
          store.describeSession(id, { name: "other" }),
          store.trashSession(id, moment(9_000)),
          store.restoreSession(id),
          store.keepFigures(id, {}),
          store.annotateEnded(id, [[idOf(1), { mark: "star", comment: "" }]]),
          store.changeDeletions(id, (deleted) => deleted.add(idOf(1))),
          store.dropExchanges(id),
          store.deleteSession(id),
        ];
        assert.ok(
          refusals.every((refusal) => refusal !== null),
          JSON.stringify(refusals),
        );
      }
      assert.equal(store.trash(), []);
      assert.equal(
        places.map(({ real }) => filesIn(real)),
        before,
      );
      assert.ok(places.every(({ link }) => lstatSync(link).isSymbolicLink()));
    }));

  test("given links, and folders that Weir did not name, with the suffixes of interrupted work, a start leaves them", () =>
    withFolder((folder) => {
      const id = addSession(SessionStore.open(folder, PLENTY), 1, 0);
      const sessions = join(folder, "sessions");
      const elsewhere = join(folder, "elsewhere");
      mkdirSync(elsewhere);
      const own = ["notes.deleted", "notes.import"];
      for (const name of own) mkdirSync(join(sessions, name));
      const interrupted = [".deleted", ".import"].map((suffix) => id.replace(/.{6}$/, "abcdef") + suffix);
      for (const name of interrupted) mkdirSync(join(sessions, name));
      const links = [".deleted", ".import"].map((suffix) => id + suffix);
      for (const name of links) symlinkSync(elsewhere, join(sessions, name));
      SessionStore.open(folder, PLENTY);
      assert.equal(readdirSync(sessions).toSorted(), [id, ...links, ...own].toSorted());
    }));
});

/** Names and contents of the files in a folder. */
function filesIn(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => [name, readFileSync(join(folder, name), "base64")] as const);
}

function session(at: number, name: string, state: SessionFacts["state"] = "completed", title = ""): SessionFacts {
  const start = at as Instant;
  const endedAt = state === "current" ? null : ((at + 1_000) as Instant);
  return { ...newFacts(newSessionId(start), start), name, title, state, endedAt };
}

describe("session lookup for --session", (test) => {
  test("given an id, a word or a name, finds it; a name goes before a title", () => {
    const [first, second, third] = [
      session(1_000, "before"),
      session(9_000, "after", "completed", "shop.test, Chrome"),
      session(99_000, "", "current", "shop.test, Chrome"),
    ] as const;
    const all = [first, second, third];
    const found = (wanted: string) => unwrap(chosenSession(all, wanted));
    assert.equal([first.id, "before", "current", "newest", "last"].map(found), [first, first, third, third, second]);
    assert.is(found("shop.test, Chrome"), third);
    assert.is(found("absent"), null);
  });

  test("given several sessions of one name, names their ids and chooses none", () =>
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 5 }), (count) => {
        const all = Array.from({ length: count }, (_, index) => session(index * 5_000, "twin"));
        const chosen = chosenSession(all, "twin");
        for (const { id } of all) assert.match(chosen.ok ? "" : chosen.problem, id);
      }),
    ));
});
