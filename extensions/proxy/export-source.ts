import { NO_REMARK, type Remark } from "../../src/engine/model/remark.ts";
import type { Settings } from "../../src/engine/model/settings.ts";
import type { ExchangeId } from "../../src/engine/model/units.ts";
import type { Baseline } from "../../src/engine/session/history.ts";
import type { Session } from "../../src/engine/session/session.ts";
import type { SessionReader } from "./storage/session-reader.ts";

/** What exports, searches and bodies are read from. */
export interface ExportSource {
  readonly session: Session;
  /** `null`: nothing was captured. */
  readonly reader: SessionReader | null;
  /** The sessions that trends compare with. */
  readonly baseline: Baseline;
  readonly settings: Settings;
  readonly version: string;
}

/** A part of the text that is written. */
export interface Piece {
  readonly text: string;
  /** From 0 to 1. */
  readonly progress: number;
}

/** Throws the sentence that ends an export of what cannot be read any more: a part of it must not pass for the whole. */
export function checkOpen({ reader }: ExportSource): void {
  if (reader?.isClosed) throw new Error(CLOSED);
}

const CLOSED =
  "This session was closed before it was exported whole. If it is still kept, open it under Sessions and export it again.";

/** What a person said of an exchange. */
export function remarkIn({ table }: Session, id: ExchangeId): Remark {
  const row = table.rowOf(id);
  return row === null ? NO_REMARK : table.remarks.at(row);
}

/** How far an export of all exchanges has come after so many. */
export function progressOf({ session }: ExportSource, done: number): number {
  return Math.min(1, done / Math.max(1, session.exchanges - session.forgotten));
}
