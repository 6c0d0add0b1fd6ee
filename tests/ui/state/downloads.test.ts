import * as assert from "uvu/assert";
import type { FromEngine } from "../../../src/engine/messages/messages.ts";
import { Commands } from "../../../src/ui/state/commands.ts";
import { Downloads, type ExportReport } from "../../../src/ui/state/downloads.ts";
import { describe } from "../../support/describe.ts";
import { fakeChannel } from "../../support/fake-channel.ts";

const HAR = { type: "export", format: "har", table: null, redact: true, filter: "" } as const;

async function stage() {
  const { channel, sent, enter, receive: receiveOnly } = fakeChannel();
  const downloads = new Downloads(channel, new Commands(channel));
  const reports: ExportReport[] = [];
  const receive = async (message: FromEngine) => {
    receiveOnly(message);
    await Promise.resolve();
    await Promise.resolve();
  };
  enter({ kind: "open" });
  const cancel = downloads.start(HAR, (report) => reports.push(report));
  const piece = (text: string, progress: number, done = false, problem: string | null = null) =>
    receive({ type: "export-piece", exportNumber: 4, text, progress, done, problem });
  return { sent, reports, enter, receive, cancel, piece };
}

const STARTED: FromEngine = {
  type: "reply",
  number: 1,
  ok: true,
  value: { exportNumber: 4, fileName: "weir.har", mediaType: "application/json" },
};

describe("exports", (test) => {
  test("pieces become one file under the name the engine gave", async () => {
    const { reports, receive, piece } = await stage();
    await receive(STARTED);
    await piece('{"log":', 0.5);
    await piece("{}}", 1, true);
    assert.equal(reports[0], { kind: "running", progress: 0.5 });
    const last = reports[1];
    if (last?.kind !== "done") throw new Error("it should be done");
    assert.is(last.fileName, "weir.har");
    assert.is(await last.file.text(), '{"log":{}}');
  });

  test("the engine is told of each piece that was taken, and of none that ends it", async () => {
    const { sent, receive, piece } = await stage();
    await receive(STARTED);
    const taken = () => sent.filter((message) => message.type === "command" && message.command.type === "took-piece");
    await piece("a", 0.1);
    await piece("b", 0.2);
    assert.is(taken().length, 2);
    await piece("c", 1, true);
    assert.is(taken().length, 2);
    assert.equal(taken()[0], { type: "command", number: 2, command: { type: "took-piece", exportNumber: 4 } });
  });

  test("a problem ends it", async () => {
    const { reports, receive, piece } = await stage();
    await receive(STARTED);
    await piece("", 0, true, "The disk is full.");
    assert.equal(reports, [{ kind: "failed", problem: "The disk is full." }]);
  });

  test("a refusal is reported", async () => {
    const { reports, receive } = await stage();
    await receive({ type: "reply", number: 1, ok: false, problem: "Nothing to export." });
    assert.equal(reports, [{ kind: "failed", problem: "Nothing to export." }]);
  });

  test("cancelled before or after it began, nothing more is said and the engine is told", async () => {
    for (const early of [true, false]) {
      const { sent, reports, receive, cancel, piece } = await stage();
      if (early) cancel();
      await receive(STARTED);
      if (!early) cancel();
      await piece("{}", 1, true);
      assert.equal(reports, []);
      assert.equal(
        sent.flatMap((message) => (message.type === "command" ? [message.command] : [])),
        [HAR, { type: "cancel-export", exportNumber: 4 }],
      );
    }
  });

  test("what comes after its end is not part of it", async () => {
    const { sent, reports, receive, piece } = await stage();
    await receive(STARTED);
    await piece("{}", 1, true);
    await piece("more", 1);
    assert.equal([reports.map(({ kind }) => kind), sent.length], [["done"], 1]);
  });

  test("a lost connection ends it with a reason", async () => {
    const { reports, receive, enter } = await stage();
    await receive(STARTED);
    enter({ kind: "lost" });
    assert.is(reports[0]?.kind, "failed");
    const ended = await stage();
    await ended.receive(STARTED);
    ended.enter({ kind: "closed", reason: "Weir has exited." });
    assert.equal(ended.reports, [{ kind: "failed", problem: "Weir has exited." }], "to try again is of no use");
  });
});
