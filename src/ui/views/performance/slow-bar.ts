import type { SlowRecord } from "../../../engine/messages/latency-messages.ts";
import type { Milliseconds } from "../../../engine/model/units.ts";
import { type PhasePart, phasePartOf, waitPartOf } from "./phase-part.ts";

/*
 * The bar of a slow request, scaled to one latency (its endpoint's own p95), so that all p95 marks form one line:
 *
 *   0            1x            2x            3x
 *   ▂▃▅████┊████│██████████████████████//██══        past 3x the middle is left out: a slanted break, then the end
 *         p50  p95
 */

/** The axis ends here, in times the scale. */
const END = 3;

/** A cut bar's end, right of the break, and the break itself, in times the scale. Our choice. */
const TAIL = 0.25;
const BREAK = 0.08;

export interface SlowBar {
  readonly parts: readonly PhasePart[];
  /** Where the break begins, as a share of the width; `null` = the bar is whole. */
  readonly cut: number | null;
  /** Where the endpoint's p50 stands; `null` where it has none. */
  readonly p50: number | null;
}

/** Where the moment `at` ms after the start stands, 0 to 1 of the axis; monotone. `scale` ms is a third of it. */
export function barShare(at: Milliseconds, latency: Milliseconds, scale: Milliseconds): number {
  const place = at / scale;
  const whole = latency / scale;
  if (whole <= END) return Math.max(0, Math.min(place, whole)) / END;
  const fromEnd = Math.max(0, whole - place);
  if (fromEnd <= TAIL) return (END - fromEnd) / END;
  return Math.max(0, Math.min(place, END - TAIL - BREAK)) / END;
}

/** The bar of a request; `scale` ms is 1x. */
export function slowBarOf(
  { spans, wait, latency, p50 }: Pick<SlowRecord, "spans" | "wait" | "latency" | "p50">,
  scale: Milliseconds,
): SlowBar {
  const share = (at: Milliseconds): number => barShare(at, latency, scale);
  return Object.freeze({
    parts: Object.freeze([
      ...(wait === null ? [] : [waitPartOf(share(wait.from), share(wait.to))]),
      ...spans.map(({ phase, from, to }) => phasePartOf(phase, share(from), share(to))),
    ]),
    cut: latency / scale > END ? (END - TAIL - BREAK) / END : null,
    p50: p50 === null ? null : share(p50),
  });
}
