import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { listSessions } from "../../../extensions/proxy/storage/stored-sessions.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { killed, recorder, waitForCount } from "./recorder.ts";
import { addSession, countOf, opened, PLENTY } from "./small-sessions.ts";
import { idOf, started } from "./story.ts";

describe("sessions of a data folder", (test) => {
  test("another process reads what was flushed while the recording goes on", () =>
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
});
