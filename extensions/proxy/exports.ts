import { setImmediate } from "node:timers/promises";
import type { ExportStarted, FromEngine } from "../../src/engine/messages/messages.ts";
import type { ExportSource } from "./export-source.ts";
import { type ExportForm, exportText } from "./export-text.ts";

/** messages.ts: a message is at most 1 MB; our choice of characters that leaves room for signs of three bytes. */
const MOST_TEXT = 250_000;

const MEDIA_TYPES = {
  har: "application/json",
  json: "application/json",
  csv: "text/csv",
  md: "text/markdown",
} as const;

/** messages.ts: pieces that may be on their way to a page. */
const MOST_ON_THEIR_WAY = 8;

interface Export {
  readonly send: (message: FromEngine) => void;
  onTheirWay: number;
  /** Lets the next piece be made. */
  goOn: () => void;
}

/**
 * Exports that a page has asked for, each made and sent in pieces between other work, until it is whole or was cancelled. A
 * page says when it took one, so that a slow one is waited for:
 *
 *   piece 1 … piece 8 ─ (nothing is made) ─ took 1 ─ piece 9 …
 */
export class Exports {
  readonly #running = new Map<number, Export>();
  #count = 0;

  /** Begins one; throws the sentence that refuses its filter. */
  start(
    source: ExportSource,
    form: ExportForm,
    filter: string,
    redact: boolean,
    send: (message: FromEngine) => void,
  ): ExportStarted {
    const text = exportText(source, form, filter, redact);
    if (typeof text === "string") throw new Error(text);
    this.#count += 1;
    const exportNumber = this.#count;
    const running: Export = { send, onTheirWay: 0, goOn: () => {} };
    this.#running.set(exportNumber, running);
    void this.#run(exportNumber, running, text);
    const name = form.table === null ? "session" : form.table;
    return { exportNumber, fileName: `weir-${name}.${form.format}`, mediaType: MEDIA_TYPES[form.format] };
  }

  /** The page took a piece. */
  goOn(exportNumber: number): void {
    const running = this.#running.get(exportNumber);
    if (running === undefined) return;
    running.onTheirWay -= 1;
    running.goOn();
  }

  cancel(exportNumber: number): void {
    const running = this.#running.get(exportNumber);
    this.#running.delete(exportNumber);
    running?.goOn();
  }

  /** Whoever listened with `send` is gone. */
  leave(send: (message: FromEngine) => void): void {
    for (const [exportNumber, running] of [...this.#running]) if (running.send === send) this.cancel(exportNumber);
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
      // Before its reply a page knows of no export to which a piece could belong.
      await setImmediate();
      for await (const { text, progress } of pieces) {
        gathered += text;
        while (gathered.length > MOST_TEXT) {
          await this.#room(exportNumber, running);
          const end = endOfPiece(gathered);
          say(gathered.slice(0, end), progress, false, null);
          gathered = gathered.slice(end);
          running.onTheirWay += 1;
        }
        if (!this.#running.has(exportNumber)) return say("", progress, true, "It was cancelled.");
      }
      say(gathered, 1, true, null);
    } catch (error) {
      say("", 1, true, error instanceof Error ? error.message : String(error));
    } finally {
      this.#running.delete(exportNumber);
    }
  }

  /** Until a piece may be sent, or none is wanted any more; other work comes first. */
  async #room(exportNumber: number, running: Export): Promise<void> {
    await setImmediate();
    while (running.onTheirWay >= MOST_ON_THEIR_WAY && this.#running.has(exportNumber)) {
      await new Promise<void>((resolve) => {
        running.goOn = resolve;
      });
    }
  }
}

/** A sign of two characters is not cut in two: each piece becomes bytes by itself. */
function endOfPiece(text: string): number {
  const last = text.charCodeAt(MOST_TEXT - 1);
  return last >= 0xd800 && last <= 0xdbff ? MOST_TEXT - 1 : MOST_TEXT;
}
