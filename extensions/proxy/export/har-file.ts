import { createReadStream, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { PathTemplates } from "../../../src/engine/insights/path-templates.ts";
import { HarEntries, type HarExchange } from "../../../src/engine/interchange/har-entries.ts";
import type { LeftOut } from "../../../src/engine/messages/session-messages.ts";
import { failure, type Problem, type Result, success } from "../../../src/engine/model/result.ts";
import type { Bytes, Instant } from "../../../src/engine/model/units.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { HarText } from "../recording/har-text.ts";
import { OperationReader } from "../recording/operation-reader.ts";
import { ImportedSession } from "../storage/imported-session.ts";
import { errorText, remove } from "../storage/private-file.ts";
import { SessionReader } from "../storage/session-reader.ts";

/** How many bytes are read at once. */
const PIECE: Bytes = 256 * 1024;
/** After this many characters, the session is flushed to disk. */
const HELD = 16 * 1024 * 1024;

/**
 * A HAR file as a session. The id of an exchange is the index of its entry, from 1. Bodies are stored in a temporary
 * folder.
 */
export interface HarFile {
  readonly session: Session;
  readonly reader: SessionReader;
  /** The first 100 entries that could not be read, and the number of all of them. */
  readonly leftOut: readonly LeftOut[];
  readonly leftOutCount: number;
  /** Closes the reader and removes the temporary folder. May be called again. */
  close(): void;
}

/** Reads the file in pieces. A file without an exchange is a failure. `templates`: as in `Session`. */
export async function openHarFile(path: string, templates: PathTemplates | null): Promise<Result<HarFile>> {
  const folder = mkdtempSync(join(tmpdir(), "weir-har-")); // mode 0700
  const forget = () => remove(folder);
  process.once("exit", forget);
  const close = () => {
    process.off("exit", forget);
    remove(folder);
  };
  const opened = await new HarFileReading(folder, templates)
    .read(path)
    .catch((error: unknown) => failure(`${errorText(error)}.`));
  if (!opened.ok) {
    close();
    return failure(`${path} cannot be read: ${opened.problem}`);
  }
  const { reader } = opened.value;
  return success({
    ...opened.value,
    close() {
      if (!reader.isClosed) reader.close();
      close();
    },
  });
}

class HarFileReading {
  readonly #folder: string;
  readonly #stored: ImportedSession;
  readonly #session: Session;
  readonly #operations = new OperationReader();
  readonly #text = new HarText();
  readonly #entries = new HarEntries();
  #exchanges = 0;
  #held = 0;

  constructor(folder: string, templates: PathTemplates | null) {
    this.#folder = folder;
    this.#stored = new ImportedSession(folder, "har", Number.POSITIVE_INFINITY, () => {});
    this.#session = new Session(Number.POSITIVE_INFINITY, templates);
  }

  async read(path: string): Promise<Result<Omit<HarFile, "close">>> {
    for await (const piece of createReadStream(path, { highWaterMark: PIECE })) {
      const problem = await this.#take(piece as Buffer, false);
      if (problem !== null) return failure(problem);
    }
    const problem = (await this.#take(Buffer.alloc(0), true)) ?? this.#entries.finish() ?? this.#nothing();
    this.#text.close();
    if (problem !== null) return failure(problem);
    const { pages } = this.#entries;
    this.#session.apply(pages);
    this.#stored.append(pages);
    this.#session.learn();
    const at = 0 as Instant;
    const unsaved = this.#stored.finish({ name: basename(path), startedAt: at, endedAt: at, baseline: false }, {});
    if (unsaved !== null) return failure(unsaved);
    const reader = SessionReader.open(join(this.#folder, this.#stored.id));
    if (!reader.ok) return reader;
    const { leftOut, leftOutCount } = this.#entries;
    return success({ session: this.#session, reader: reader.value, leftOut, leftOutCount });
  }

  /** Reads a piece. Returns `null`, or a sentence why the file is refused. */
  async #take(bytes: Buffer, last: boolean): Promise<Problem | null> {
    for await (const text of this.#text.decode(bytes, last)) {
      for (const exchange of this.#entries.push(text)) this.#add(exchange);
      this.#held += text.length;
    }
    if (last) for (const exchange of this.#entries.rest()) this.#add(exchange);
    const isFull = this.#held > HELD;
    if (isFull) {
      this.#held = 0;
    }
    return this.#text.problem ?? this.#entries.problem ?? (isFull ? this.#stored.flush() : null);
  }

  #add({ events: given }: HarExchange): void {
    const events = this.#operations.read(given);
    this.#exchanges += 1;
    this.#session.apply(events);
    this.#stored.append(events);
  }

  #nothing(): Problem | null {
    if (this.#exchanges > 0) return null;
    const [first] = this.#entries.leftOut;
    return first === undefined
      ? "The file holds no exchange."
      : `The file holds no exchange. Entry ${first.entry}: ${first.reason}.`;
  }
}
