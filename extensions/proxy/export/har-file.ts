import { createReadStream, mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { PathTemplates } from "../../../src/engine/insights/path-templates.ts";
import type { LeftOut } from "../../../src/engine/messages/session-messages.ts";
import { failure, type Result, success } from "../../../src/engine/model/result.ts";
import type { Bytes, Instant } from "../../../src/engine/model/units.ts";
import { HarSession } from "../../../src/engine/report/har-session.ts";
import { HarText } from "../../../src/engine/report/har-text.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { inflateFile, openUnpacker } from "../decoding/unpacker.ts";
import { ImportedSession } from "../storage/imported-session.ts";
import { errorText, remove } from "../storage/private-file.ts";
import { SessionReader } from "../storage/session-reader.ts";

/** How many bytes are read at once. */
const PIECE: Bytes = 256 * 1024;

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
  /** Which bodies in files of their own could not be read, as a sentence; `null` if all could. */
  readonly unreadBodies: string | null;
  /** Closes the reader and removes the temporary folder. May be called again. */
  close(): void;
}

/**
 * Reads the file in pieces. A file without an exchange is a failure. `templates`: as in `Session`. `onRead`: called
 * after each piece with the share that was read, 0 to 1.
 */
export async function openHarFile(
  path: string,
  templates: PathTemplates | null,
  onRead: (share: number) => void = () => {},
): Promise<Result<HarFile>> {
  const folder = mkdtempSync(join(tmpdir(), "weir-har-")); // mode 0700
  const forget = () => remove(folder);
  process.once("exit", forget);
  const close = () => {
    process.off("exit", forget);
    remove(folder);
  };
  const opened = await new HarFileReading(folder, templates)
    .read(path, onRead)
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
  readonly #har: HarSession;

  constructor(folder: string, templates: PathTemplates | null) {
    this.#folder = folder;
    this.#stored = new ImportedSession({ sessions: folder, id: "har", cap: Number.POSITIVE_INFINITY });
    this.#har = new HarSession(
      new Session(Number.POSITIVE_INFINITY, templates),
      new HarText(openUnpacker, inflateFile),
      (events) => this.#stored.append(events),
    );
  }

  async read(path: string, onRead: (share: number) => void): Promise<Result<Omit<HarFile, "close">>> {
    const { size } = statSync(path);
    let done = 0;
    for await (const piece of createReadStream(path, { highWaterMark: PIECE })) {
      done += (piece as Buffer).length;
      if (size > 0) onRead(Math.min(1, done / size));
      const problem = await this.#har.read(piece as Buffer, false);
      if (problem !== null) return failure(problem);
    }
    const problem = await this.#har.read(new Uint8Array(0), true);
    this.#har.close();
    if (problem !== null) return failure(problem);
    const at = 0 as Instant;
    const unsaved = this.#stored.finish({ name: basename(path), startedAt: at, endedAt: at, baseline: false }, {});
    if (unsaved !== null) return failure(unsaved);
    const reader = SessionReader.open(join(this.#folder, this.#stored.id));
    if (!reader.ok) return reader;
    const { session, leftOut, leftOutCount, unreadBodies } = this.#har;
    return success({ session, reader: reader.value, leftOut, leftOutCount, unreadBodies });
  }
}
