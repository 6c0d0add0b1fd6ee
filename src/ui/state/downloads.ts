import type { Command, ExportStarted, FromEngine } from "../../engine/messages/messages.ts";
import type { Channel } from "../channel/channel.ts";
import type { Commands } from "./commands.ts";

export type ExportCommand = Extract<Command, { type: "export" }>;

/** How far an export is; the last report says how it ended. */
export type ExportReport =
  | { readonly kind: "running"; readonly progress: number }
  | { readonly kind: "done"; readonly fileName: string; readonly file: Blob }
  | { readonly kind: "failed"; readonly problem: string };

/** A running export. */
export interface Download {
  cancel(): void;
}

/** Collects the pieces of exports into files made in the page (security.md S4: the server serves none). */
export class Downloads {
  readonly #commands: Commands;
  readonly #running = new Map<number, Running>();

  constructor(channel: Channel, commands: Commands) {
    this.#commands = commands;
    channel.onMessage((message) => {
      if (message.type === "export-piece") this.#receive(message);
    });
    channel.onState((state) => {
      if (state.kind === "open") return;
      for (const running of this.#running.values()) running.report(LOST);
      this.#running.clear();
    });
  }

  start(command: ExportCommand, report: (report: ExportReport) => void): Download {
    let number: number | null = null;
    let cancelled = false;
    void this.#commands.send(command).then((reply) => {
      if (!reply.ok) {
        report({ kind: "failed", problem: reply.problem });
        return;
      }
      const started = reply.value as ExportStarted;
      number = started.exportNumber;
      if (cancelled) {
        this.#cancel(number);
        return;
      }
      this.#running.set(number, { started, pieces: [], report });
    });
    return {
      cancel: () => {
        cancelled = true;
        if (number !== null) this.#cancel(number);
      },
    };
  }

  #cancel(exportNumber: number): void {
    this.#running.delete(exportNumber);
    void this.#commands.send({ type: "cancel-export", exportNumber });
  }

  #receive(piece: ExportPiece): void {
    const running = this.#running.get(piece.exportNumber);
    if (running === undefined) return;
    running.pieces.push(new Blob([piece.text]));
    if (piece.problem !== null) this.#finish(piece.exportNumber, { kind: "failed", problem: piece.problem });
    else if (piece.done) {
      const file = new Blob(running.pieces, { type: running.started.mediaType });
      this.#finish(piece.exportNumber, { kind: "done", fileName: running.started.fileName, file });
    } else {
      void this.#commands.send({ type: "took-piece", exportNumber: piece.exportNumber });
      running.report({ kind: "running", progress: piece.progress });
    }
  }

  #finish(exportNumber: number, report: ExportReport): void {
    this.#running.get(exportNumber)?.report(report);
    this.#running.delete(exportNumber);
  }
}

type ExportPiece = Extract<FromEngine, { type: "export-piece" }>;

interface Running {
  readonly started: ExportStarted;
  /** Not texts: a browser keeps large blobs on disk. */
  readonly pieces: Blob[];
  readonly report: (report: ExportReport) => void;
}

const LOST: ExportReport = Object.freeze({ kind: "failed", problem: "The connection to Weir was lost. Export again." });
