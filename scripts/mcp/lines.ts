/** The most characters of a line. The largest message that a client has reason to send is a call with a long filter. */
export const LONGEST_LINE = 1024 * 1024;

/**
 * The lines of a text that arrives in pieces, without their ends; `null` for a line that is too long, which is dropped.
 */
export async function* linesOf(pieces: AsyncIterable<string>, most = LONGEST_LINE): AsyncGenerator<string | null> {
  let line: string | null = "";
  for await (const piece of pieces) {
    const [first = "", ...others] = piece.split("\n");
    line = joined(line, first, most);
    for (const other of others) {
      yield line;
      line = joined("", other, most);
    }
  }
  if (line !== "") yield line;
}

function joined(line: string | null, more: string, most: number): string | null {
  return line === null || line.length + more.length > most ? null : line + more;
}
