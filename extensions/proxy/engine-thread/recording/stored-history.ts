import type { StoredMessage } from "../../../../src/engine/capture/content-reader.ts";
import type { Side } from "../../../../src/engine/capture/event.ts";
import type { MessageRecord } from "../../../../src/engine/messages/exchange-messages.ts";
import { evictOldest } from "../../../../src/engine/model/evict-oldest.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../../../../src/engine/model/units.ts";
import { Cached } from "../../../../src/engine/session/evaluation/cached.ts";
import { figuresOf, type SessionFigures } from "../../../../src/engine/session/lists/figures.ts";
import { Baseline, type History } from "../../../../src/engine/session/lists/history.ts";
import type { Archive } from "../../../../src/engine/session/queries/context.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import type { StoredFigures } from "../../export/stored-figures.ts";
import type { SessionReader } from "../../storage/session-reader.ts";
import type { SessionStore } from "../../storage/sessions.ts";

/** While the current session changes, its figures are computed at most this often: each comparison tests them anew. */
const CURRENT_KEPT: Milliseconds = 5_000;

interface CurrentFigures {
  readonly session: Session;
  readonly revision: number;
  readonly until: Instant;
  readonly figures: SessionFigures;
}

/** The baseline of a session: the completed sessions that began before it. */
export class StoredHistory implements History {
  readonly #store: SessionStore;
  readonly #figures: StoredFigures;
  readonly #recorded: () => Session;
  readonly #before: string | null;
  readonly #baseline = new Cached<Baseline>();
  #current: CurrentFigures | null = null;

  /** `before`: id of the stored session that is shown; `null` for the current session. */
  constructor(store: SessionStore, figures: StoredFigures, recorded: () => Session, before: string | null) {
    this.#store = store;
    this.#figures = figures;
    this.#recorded = recorded;
    this.#before = before;
  }

  get version(): number {
    return this.#store.revision;
  }

  get baseline(): Baseline {
    return this.#baseline.of([this.version], () => {
      const sessions = this.#store.list().filter(({ id }) => this.#before === null || id < this.#before);
      return new Baseline(this.#figures.baseline(sessions));
    });
  }

  figuresOf(id: string): SessionFigures | null {
    return this.#figures.of(id);
  }

  current(now: Instant): SessionFigures {
    const session = this.#recorded();
    const known = this.#current;
    if (known?.session === session && (known.revision === session.revision || now < known.until)) return known.figures;
    const figures = figuresOf(session);
    const until = (now + CURRENT_KEPT) as Instant;
    this.#current = { session, revision: session.revision, until, figures };
    return figures;
  }
}

/** messages.ts: the most characters of a message's preview. */
const PREVIEW = 512;
/** After this many bytes of messages, a slice of reading previews ends. */
const PREVIEWED_AT_ONCE: Bytes = 1024 * 1024;
/** The most previews in memory: more than those of a list's range. */
const MOST_PREVIEWS = 2_000;

/** A stored session as the engine's archive. `reader` returns `null` if nothing has been captured. */
export function storedArchive(reader: () => SessionReader | null): Archive {
  const previews = new MessagePreviews();
  return {
    headsOf: (id) => reader()?.headsOf(id) ?? null,
    headReader: () => {
      const stored = reader();
      return (id) => stored?.headsOf(id) ?? null;
    },
    bodyOf: (id: ExchangeId, side: Side): { kept: Bytes } => ({ kept: reader()?.keptOf(id, side) ?? 0 }),
    messageCount: (id) => reader()?.messageCount(id) ?? 0,
    prepareMessages: (id, from, count) => {
      const stored = reader();
      return stored === null || previews.prepare(stored, stored.readMessages(id, from, count));
    },
    messagesOf: (id, from, count) => {
      const stored = reader();
      return stored === null
        ? []
        : stored.readMessages(id, from, count).map((message) => {
            const { index, at, side, kind, size, cut } = message;
            const preview = previews.of(stored, message);
            return Object.freeze({ index, at, side, kind, size, preview, cut });
          });
    },
  };
}

/** The previews of the messages that were listed latest. Each is read once, with the whole message. */
class MessagePreviews {
  #reader: SessionReader | null = null;
  #known = new Map<string, string>();

  /** Reads one slice of these messages; returns `false` if there are more. */
  prepare(reader: SessionReader, messages: readonly StoredMessage[]): boolean {
    this.#turnTo(reader);
    let read = 0;
    for (const message of messages) {
      if (this.#known.has(keyOf(message))) continue;
      if (read > PREVIEWED_AT_ONCE) return false;
      this.of(reader, message);
      read += message.kept;
    }
    return true;
  }

  of(reader: SessionReader, message: StoredMessage): string {
    this.#turnTo(reader);
    const key = keyOf(message);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const part = reader.readMessage(message.id, message.index);
    const preview = part.ok ? previewOf(message.kind, part.value) : "";
    this.#known.set(key, preview);
    evictOldest(this.#known, MOST_PREVIEWS);
    return preview;
  }

  #turnTo(reader: SessionReader): void {
    if (this.#reader !== reader) this.#known = new Map();
    this.#reader = reader;
  }
}

/** While the disk fails, an index can be given to another message. */
function keyOf({ id, index, at, size }: StoredMessage): string {
  return `${id} ${index} ${at} ${size}`;
}

function previewOf(kind: MessageRecord["kind"], bytes: Buffer): string {
  if (kind === "text" || kind === "event")
    return bytes
      .subarray(0, PREVIEW * 4)
      .toString("utf8")
      .slice(0, PREVIEW);
  if (kind === "close") return closeText(bytes);
  const hex = bytes.subarray(0, Math.floor(PREVIEW / 3)).toString("hex");
  return hex.replaceAll(/(..)(?=.)/g, "$1 ");
}

/** The code and reason of a close frame as text. RFC 6455, 5.5.1: a two-byte code, then the reason. */
function closeText(bytes: Buffer): string {
  if (bytes.length < 2) return "";
  return `${bytes.readUInt16BE(0)} ${bytes.subarray(2).toString("utf8")}`.trimEnd();
}
