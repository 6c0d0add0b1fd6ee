import type { ImportProgress, ImportStarted } from "../../engine/messages/session-messages.ts";
import type { Commands, Reply } from "./commands.ts";

/** session-decode.ts: a piece has at most 150,000 characters of base64; four characters hold three bytes. */
const PIECE_BYTES = 112_500;
/** session-decode.ts: most characters of a name. */
const NAME_CHARACTERS = 200;

/** Progress of an import; the last report holds its outcome. */
export type ImportReport =
  | { readonly kind: "running"; readonly progress: number; readonly exchanges: number }
  | { readonly kind: "done"; readonly result: ImportProgress }
  | { readonly kind: "failed"; readonly problem: string };

/**
 * Sends a HAR file in pieces, each after the reply to the piece before. So neither the page nor the engine holds the
 * whole file. Returns the function that cancels the import.
 */
export function uploadHar(
  commands: Commands,
  file: File,
  as: "opened" | "completed",
  report: (report: ImportReport) => void,
): () => void {
  let cancelled = false;
  let importNumber: number | null = null;
  const run = async (): Promise<void> => {
    const fileName = file.name.slice(0, NAME_CHARACTERS);
    const started = await commands.send({ type: "import-har", fileName, as });
    if (!started.ok) return report({ kind: "failed", problem: started.problem });
    importNumber = (started.value as ImportStarted).importNumber;
    let read = 0;
    let last: Reply = started;
    for await (const { base64, bytes, end } of piecesOf(file)) {
      if (cancelled) return void commands.send({ type: "cancel-import", importNumber });
      last = await commands.send({ type: "import-piece", importNumber, base64, last: end });
      if (cancelled) continue;
      if (!last.ok) return report({ kind: "failed", problem: last.problem });
      read = bytes;
      const { exchanges } = last.value as ImportProgress;
      report({ kind: "running", progress: file.size === 0 ? 1 : read / file.size, exchanges });
    }
    if (!cancelled && last.ok) report({ kind: "done", result: last.value as ImportProgress });
  };
  run().catch((error: unknown) => {
    // The file was removed or cannot be read; the browser gives the reason.
    if (importNumber !== null) void commands.send({ type: "cancel-import", importNumber });
    report({ kind: "failed", problem: `The file could not be read: ${error instanceof Error ? error.message : ""}` });
  });
  return () => {
    cancelled = true;
  };
}

interface Piece {
  readonly base64: string;
  /** Bytes of the file read so far. */
  readonly bytes: number;
  readonly end: boolean;
}

/** Yields the bytes of the file in pieces, and then an empty last piece. */
async function* piecesOf(file: File): AsyncGenerator<Piece> {
  const reader = file.stream().getReader();
  let bytes = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return yield { base64: "", bytes, end: true };
    for (let from = 0; from < value.length; from += PIECE_BYTES) {
      const piece = value.subarray(from, from + PIECE_BYTES);
      bytes += piece.length;
      yield { base64: base64Of(piece), bytes, end: false };
    }
  }
}

/** Bytes converted in one call; each byte is an argument of the call. */
const AT_ONCE = 8_192;

function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += AT_ONCE)
    text += String.fromCharCode(...bytes.subarray(from, from + AT_ONCE));
  return btoa(text);
}
