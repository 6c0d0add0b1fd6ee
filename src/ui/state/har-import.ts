import type { ImportProgress, ImportStarted } from "../../engine/messages/session-messages.ts";
import type { Commands, Reply } from "./commands.ts";

/** session-messages.ts: characters of a piece at most. */
const PIECE_CHARACTERS = 150_000;
/** session-decode.ts: characters of a name at most. */
const NAME_CHARACTERS = 200;

/** How far an import is; the last report says how it ended. */
export type ImportReport =
  | { readonly kind: "running"; readonly progress: number; readonly exchanges: number }
  | { readonly kind: "done"; readonly result: ImportProgress }
  | { readonly kind: "failed"; readonly problem: string };

/** A running import. */
export interface HarImport {
  cancel(): void;
}

/** Sends a HAR file in pieces, each after the reply to the last, so that neither side ever holds the whole. */
export function importHar(
  commands: Commands,
  file: File,
  as: "opened" | "completed",
  report: (report: ImportReport) => void,
): HarImport {
  let cancelled = false;
  let importNumber: number | null = null;
  const run = async (): Promise<void> => {
    const fileName = file.name.slice(0, NAME_CHARACTERS);
    const started = await commands.send({ type: "import-har", fileName, as });
    if (!started.ok) return report({ kind: "failed", problem: started.problem });
    importNumber = (started.value as ImportStarted).importNumber;
    let read = 0;
    let last: Reply = started;
    for await (const { text, bytes, end } of piecesOf(file)) {
      if (cancelled) return void commands.send({ type: "cancel-import", importNumber });
      last = await commands.send({ type: "import-piece", importNumber, text, last: end });
      if (cancelled) continue;
      if (!last.ok) return report({ kind: "failed", problem: last.problem });
      read = bytes;
      const { exchanges } = last.value as ImportProgress;
      report({ kind: "running", progress: file.size === 0 ? 1 : read / file.size, exchanges });
    }
    if (!cancelled && last.ok) report({ kind: "done", result: last.value as ImportProgress });
  };
  run().catch((error: unknown) => {
    // The file went away or may not be read: the browser says which.
    if (importNumber !== null) void commands.send({ type: "cancel-import", importNumber });
    report({ kind: "failed", problem: `The file could not be read: ${error instanceof Error ? error.message : ""}` });
  });
  return {
    cancel: () => {
      cancelled = true;
    },
  };
}

interface Piece {
  readonly text: string;
  /** Bytes of the file read so far. */
  readonly bytes: number;
  readonly end: boolean;
}

/** The file's text in pieces; the last one is marked, and may be empty. */
async function* piecesOf(file: File): AsyncGenerator<Piece> {
  const decoder = new TextDecoder();
  const reader = file.stream().getReader();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { value, done } = await reader.read();
    bytes += value?.length ?? 0;
    text += done ? decoder.decode() : decoder.decode(value, { stream: true });
    while (text.length > PIECE_CHARACTERS) {
      const cut = endOf(text);
      yield { text: text.slice(0, cut), bytes, end: false };
      text = text.slice(cut);
    }
    if (done) {
      yield { text, bytes, end: true };
      return;
    }
  }
}

/** A surrogate pair stays whole. */
function endOf(text: string): number {
  const last = text.charCodeAt(PIECE_CHARACTERS - 1);
  return last >= 0xd800 && last <= 0xdbff ? PIECE_CHARACTERS - 1 : PIECE_CHARACTERS;
}
