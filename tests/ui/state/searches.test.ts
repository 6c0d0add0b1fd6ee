import * as assert from "uvu/assert";
import type { FromEngine } from "../../../src/engine/messages/messages.ts";
import { Commands } from "../../../src/ui/state/commands.ts";
import { Searches, type SearchReport } from "../../../src/ui/state/searches.ts";
import { describe } from "../../support/describe.ts";
import { fakeChannel } from "../../support/fake-channel.ts";

function stage() {
  const { channel, sent, enter, receive } = fakeChannel();
  const searches = new Searches(channel, new Commands(channel));
  enter({ kind: "open" });
  const hear = async (message: FromEngine) => {
    receive(message);
    await null;
    await null;
  };
  const started = () => hear({ type: "reply", number: 1, ok: true, value: { searchNumber: 7 } });
  const hits = (searchNumber: number, done: boolean) =>
    hear({ type: "search-hits", searchNumber, hits: [], progress: done ? 1 : 0.5, done, cut: false, problem: null });
  const reports: SearchReport[] = [];
  const cancel = searches.start("token", (report) => reports.push(report));
  const commands = () => sent.flatMap((message) => (message.type === "command" ? [message.command] : []));
  return { cancel, reports, commands, hear, started, hits, enter };
}

describe("running search in the window", (test) => {
  test("given hits of several searches, reports its own hits only, until it is done", async () => {
    const { reports, commands, started, hits } = stage();
    assert.equal(commands(), [{ type: "search", text: "token" }]);
    await started();
    await hits(8, false);
    await hits(7, false);
    await hits(7, true);
    await hits(7, true);
    assert.equal(
      reports.map((report) => report.kind === "found" && [report.progress, report.done]),
      [
        [0.5, false],
        [1, true],
      ],
    );
  });

  for (const isNamed of [true, false]) {
    test(`given a search, cancelling ${isNamed ? "" : "before it has a number "}stops it in the engine and ends its reports`, async () => {
      const { cancel, reports, commands, started, hits } = stage();
      if (isNamed) await started();
      cancel();
      if (!isNamed) await started();
      await hits(7, false);
      assert.equal(commands().at(-1), { type: "cancel-search", searchNumber: 7 });
      assert.equal(reports, []);
    });
  }

  test("given a search whose thread is gone, fails with its sentence", async () => {
    const { reports, started, hear } = stage();
    await started();
    const end = { type: "search-hits", searchNumber: 7, hits: [], progress: 1, done: true, cut: false } as const;
    await hear({ ...end, problem: "The search failed: it ended. Search again." });
    assert.equal(reports, [{ kind: "failed", problem: "The search failed: it ended. Search again." }]);
  });

  test("given a refusal or a lost connection, reports the search as failed", async () => {
    const refused = stage();
    await refused.hear({ type: "reply", number: 1, ok: false, problem: "No." });
    assert.equal(refused.reports, [{ kind: "failed", problem: "No." }]);
    const lost = stage();
    await lost.started();
    lost.enter({ kind: "lost" });
    assert.is(lost.reports[0]?.kind, "failed");
  });
});
