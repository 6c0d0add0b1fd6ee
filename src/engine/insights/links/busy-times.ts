import type { Milliseconds } from "../../model/units.ts";
import { lowerBound } from "../../stats/lower-bound.ts";
import type { Span } from "../findings/waiting.ts";

/** docs/specification.md, What is no cause: from this length on, a pause without a request in flight is a person's. */
export const PERSONS_GAP: Milliseconds = 2_000;

/** When clients had exchanges in flight. */
export interface BusyTimes {
  /** How long the client had no exchange in flight between the two instants; 0 if `to` is not after `from`. */
  idleBetween(client: string, from: number, to: number): Milliseconds;
  /**
   * Whether a person paused between the two instants. Only time without an exchange in flight counts, because a page
   * may load for long between a cause and its request.
   */
  isPersonsGap(client: string, from: number, to: number): boolean;
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
  const idleOf = (client: string, from: number, to: number, enough: Milliseconds): Milliseconds =>
    idleIn(byClient.get(client) ?? [], from, to, enough);
  return {
    idleBetween: (client, from, to) => idleOf(client, from, to, Number.POSITIVE_INFINITY),
    isPersonsGap: (client, from, to) =>
      to - from >= PERSONS_GAP && idleOf(client, from, to, PERSONS_GAP) >= PERSONS_GAP,
  };
}

/** `busy`: sorted by start, without overlaps. Stops once there is `enough`. */
function idleIn(
  busy: readonly { readonly from: number; readonly to: number }[],
  from: number,
  to: number,
  enough: Milliseconds,
): Milliseconds {
  let idle = 0;
  let free = from;
  const first = lowerBound(0, busy.length, (index) => (busy[index]?.to ?? 0) > from);
  for (let index = first; free < to && idle < enough; index += 1) {
    const next = busy[index];
    idle += Math.max(0, Math.min(to, next?.from ?? to) - free);
    free = next?.to ?? to;
  }
  return idle;
}
