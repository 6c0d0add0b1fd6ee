import { pathTemplatesOf } from "../../engine/insights/path-templates.ts";
import { type PageFacts, type PageReport, reportHtml } from "../../engine/interchange/report-html.ts";
import { failure, type Problem, type Result, success, unwrap } from "../../engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../engine/model/settings.ts";
import type { Bytes } from "../../engine/model/units.ts";
import { matchingSourceOf } from "../../engine/report/export-source.ts";
import { harContextOf, harPieces } from "../../engine/report/har-pieces.ts";
import { HarSession } from "../../engine/report/har-session.ts";
import { HarText, type OpensUnpacker, type Unpacker } from "../../engine/report/har-text.ts";
import { MemoryContent } from "../../engine/report/memory-content.ts";
import { pageReportOf } from "../../engine/report/page-report.ts";
import type { ReportSource } from "../../engine/report/session-report.ts";
import { Baseline } from "../../engine/session/lists/history.ts";
import { matchingExchanges } from "../../engine/session/lists/matching-exchanges.ts";
import { Session } from "../../engine/session/session.ts";
import { MOST_BYTES, type Says } from "./report-messages.ts";

/** How many bytes are read at once. */
const PIECE = 1024 * 1024;

const TOO_LARGE =
  "This page reads at most 300 MB. The command reads larger files: weir report --format html --out report.html FILE.har";

/** The reports of HAR files, as `weir report --format html` makes them, and the files for a redacted export. */
export class FileReports {
  readonly #most: number;
  #sources: readonly ReportSource[] = [];

  /** `most`: the most bytes of all files of a report, as in `MOST_BYTES`. */
  constructor(most = MOST_BYTES) {
    this.#most = most;
  }

  /** Reads the files and says what comes of each, then the report of all. `version`: Weir's. */
  async report(files: readonly File[], facts: PageFacts, say: Says): Promise<void> {
    const sources: ReportSource[] = [];
    const pages: PageReport[] = [];
    let left = this.#most;
    for (const file of files) {
      const source = file.size > left ? failure(TOO_LARGE) : await openedHar(file, left, facts.version, say);
      if (!source.ok) {
        say({ type: "refused", name: file.name, problem: source.problem });
        continue;
      }
      left -= file.size;
      const { redact } = facts;
      const page = await pageReportOf(source.value, {
        redact,
        pause: counted(source.value, `Analyzing ${file.name}`, say),
      });
      if (page === null) continue;
      sources.push(source.value);
      pages.push(page);
    }
    this.#sources = sources;
    const html = [...reportHtml(pages, facts)].join("");
    say({ type: "report", html, names: sources.map(({ name }) => name) });
  }

  /** Makes the redacted HAR file of one source of the report. */
  async saveHar(index: number, say: Says): Promise<void> {
    const source = this.#sources[index];
    if (source === undefined) return;
    const step = `Redacting ${source.name}`;
    const exchanges = unwrap(matchingExchanges(matchingSourceOf(source), ""));
    const parts: string[] = [];
    for await (const { text, progress } of harPieces(source, exchanges, true, () => harContextOf(source, () => {}))) {
      parts.push(text);
      say({ type: "progress", step, done: progress });
    }
    const name = `${source.name.replace(/(\.har)?(\.(gz|zip))?$/i, "")}-redacted.har`;
    say({ type: "har", file: new Blob(parts, { type: "application/json" }), name });
  }
}

/** A HAR file of at most `most` bytes, also when unpacked, as a source. A problem is a sentence. */
async function openedHar(file: File, most: number, version: string, say: Says): Promise<Result<ReportSource>> {
  const settings = DEFAULT_SETTINGS;
  const content = new MemoryContent(gzipSizeOf);
  const read = new Session(Number.POSITIVE_INFINITY, pathTemplatesOf(settings));
  const har = new HarSession(read, new HarText(unpackerOf(most, TOO_LARGE)), (events) => content.append(events));
  try {
    for (let at = 0; at < file.size; at += PIECE) {
      say({ type: "progress", step: `Reading ${file.name}`, done: at / file.size });
      const problem = await har.read(new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer()), false);
      if (problem !== null) return failure(problem);
    }
    const problem = await har.read(new Uint8Array(0), true);
    if (problem !== null) return failure(problem);
  } catch (error) {
    return failure(`The browser cannot read it: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    har.close();
  }
  const { session, leftOut, leftOutCount, unreadBodies } = har;
  if (unreadBodies !== null) say({ type: "refused", name: file.name, problem: unreadBodies });
  return success({
    name: file.name,
    session,
    reader: content,
    baseline: new Baseline([]),
    settings,
    version,
    leftOut,
    leftOutCount,
  });
}

/** Says how many exchanges of the source were read, each time it is called. */
function counted({ session }: ReportSource, step: string, say: Says): () => void {
  let count = 0;
  return () => {
    count += 1;
    say({ type: "progress", step, done: Math.min(1, count / Math.max(1, session.exchanges)) });
  };
}

/** Unpacks with the browser. Refuses more than `most` unpacked bytes in all with the sentence `tooMuch`. */
function unpackerOf(most: Bytes, tooMuch: Problem): OpensUnpacker {
  const budget = { left: most };
  return (format) => new StreamUnpacker(new DecompressionStream(format), budget, tooMuch);
}

/** The size of these bytes in gzip, as the browser makes it. */
async function gzipSizeOf(bytes: Uint8Array): Promise<Bytes> {
  const packed = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream("gzip"));
  return (await new Response(packed).arrayBuffer()).byteLength;
}

/** A part of the output, the end of the output, or the input taken. */
type Step = { readonly part: Uint8Array } | "ended" | "taken" | "failed";

class StreamUnpacker implements Unpacker {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<BufferSource>;
  readonly #budget: { left: Bytes };
  readonly #tooMuch: Problem;
  /** The output that was asked for and has not come; it may come with a later piece. */
  #reading: Promise<Step> | null = null;
  #problem: Problem | null = null;

  constructor({ readable, writable }: DecompressionStream, budget: { left: Bytes }, tooMuch: Problem) {
    this.#reader = readable.getReader();
    this.#writer = writable.getWriter();
    this.#budget = budget;
    this.#tooMuch = tooMuch;
  }

  get problem(): Problem | null {
    return this.#problem;
  }

  async *unpack(bytes: Uint8Array, last: boolean): AsyncGenerator<Uint8Array> {
    let isTaken = false;
    const taken = this.#write(bytes as Uint8Array<ArrayBuffer>, last);
    for (;;) {
      this.#reading ??= this.#read();
      const step = await (isTaken ? this.#reading : Promise.race([this.#reading, taken]));
      if (step === "taken") {
        if (!last) return;
        isTaken = true;
        continue;
      }
      this.#reading = null;
      if (step === "failed") this.#problem ??= "This compressed file is damaged or was cut off.";
      if (step === "failed" || step === "ended") return;
      this.#budget.left -= step.part.length;
      if (this.#budget.left < 0) this.#problem = this.#tooMuch;
      if (this.#problem !== null) return;
      yield step.part;
    }
  }

  close(): void {
    void this.#reader.cancel().catch(() => {});
  }

  async #write(bytes: Uint8Array<ArrayBuffer>, last: boolean): Promise<Step> {
    try {
      await this.#writer.write(bytes);
      if (last) await this.#writer.close();
      return "taken";
    } catch {
      return "failed";
    }
  }

  async #read(): Promise<Step> {
    try {
      const { value, done } = await this.#reader.read();
      return done ? "ended" : { part: value };
    } catch {
      return "failed";
    }
  }
}
