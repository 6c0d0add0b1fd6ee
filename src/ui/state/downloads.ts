import type { Command, ExportStarted, FromEngine } from "../../engine/messages/messages.ts";
import type { Channel } from "../channel/channel.ts";
import type { Commands } from "./commands.ts";
import { Errands } from "./errands.ts";

export type ExportCommand = Extract<Command, { type: "export" }>;

type ExportPiece = Extract<FromEngine, { type: "export-piece" }>;

/** How far an export is; the last report says how it ended. */
export type ExportReport =
  | { readonly kind: "running"; readonly progress: number }
  | { readonly kind: "done"; readonly fileName: string; readonly file: Blob }
  | { readonly kind: "failed"; readonly problem: string };

/** Collects the pieces of exports into files made in the page (security.md S4: the server serves none). */
export class Downloads {
  readonly #commands: Commands;
  readonly #errands: Errands<ExportStarted, ExportPiece>;

  constructor(channel: Channel, commands: Commands) {
    this.#commands = commands;
    this.#errands = new Errands(channel, commands, {
      numberOf: ({ exportNumber }) => exportNumber,
      cancel: (exportNumber) => ({ type: "cancel-export", exportNumber }),
      lost: "The connection to Weir was lost. Export again.",
    });
    channel.onMessage((message) => {
      if (message.type === "export-piece") this.#receive(message);
    });
  }

  /** Gives what cancels it: after that it reports nothing. */
  start(command: ExportCommand, report: (report: ExportReport) => void): () => void {
    return this.#errands.start(
      command,
      ({ fileName, mediaType }) => {
        // Not texts: a browser keeps large blobs on disk.
        const pieces: Blob[] = [];
        return ({ text, problem, done, progress }) => {
          pieces.push(new Blob([text]));
          if (problem !== null) report({ kind: "failed", problem });
          else if (done) report({ kind: "done", fileName, file: new Blob(pieces, { type: mediaType }) });
          else report({ kind: "running", progress });
        };
      },
      (problem) => report({ kind: "failed", problem }),
    );
  }

  #receive(piece: ExportPiece): void {
    const isLast = piece.done || piece.problem !== null;
    const isTaken = this.#errands.hear(piece.exportNumber, piece, isLast);
    // The engine sends no more before it is told so.
    if (isTaken && !isLast) void this.#commands.send({ type: "took-piece", exportNumber: piece.exportNumber });
  }
}
