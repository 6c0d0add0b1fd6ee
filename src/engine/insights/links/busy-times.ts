import type { Milliseconds } from "../../model/units.ts";
import { lowerBound } from "../../stats/lower-bound.ts";
import type { Span } from "../findings/waiting.ts";

/** When clients had exchanges in flight. */
export interface BusyTimes {
  /** How long the client had no exchange in flight between the two instants; 0 if `to` is not after `from`. */
  idleBetween(client: string, from: number, to: number): Milliseconds;
}

/** `byStart`: the exchanges whose end a client waits for, without long polls, sorted by start. */
export function busyTimesOf(byStart: readonly Span[]): BusyTimes {
  const byClient = new Map<string, { readonly from: number; to: number }[]>();
  for (const { client, start, end } of byStart) {
    const own = byClient.get(client) ?? [];
    const last = own.at(-1);
    if (last !== undefined && start <= last.to) last.to = Math.max(last.to, end);
    else own.push({ from: start, to: end });
    if (last === undefined) byClient.set(client, own);
  }
  return { idleBetween: (client, from, to) => idleIn(byClient.get(client) ?? [], from, to) };
}

/** `busy`: sorted by start, without overlaps. */
function idleIn(busy: readonly { readonly from: number; readonly to: number }[], from: number, to: number): number {
  let idle = 0;
  let free = from;
  const first = lowerBound(0, busy.length, (place) => (busy[place]?.to ?? 0) > from);
  for (let place = first; free < to; place += 1) {
    const next = busy[place];
    idle += Math.max(0, Math.min(to, next?.from ?? to) - free);
    free = next?.to ?? to;
  }
  return idle;
}
