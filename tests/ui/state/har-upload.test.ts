import * as assert from "uvu/assert";
import type { Command } from "../../../src/engine/messages/messages.ts";
import { Commands, type Reply } from "../../../src/ui/state/commands.ts";
import { type ImportReport, uploadHar } from "../../../src/ui/state/har-upload.ts";
import { describe } from "../../support/describe.ts";
import { fakeChannel } from "../../support/fake-channel.ts";

/** An engine that accepts every piece, or refuses the one with this index; 0 is the import itself. */
function engine(refuseAt = -1) {
  const taken: Command[] = [];
  const { channel, receive, enter } = fakeChannel((message) => {
    if (message.type !== "command") return;
    const { number, command } = message;
    taken.push(command);
    const refused = command.type !== "cancel-import" && taken.length - 1 === refuseAt;
    const value =
      command.type === "import-har"
        ? { importNumber: 5 }
        : { exchanges: taken.length, leftOutCount: 0, leftOut: [], session: "a" };
    queueMicrotask(() =>
      receive(
        refused
          ? { type: "reply", number, ok: false, problem: "This is no HAR." }
          : { type: "reply", number, ok: true, value },
      ),
    );
  });
  const commands = new Commands(channel);
  enter({ kind: "open" });
  return { commands, taken };
}

function imported(
  content: string | Uint8Array<ArrayBuffer>,
  refuseAt = -1,
  name = "shop.har",
): Promise<{ taken: readonly Command[]; reports: readonly ImportReport[] }> {
  const { commands, taken } = engine(refuseAt);
  const reports: ImportReport[] = [];
  return new Promise((resolve) => {
    uploadHar(commands, new File([content], name), "opened", (report) => {
      reports.push(report);
      if (report.kind !== "running") resolve({ taken, reports });
    });
  });
}

const piecesOf = (taken: readonly Command[]) =>
  taken.flatMap((command) => (command.type === "import-piece" ? [command] : []));

describe("HAR import in the window", (test) => {
  test("given a long file name, sends only as many characters as a session's name may have", async () => {
    const { taken } = await imported("{}", -1, `${"a".repeat(240)}.har`);
    assert.equal(taken[0], { type: "import-har", fileName: "a".repeat(200), as: "opened" });
  });

  test("given a file, sends its bytes unchanged in pieces of at most 150,000 base64 characters, and marks the last one", async () => {
    const bytes = Uint8Array.from({ length: 250_000 }, (_, index) => (index * 7) % 256);
    const { taken, reports } = await imported(bytes);
    const pieces = piecesOf(taken);
    assert.ok(Buffer.concat(pieces.map(({ base64 }) => Buffer.from(base64, "base64"))).equals(bytes));
    assert.ok(pieces.every(({ base64 }) => base64.length <= 150_000));
    assert.equal(
      pieces.map(({ last }) => last),
      pieces.map((_, at) => at === pieces.length - 1),
    );
    assert.is(reports.at(-1)?.kind, "done");
  });

  test("given a file, reads and sends each piece only after the reply to the piece before", async () => {
    const { channel, sent, enter, receive: answer } = fakeChannel();
    const commands = new Commands(channel);
    enter({ kind: "open" });
    let read = 0;
    const PIECES = 20;
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          read += 1;
          if (read > PIECES) controller.close();
          else controller.enqueue(new Uint8Array(112_500).fill(0x20));
        },
      },
      { highWaterMark: 0 },
    );
    const file = Object.assign(new File([], "shop.har"), { stream: () => stream });
    const settle = async () => {
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
    };
    uploadHar(commands, file, "opened", () => {});
    await settle();
    answer({ type: "reply", number: 1, ok: true, value: { importNumber: 5 } });
    for (let taken = 1; taken <= 5; taken += 1) {
      await settle();
      assert.equal([sent.length, read], [1 + taken, taken]);
      answer({ type: "reply", number: 1 + taken, ok: true, value: { exchanges: taken, leftOutCount: 0, leftOut: [] } });
    }
  });

  test("given an empty file, sends one empty piece marked as the last", async () => {
    assert.equal(
      piecesOf((await imported("")).taken).map(({ base64, last }) => [base64, last]),
      [["", true]],
    );
  });

  test("given a refusal by the engine, ends the import with the engine's reason", async () => {
    for (const refuseAt of [0, 2]) {
      const { taken, reports } = await imported("y".repeat(900_000), refuseAt);
      assert.equal(reports.at(-1), { kind: "failed", problem: "This is no HAR." });
      assert.is(piecesOf(taken).length, refuseAt);
    }
  });

  test("given an import, reports the progress by the bytes sent", async () => {
    const { reports } = await imported("y".repeat(300_001));
    const progress = reports.flatMap((report) => (report.kind === "running" ? [report.progress] : []));
    assert.ok(progress.every((part, at) => part > 0 && part >= (progress[at - 1] ?? 0)));
    assert.is(progress.at(-1), 1);
  });

  test("given a file that becomes unreadable, reports the failure and cancels the import in the engine", async () => {
    const { commands, taken } = engine();
    const stream = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("gone")) });
    const file = Object.assign(new File([], "shop.har"), { stream: () => stream });
    const report = await new Promise<ImportReport>((resolve) => {
      uploadHar(commands, file, "opened", resolve);
    });
    assert.equal(report, { kind: "failed", problem: "The file could not be read: gone" });
    assert.equal(taken.at(-1), { type: "cancel-import", importNumber: 5 });
  });

  test("given a cancel while the last piece is being sent, reports nothing more", async () => {
    let answer: ((reply: Reply) => void) | null = null;
    const commands = {
      send: ({ type }: Command): Promise<Reply> =>
        type === "import-har"
          ? Promise.resolve({ ok: true, value: { importNumber: 5 } })
          : new Promise((resolve) => {
              answer = resolve;
            }),
    } as unknown as Commands;
    const reports: ImportReport[] = [];
    const running = uploadHar(commands, new File(["{}"], "shop.har"), "completed", (report) => reports.push(report));
    const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
    while (answer === null) await turn();
    running();
    (answer as (reply: Reply) => void)({
      ok: true,
      value: { exchanges: 1, leftOutCount: 0, leftOut: [], session: "a" },
    });
    for (let turns = 0; turns < 5; turns += 1) await turn();
    assert.equal(reports, []);
  });

  test("given a cancel, cancels the import in the engine and reports nothing more", async () => {
    const { commands, taken } = engine();
    const reports: ImportReport[] = [];
    let running: ReturnType<typeof uploadHar> | null = null;
    await new Promise<void>((resolve) => {
      running = uploadHar(commands, new File(["z".repeat(900_000)], "shop.har"), "completed", (report) => {
        reports.push(report);
        running?.();
        setTimeout(resolve, 0);
      });
    });
    while (taken.at(-1)?.type !== "cancel-import") await new Promise((resolve) => setTimeout(resolve, 0));
    assert.is(reports.length, 1);
    assert.equal(taken.at(-1), { type: "cancel-import", importNumber: 5 });
  });
});
