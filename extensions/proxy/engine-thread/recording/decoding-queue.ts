import type { BodyDecoded, CaptureEvent, PageDescribed } from "../../../../src/engine/capture/event.ts";
import { isApplicationError } from "../../../../src/engine/insights/facts/facts-maker.ts";
import type { OperationKind } from "../../../../src/engine/model/operation.ts";
import type { Bytes, ExchangeId } from "../../../../src/engine/model/units.ts";
import { MOST_READ } from "../../../../src/engine/report/operation-reader.ts";
import { htmlTitleOf, TITLE_WITHIN } from "../../../../src/engine/session/lists/session-title.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { type DecodedBuffer, decodeBody } from "../../decoding/body-decoding.ts";
import type { SessionReader } from "../../storage/session-reader.ts";

/** The most bodies in the queue. Beyond this the oldest half stays unmeasured. */
const MOST_WAITING = 20_000;

/** Bodies measured per call. */
const EACH_CALL = 50;
/** Bodies that are read and decoded at one time, since each may take 10 MiB and as much decoded. */
const AT_ONCE = 4;

type Encodings = Pick<Session, "contentEncoding">;

interface Waiting {
  readonly id: ExchangeId;
  readonly contentEncoding: string;
  /** The encoded size of the body. If fewer bytes were stored, the decoded size is unknown. */
  readonly size: Bytes;
  /**
   * The kind of the operation that the request names; `null` if it names none. With an operation, the response's body
   * may report an error.
   */
  readonly operation: OperationKind | null;
}

const NOT_DECODED: DecodedBuffer = Object.freeze({ bytes: Buffer.alloc(0), total: 0, problem: "not whole" });

/** Measures the decoded size of encoded response bodies, off the forwarding path. */
export class DecodingQueue {
  #waiting: Waiting[] = [];
  #session: Encodings | null = null;
  #busy = false;

  /**
   * Queues the encoded response bodies of the exchanges that these events end. `session` has already folded the events.
   */
  addEvents(events: readonly CaptureEvent[], session: Encodings): void {
    this.#turnTo(session);
    for (const event of events) {
      if (event.type !== "exchange-ended" || event.encodedBodySize === 0) continue;
      const contentEncoding = session.contentEncoding(event.id);
      if (contentEncoding === null || contentEncoding === "identity") continue;
      const operation = event.operation?.kind ?? null;
      this.#waiting.push({ id: event.id, contentEncoding, size: event.encodedBodySize, operation });
      if (this.#waiting.length > MOST_WAITING) this.#waiting = this.#waiting.slice(-MOST_WAITING / 2);
    }
  }

  /** Measures some queued bodies through `reader`; returns `null` if a measurement is running or the queue is empty. */
  async measure(session: Encodings, reader: SessionReader | null): Promise<readonly BodyDecoded[] | null> {
    this.#turnTo(session);
    if (this.#busy || this.#waiting.length === 0 || reader === null) return null;
    this.#busy = true;
    try {
      const some = this.#waiting.splice(0, EACH_CALL);
      const measured: BodyDecoded[] = [];
      const measureRest = async () => {
        for (let next = some.shift(); next !== undefined; next = some.shift())
          measured.push(await measuredBody(reader, next));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, measureRest));
      return measured.sort((one, other) => one.id - other.id);
    } finally {
      this.#busy = false;
    }
  }

  /**
   * Drops the queued exchanges that are not in `session`: its reader lacks their bodies and would report them as
   * undecodable.
   */
  #turnTo(session: Encodings): void {
    if (this.#session === session) return;
    this.#session = session;
    this.#waiting = this.#waiting.filter(({ id }) => session.contentEncoding(id) !== null);
  }
}

async function measuredBody(
  reader: SessionReader,
  { id, contentEncoding, size, operation }: Waiting,
): Promise<BodyDecoded> {
  const body = await reader.readBodyInTurns(id, "response", size);
  const isWhole = body.ok && body.value.length === size;
  const { bytes, total, problem } = isWhole ? await decodeBody(body.value, contentEncoding) : NOT_DECODED;
  const isRead = operation !== null && problem === null && total <= MOST_READ;
  const failed = isRead && isApplicationError(operation, [], bytes.toString("utf8"));
  return { type: "body-decoded", id, size: problem === null ? total : null, ...(failed ? { failed } : {}) };
}

/** The most documents that wait to be read, and how many are read at once. */
const MOST_TITLES_WAITING = 100;
const TITLES_AT_ONCE = 5;

/** Reads the titles of the pages that a session captures, from the recorded bodies of their documents. */
export class PageTitles {
  #session: Session | null = null;
  #waiting: ExchangeId[] = [];

  /** Queues the documents that ended in these events. */
  addEvents(events: readonly CaptureEvent[], session: Session): void {
    if (this.#session !== session) this.#waiting = [];
    this.#session = session;
    const { table } = session;
    for (const event of events) {
      if (event.type !== "exchange-ended" || this.#waiting.length >= MOST_TITLES_WAITING) continue;
      const row = table.rowOf(event.id);
      if (row === null || table.page.at(row) === null) continue;
      // The page of a document is its own URL (page-finder.ts).
      const isOwnPage = table.page.at(row) === table.originAt(row) + table.targetAt(row);
      if (table.contentTypeAt(row) === "text/html" && isOwnPage) this.#waiting.push(event.id);
    }
  }

  /** The titles of queued documents, as events of their pages; those that are known already are left out. */
  async read(session: Session, reader: SessionReader | null): Promise<readonly PageDescribed[]> {
    const some = this.#session === session ? this.#waiting.splice(0, TITLES_AT_ONCE) : [];
    const found = await Promise.all(
      some.map(async (id): Promise<readonly PageDescribed[]> => {
        const row = session.table.rowOf(id);
        const body = reader?.readBody(id, "response", 0, TITLE_WITHIN);
        if (row === null || body?.ok !== true) return [];
        const page = session.table.page.at(row) ?? "";
        const { bytes } = await decodeBody(body.value, session.table.contentEncodingAt(row) ?? "");
        const title = htmlTitleOf(bytes);
        const isNews = title !== "" && session.table.describedPages.get(page)?.title !== title;
        return isNews ? [{ type: "page-described", page, title, at: null, marks: new Map() }] : [];
      }),
    );
    return this.#session === session ? found.flat() : [];
  }
}
