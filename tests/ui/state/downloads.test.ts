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

describe("export downloads", (test) => {
  test("given pieces, joins them into one file with the name from the engine", async () => {
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

  test("given pieces, acknowledges each one to the engine, except the last one", async () => {
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

  test("given a piece with a problem, ends the export as failed", async () => {
    const { reports, receive, piece } = await stage();
    await receive(STARTED);
    await piece("", 0, true, "The disk is full.");
    assert.equal(reports, [{ kind: "failed", problem: "The disk is full." }]);
  });

  test("given a refused export, reports it as failed with the engine's reason", async () => {
    const { reports, receive } = await stage();
    await receive({ type: "reply", number: 1, ok: false, problem: "Nothing to export." });
    assert.equal(reports, [{ kind: "failed", problem: "Nothing to export." }]);
  });

  test("given a cancel before or after the start, cancels the export in the engine and reports nothing more", async () => {
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

  test("given a piece after the last one, ignores it", async () => {
    const { sent, reports, receive, piece } = await stage();
    await receive(STARTED);
    await piece("{}", 1, true);
    await piece("more", 1);
    assert.equal([reports.map(({ kind }) => kind), sent.length], [["done"], 1]);
  });

  test("given a lost or closed connection, ends the export as failed, once closed with the reason", async () => {
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
