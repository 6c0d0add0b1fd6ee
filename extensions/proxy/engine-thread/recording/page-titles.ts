import type { CaptureEvent, PageDescribed } from "../../../../src/engine/capture/event.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { htmlTitleOf, TITLE_WITHIN } from "../../../../src/engine/session/lists/session-title.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { decodeBody } from "../../decoding/body-decoding.ts";
import type { SessionReader } from "../../storage/session-reader.ts";

/** The most documents that wait to be read, and how many are read at once. */
const MOST_WAITING = 100;
const AT_ONCE = 5;

/** Reads the titles of the pages that a session captures, from the recorded bodies of their documents. */
export class PageTitles {
  #session: Session | null = null;
  #waiting: ExchangeId[] = [];

  /** Queues the documents that ended in these events. */
  addEvents(events: readonly CaptureEvent[], session: Session): void {
    if (this.#session !== session) this.#waiting = [];
    this.#session = session;
    for (const event of events) {
      if (event.type !== "exchange-ended" || this.#waiting.length >= MOST_WAITING) continue;
      const row = session.table.rowOf(event.id);
      if (row === null || session.table.page.at(row) === null) continue;
      const { origin, target, contentType } = session.table.viewAt(row);
      // The page of a document is its own URL (pages.ts).
      if (contentType === "text/html" && session.table.page.at(row) === origin + target) this.#waiting.push(event.id);
    }
  }

  /** The titles of queued documents, as events of their pages; those that are known already are left out. */
  async read(session: Session, reader: SessionReader | null): Promise<readonly PageDescribed[]> {
    const some = this.#session === session ? this.#waiting.splice(0, AT_ONCE) : [];
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
