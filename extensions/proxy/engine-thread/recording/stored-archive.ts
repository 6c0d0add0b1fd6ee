import type { StoredMessage } from "../../../../src/engine/capture/content-reader.ts";
import type { Side } from "../../../../src/engine/capture/event.ts";
import type { MessageRecord } from "../../../../src/engine/messages/exchange-messages.ts";
import type { Bytes, ExchangeId } from "../../../../src/engine/model/units.ts";
import type { Archive } from "../../../../src/engine/session/queries/archive.ts";
import type { SessionReader } from "../../storage/session-reader.ts";

/** messages.ts: the most characters of a message's preview. */
const PREVIEW = 512;

/** A stored session as the engine's archive. `reader` returns `null` if nothing has been captured. */
export function storedArchive(reader: () => SessionReader | null): Archive {
  return {
    headsOf: (id) => reader()?.headsOf(id) ?? null,
    headReader: () => {
      const stored = reader();
      return (id) => stored?.headsOf(id) ?? null;
    },
    bodyOf: (id: ExchangeId, side: Side): { kept: Bytes } => ({ kept: reader()?.keptOf(id, side) ?? 0 }),
    messageCount: (id) => reader()?.messageCount(id) ?? 0,
    messagesOf: (id, from, count) => {
      const stored = reader();
      return stored === null ? [] : stored.readMessages(id, from, count).map((message) => recordOf(stored, message));
    },
  };
}

function recordOf(reader: SessionReader, message: StoredMessage): MessageRecord {
  const { index, at, side, kind, size, cut } = message;
  const part = reader.readMessage(message.id, index);
  const preview = part.ok ? previewOf(kind, part.value) : "";
  return Object.freeze({ index, at, side, kind, size, preview, cut });
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
