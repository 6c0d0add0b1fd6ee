import { setImmediate } from "node:timers/promises";
import * as assert from "uvu/assert";
import { Exports } from "../../../extensions/proxy/analysis-thread/exports.ts";
import type { SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import type { FromEngine } from "../../../src/engine/messages/messages.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import type { ExportSource } from "../../../src/engine/report/export-source.ts";
import { Baseline } from "../../../src/engine/session/lists/history.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { describe } from "../../support/describe.ts";
import { type Said, withStored } from "../../support/stored.ts";

type Piece = Extract<FromEngine, { readonly type: "export-piece" }>;

const MOST_ON_THEIR_WAY = 8;
const HAR = { format: "har", table: null } as const;

/** Each entry is longer than one piece. */
const EXCHANGES = 12;
const TEXT = "€ and 😀 ".repeat(40_000);

const conversation: readonly Said[] = Array.from({ length: EXCHANGES }, (_, index) => ({
  sketch: { id: index + 1, start: index },
  responseHeaders: ["Content-Type: text/plain; charset=utf-8"],
  responseBody: TEXT,
}));

/** Exports everything to a page that acknowledges each piece when the test says so. */
async function exporting(
  act: (stage: {
    readonly exports: Exports;
    readonly pieces: Piece[];
    readonly send: (message: FromEngine) => void;
    /** The number of exchanges read so far. */
    read(): number;
    /** Resolves once nothing more happens by itself. */
    quiet(): Promise<void>;
    /** Ends the exported session. */
    end(): void;
  }) => Promise<void>,
): Promise<void> {
  await withStored(conversation, async ({ session, reader, end }) => {
    let read = 0;
    const counting = {
      headsOf: (id) => {
        read += 1;
        return reader.headsOf(id);
      },
      readBodyInTurns: (...asked) => reader.readBodyInTurns(...asked),
      messageCount: (id) => reader.messageCount(id),
      get isClosed() {
        return reader.isClosed;
      },
    } satisfies Partial<SessionReader>;
    const source: ExportSource = {
      session,
      reader: counting as unknown as SessionReader,
      baseline: new Baseline([]),
      settings: DEFAULT_SETTINGS,
      version: "1.2.3",
    };
    const pieces: Piece[] = [];
    const send = (message: FromEngine) => {
      if (message.type === "export-piece") pieces.push(message);
    };
    const exports = new Exports();
    void exports.start(1, source, HAR, "", false, send);
    const quiet = async () => {
      for (let known = -1, calm = 0; calm < 50; calm += 1) {
        if (known !== pieces.length + read) calm = 0;
        known = pieces.length + read;
        await setImmediate();
      }
    };
    await act({ exports, pieces, send, read: () => read, quiet, end });
  });
}

describe("export streams to the page", (test) => {
  test("given a window that reads nothing, sends 8 pieces, and reads no further ones from the disk", () =>
    exporting(async ({ exports, pieces, read, quiet }) => {
      await quiet();
      assert.is(pieces.length, MOST_ON_THEIR_WAY);
      assert.ok(read() <= MOST_ON_THEIR_WAY, `${read()} read`);
      exports.acknowledge(1);
      await quiet();
      assert.is(pieces.length, MOST_ON_THEIR_WAY + 1);
      exports.cancel(1);
      await quiet();
    }));

  test("given a window that reads all, delivers all, and splits no character", () =>
    exporting(async ({ exports, pieces }) => {
      for (let taken = 0; pieces.at(-1)?.done !== true; await setImmediate()) {
        for (; taken < pieces.length; taken += 1) exports.acknowledge(1);
      }
      const bytes = Buffer.concat(pieces.map(({ text }) => Buffer.from(text)));
      const { log } = JSON.parse(bytes.toString());
      assert.is(log.entries.length, EXCHANGES);
      for (const { response } of log.entries) assert.ok(response.content.text === TEXT);
      assert.ok(pieces.length > EXCHANGES);
      const progress = pieces.map((piece) => piece.progress);
      assert.equal(
        progress,
        progress.toSorted((left, right) => left - right),
      );
    }));

  test("given a short export, sends its first piece only after the reply", async () => {
    const pieces: Piece[] = [];
    const source = { session: new Session(), reader: null, baseline: new Baseline([]), settings: DEFAULT_SETTINGS };
    void new Exports().start(
      1,
      { ...source, version: "1" },
      { format: "csv", table: "latency" },
      "",
      true,
      (message) => {
        if (message.type === "export-piece") pieces.push(message);
      },
    );
    // The reply passes through some promises and nothing else.
    for (let step = 0; step < 1_000; step += 1) await null;
    assert.equal(pieces, []);
    while (pieces.length === 0) await setImmediate();
    assert.is(pieces[0]?.done, true);
  });

  test("given a cancelled export that waits for its page, ends it with a message", () =>
    exporting(async ({ exports, pieces, quiet }) => {
      await quiet();
      exports.cancel(1);
      await quiet();
      assert.equal([pieces.at(-1)?.done, pieces.at(-1)?.problem], [true, "The export was cancelled."]);
      assert.ok(pieces.length <= MOST_ON_THEIR_WAY + 3);
    }));

  test("given a session closed during its export, ends the export with a problem", () =>
    exporting(async ({ exports, pieces, quiet, end }) => {
      await quiet();
      end();
      for (let taken = 0; taken < MOST_ON_THEIR_WAY; taken += 1) exports.acknowledge(1);
      await quiet();
      const last = pieces.at(-1);
      assert.is(last?.done, true);
      assert.match(last?.problem ?? "", /closed before its export was complete/);
    }));

  test("given a session closed before its chains and repeats are found, ends their export with a problem", async () => {
    for (const table of ["chains", "groups", "repeats"] as const) {
      await withStored(conversation, async ({ session, reader, end }) => {
        const source = { session, reader, baseline: new Baseline([]), settings: DEFAULT_SETTINGS, version: "1.2.3" };
        const said = new Promise<Piece>((resolve) => {
          void new Exports().start(1, source, { format: "json", table }, "", true, (message) => {
            if (message.type === "export-piece" && message.done) resolve(message);
          });
        });
        end();
        assert.match((await said).problem ?? "", /closed before its export was complete/, table);
      });
    }
  });
});
