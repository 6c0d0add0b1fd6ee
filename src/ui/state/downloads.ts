import type { Command, ExportStarted, FromEngine } from "../../engine/messages/messages.ts";
import type { Channel } from "../channel/channel.ts";
import type { Commands } from "./commands.ts";
import { RemoteJobs } from "./remote-jobs.ts";

export type ExportCommand = Extract<Command, { type: "export" }>;

type ExportPiece = Extract<FromEngine, { type: "export-piece" }>;

/** Progress of an export; the last report holds its outcome. */
export type ExportReport =
  | { readonly kind: "running"; readonly progress: number }
  | { readonly kind: "done"; readonly fileName: string; readonly file: Blob }
  | { readonly kind: "failed"; readonly problem: string };

/** Joins the pieces of an export into a file made in the page (docs/security.md S4: the server serves no file). */
export class Downloads {
  readonly #commands: Commands;
  readonly #jobs: RemoteJobs<ExportStarted, ExportPiece>;

  constructor(channel: Channel, commands: Commands) {
    this.#commands = commands;
    this.#jobs = new RemoteJobs(channel, commands, {
      numberOf: ({ exportNumber }) => exportNumber,
      cancel: (exportNumber) => ({ type: "cancel-export", exportNumber }),
      lost: "Connection to Weir lost. Export again.",
    });
    channel.onMessage((message) => {
      if (message.type === "export-piece") this.#receive(message);
    });
  }

  /** Starts an export. Returns a function that cancels the export and ends the reports. */
  start(command: ExportCommand, report: (report: ExportReport) => void): () => void {
    return this.#jobs.start(
      command,
      ({ fileName, mediaType }) => {
        // Blobs, not strings: a browser keeps large blobs on disk.
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
    const isTaken = this.#jobs.onMessage(piece.exportNumber, piece, isLast);
    // The engine waits for this command before it sends the next piece.
    if (isTaken && !isLast) void this.#commands.send({ type: "took-piece", exportNumber: piece.exportNumber });
  }
}
