import { basename } from "node:path";
import type { PathTemplates } from "../../../../src/engine/insights/path-templates.ts";
import type { Command } from "../../../../src/engine/messages/messages.ts";
import type { ImportProgress, ImportStarted } from "../../../../src/engine/messages/session-messages.ts";
import { failure } from "../../../../src/engine/model/result.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import type { FromImport, ImportStart, ToImport } from "../../import-thread/import-messages.ts";
import { type ImportTarget, removeImport } from "../../storage/imported-session.ts";
import type { SessionStore } from "../../storage/sessions.ts";
import { onThreadEnd, type ReaderThread, readerThread } from "../../threads.ts";

/** The most files that are imported at the same time. */
const MOST_IMPORTS = 4;

const CANCELLED = "The import was cancelled.";

type ImportAs = Extract<Command, { readonly type: "import-har" }>["as"];

export type ImportWorker = ReaderThread<ToImport, FromImport>;

interface Import {
  /** The UI client that sends the file. */
  readonly page: object;
  readonly as: ImportAs;
  readonly target: ImportTarget;
  readonly worker: ImportWorker;
  /** Takes the reply to the last piece; `null` between pieces. */
  onReply: ((reply: FromImport) => void) | null;
}

/**
 * HAR files that UI clients send in pieces. Each has a thread of its own that reads it, and becomes a completed session
 * once its last piece has arrived.
 */
export class HarImports {
  readonly #store: SessionStore;
  readonly #spawn: (start: ImportStart) => ImportWorker;
  readonly #imports = new Map<number, Import>();
  #count = 0;

  constructor(
    store: SessionStore,
    spawn: (start: ImportStart) => ImportWorker = (start) => readerThread("import", start),
  ) {
    this.#store = store;
    this.#spawn = spawn;
  }

  /**
   * Starts an import. A file that is only opened is left out of the baseline. `page`: the UI client that sends the
   * file.
   */
  start(fileName: string, as: ImportAs, now: Instant, templates: PathTemplates | null, page: object): ImportStarted {
    if (this.#imports.size >= MOST_IMPORTS)
      throw new Error("Too many files are being read. Wait until one has been read.");
    this.#count += 1;
    const importNumber = this.#count;
    const target = this.#store.importTarget(now);
    const grouping = templates === null ? null : { rules: templates.rules, folds: templates.folds };
    const worker = this.#spawn({ target, name: basename(fileName), baseline: as === "completed", grouping });
    const one: Import = { page, as, target, worker, onReply: null };
    worker.on("message", (reply) => one.onReply?.(reply));
    onThreadEnd(worker, (trouble) => void this.#drop(importNumber, `The file could not be read: ${trouble}.`));
    worker.unref();
    this.#imports.set(importNumber, one);
    return { importNumber };
  }

  /** Adds a piece of the file. If the import fails, nothing of it is left, and a sentence for the user is thrown. */
  async addPiece(
    importNumber: number,
    bytes: Uint8Array,
    last: boolean,
  ): Promise<ImportProgress & { readonly as: ImportAs }> {
    const one = this.#imports.get(importNumber);
    if (one === undefined) throw new Error(CANCELLED);
    if (one.onReply !== null) throw new Error("Wait for the reply to the last piece before the next is sent.");
    const reply = await new Promise<FromImport>((resolve) => {
      one.onReply = resolve;
      one.worker.postMessage({ bytes, last });
    });
    one.onReply = null;
    if (!reply.ok) {
      await this.cancel(importNumber);
      throw new Error(reply.problem);
    }
    if (reply.value.session !== null) {
      this.#imports.delete(importNumber);
      this.#store.importFinished();
      await one.worker.terminate();
    }
    return { ...reply.value, as: one.as };
  }

  /** Resolves once nothing of the import is left. */
  cancel(importNumber: number): Promise<void> {
    return this.#drop(importNumber, CANCELLED);
  }

  async cancelAll(): Promise<void> {
    await Promise.all([...this.#imports.keys()].map((importNumber) => this.cancel(importNumber)));
  }

  /** Cancels the imports of a UI client that has disconnected, since the rest of their files cannot arrive. */
  async cancelFor(gone: object): Promise<void> {
    const theirs = [...this.#imports].filter(([, { page }]) => page === gone);
    await Promise.all(theirs.map(([importNumber]) => this.cancel(importNumber)));
  }

  async #drop(importNumber: number, problem: string): Promise<void> {
    const one = this.#imports.get(importNumber);
    if (one === undefined) return;
    this.#imports.delete(importNumber);
    one.onReply?.(failure(problem));
    await one.worker.terminate();
    removeImport(one.target);
  }
}
