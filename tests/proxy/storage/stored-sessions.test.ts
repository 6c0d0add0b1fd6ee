import * as assert from "uvu/assert";
import { listSessions } from "../../../extensions/proxy/storage/stored-sessions.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { killed, recorder, waitForCount } from "./recorder.ts";
import { countOf, opened } from "./small-sessions.ts";
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
});
