import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Side } from "../../../src/engine/capture/event.ts";
import { type Result, success } from "../../../src/engine/model/result.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { segmentOf } from "./extents.ts";
import { SessionReader } from "./session-reader.ts";
import type { Body, PendingExchange } from "./session-rows.ts";

/** The state of an interrupted recording, for the writer that continues it. */
export interface Checkpoint {
  /** Exchanges that had not ended, as last written. */
  readonly open: ReadonlyMap<ExchangeId, PendingExchange>;
  readonly exchanges: number;
  /** The latest batch that was written completely. */
  readonly written: number;
  /** Sizes of the body segments, by segment number. */
  readonly segments: ReadonlyMap<number, number>;
}

/** Reads the checkpoint from a session's folder. A problem is a phrase. */
export function checkpointOf(folder: string): Result<Checkpoint> {
  const opened = SessionReader.open(folder);
  if (!opened.ok) return opened;
  const reader = opened.value;
  const open = new Map<ExchangeId, PendingExchange>();
  let exchanges = 0;
  try {
    for (const event of reader.events(false)) {
      if (event.type === "request-started") {
        exchanges += 1;
        open.set(event.id, untouched(event));
      } else if (event.type === "response-started") {
        const kept = open.get(event.id);
        if (kept !== undefined) kept.answered = event;
      } else if (event.type === "exchange-ended") open.delete(event.id);
    }
    for (const [id, kept] of open) {
      kept.request = bodyOf(reader, id, "request");
      kept.response = bodyOf(reader, id, "response");
      kept.messages = reader.messageCount(id);
    }
    return success({ open, exchanges, written: reader.written(), segments: segmentsIn(folder) });
  } finally {
    reader.close();
  }
}

function untouched(started: PendingExchange["started"]): PendingExchange {
  const nothing = { answered: null, ended: null, request: null, response: null, messages: 0 };
  return { started, ...nothing, changed: false, hasRow: true };
}

function bodyOf(reader: SessionReader, id: ExchangeId, side: Side): Body | null {
  const extents = reader.extentsOf(id, side) ?? [];
  return extents.length === 0 ? null : { extents: [...extents], gathered: [], length: 0 };
}

function segmentsIn(folder: string): ReadonlyMap<number, number> {
  const segments = new Map<number, number>();
  for (const name of readdirSync(folder)) {
    const segment = segmentOf(name);
    if (segment !== null) segments.set(segment, lstatSync(join(folder, name)).size);
  }
  return segments;
}
