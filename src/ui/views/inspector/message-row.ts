import type { MessageRecord } from "../../../engine/messages/exchange-messages.ts";
import { bytesText } from "../../format/bytes.ts";
import { exactClockText } from "../../format/clock.ts";
import { durationText } from "../../format/duration.ts";

export type MessageRow = ReturnType<typeof messageRowOf>;

export function messageRowOf(record: MessageRecord, before: MessageRecord | null) {
  const size = bytesText(record.size);
  const from = record.side === "request" ? "client" : "server";
  return Object.freeze({
    at: exactClockText(record.at),
    /**
     * Milliseconds since the previous message, in either direction; "" for the first message, or if the previous
     * message is not loaded.
     */
    gap: before === null ? "" : durationText(record.at - before.at),
    gapUnit: before === null ? "" : "ms",
    from,
    arrow: from === "client" ? "↑" : "↓",
    kind: record.kind,
    preview: record.preview,
    size: size.value,
    unit: size.unit,
  });
}
