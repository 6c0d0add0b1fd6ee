import type { Milliseconds } from "../../model/units.ts";
import type { Request } from "./traffic.ts";

/** An entry of Server-Timing (W3C Server Timing, 3). */
export interface ServerTiming {
  readonly name: string;
  readonly duration: Milliseconds | null;
  readonly description: string | null;
}

/** The most entries read from one response. */
const MOST_ENTRIES = 20;

export function serverTimingOf({ facts }: Request): readonly ServerTiming[] {
  const entries: ServerTiming[] = [];
  for (const { name, value } of facts.responseFields) {
    if (name !== "server-timing") continue;
    for (const [text] of value.matchAll(/(?:"(?:\\.|[^"\\])*"?|[^,"])+/g)) {
      const entry = entryOf(text);
      if (entry !== null && entries.length < MOST_ENTRIES) entries.push(entry);
    }
  }
  return entries;
}

function entryOf(text: string): ServerTiming | null {
  const name = /^\s*([^\s;=",]+)/.exec(text)?.[1];
  if (name === undefined) return null;
  const duration = /;\s*dur\s*=\s*"?(\d+(?:\.\d+)?)/i.exec(text)?.[1];
  const description = /;\s*desc\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(text);
  return {
    name,
    duration: duration === undefined ? null : Number(duration),
    description: description?.[1] ?? description?.[2] ?? null,
  };
}
