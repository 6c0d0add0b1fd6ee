import { setImmediate } from "node:timers/promises";

import { unwrap } from "../../../src/engine/model/result.ts";
import { type ExportSource, matchingSourceOf } from "../../../src/engine/report/export-source.ts";
import { filterOf } from "../../../src/engine/session/filter/filter.ts";
import { HeaderReading } from "../../../src/engine/session/filter/header-reading.ts";
import type { PickedRanges } from "../../../src/engine/session/lists/matching-exchanges.ts";
import { type ExportForm, exportText } from "../export/export-text.ts";
import { commandPause } from "../process/timeslicer.ts";
import type { WorkMessage } from "./analysis-messages.ts";

/** The most characters of a piece. With up to three UTF-8 bytes each, they fit into a message of 1 MB (messages.ts). */
const MOST_TEXT = 250_000;

/** messages.ts: the most pieces of an export that are sent but not yet acknowledged. */
const MOST_ON_THEIR_WAY = 8;

interface Export {
  readonly send: (message: WorkMessage) => void;
  unacknowledged: number;
  acknowledge: () => void;
}

/**
 * Running exports, each made and sent in pieces. UI clients acknowledge each piece, so a slow client delays its export:
 *
 *   piece 1 … piece 8 ─ (paused) ─ acknowledged 1 ─ piece 9 …
 */
export class Exports {
  readonly #running = new Map<number, Export>();

  /** Starts an export, after reading the headers that its filter names. Throws the sentence that refuses the filter. */
  async start(
    exportNumber: number,
    source: ExportSource,
    form: ExportForm,
    filter: string,
    redact: boolean,
    send: (message: WorkMessage) => void,
    picked: PickedRanges | null = null,
  ): Promise<void> {
    await headersRead(source, filter);
    const text = unwrap(exportText(source, form, filter, redact, picked));
    const running: Export = { send, unacknowledged: 0, acknowledge: () => {} };
    this.#running.set(exportNumber, running);
    void this.#run(exportNumber, running, text);
  }

  /** Called when the UI client has received a piece. The export may then send another one. */
  acknowledge(exportNumber: number): void {
    const running = this.#running.get(exportNumber);
    if (running === undefined) return;
    running.unacknowledged -= 1;
    running.acknowledge();
  }

  cancel(exportNumber: number): void {
    const running = this.#running.get(exportNumber);
    this.#running.delete(exportNumber);
    running?.acknowledge();
  }

  async #run(
    exportNumber: number,
    running: Export,
    pieces: AsyncGenerator<{ readonly text: string; readonly progress: number }>,
  ): Promise<void> {
    const say = (text: string, progress: number, done: boolean, problem: string | null) =>
      running.send({ type: "export-piece", exportNumber, text, progress, done, problem });
    let gathered = "";
    try {
      // The reply must be sent first: it contains the number of this export.
      await setImmediate();
      for await (const { text, progress } of pieces) {
        gathered += text;
        while (gathered.length > MOST_TEXT) {
          await this.#room(exportNumber, running);
          const end = endOfPiece(gathered);
          say(gathered.slice(0, end), progress, false, null);
          gathered = gathered.slice(end);
          running.unacknowledged += 1;
        }
        if (!this.#running.has(exportNumber)) return say("", progress, true, "The export was cancelled.");
      }
      say(gathered, 1, true, null);
    } catch (error) {
      say("", 1, true, error instanceof Error ? error.message : String(error));
    } finally {
      this.#running.delete(exportNumber);
    }
  }

  /** Lets other work run. Resolves once a piece may be sent or the export was cancelled. */
  async #room(exportNumber: number, running: Export): Promise<void> {
    await setImmediate();
    while (running.unacknowledged >= MOST_ON_THEIR_WAY && this.#running.has(exportNumber)) {
      await new Promise<void>((resolve) => {
        running.acknowledge = resolve;
      });
    }
  }
}

/** Reads the headers that a filter names. */
async function headersRead(source: ExportSource, text: string): Promise<void> {
  const filter = filterOf(text);
  if (!filter.ok) return;
  const reading = new HeaderReading(source.session.table, filter.value);
  const pause = commandPause();
  while (!reading.advance(matchingSourceOf(source).headsOf)) await pause();
}

/** The length of the next piece. Never splits a surrogate pair, because each piece is encoded by itself. */
function endOfPiece(text: string): number {
  const last = text.charCodeAt(MOST_TEXT - 1);
  return last >= 0xd800 && last <= 0xdbff ? MOST_TEXT - 1 : MOST_TEXT;
}
