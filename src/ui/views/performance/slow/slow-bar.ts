import type { SlowRecord } from "../../../../engine/messages/latency-messages.ts";
import type { Milliseconds } from "../../../../engine/model/units.ts";
import { type PhasePart, phasePartsOf, waitPartOf } from "../phase-part.ts";

/*
 * The bar of a slow request. The p95 of the endpoint is at 1x, so that the p95 marks of all bars form one line:
 *
 *   0            1x            2x            3x
 *   ▂▃▅████┊████│██████████████████████//██══        if longer than 3x: a break, then the end
 *         p50  p95
 */

/** The end of the axis, in units of 1x. */
const END = 3;

/** The lengths of a cut bar's end and of its break, in units of 1x. */
const TAIL = 0.25;
const BREAK = 0.08;

export interface SlowBar {
  readonly parts: readonly PhasePart[];
  /** Start of the break, as a share of the width; `null`: the bar is not cut. */
  readonly cut: number | null;
  /** Position of the endpoint's p50; `null` if there is none. */
  readonly p50: number | null;
}

/** The position of the instant `at` ms after the start, as a share of the axis; monotone. `scale` ms is 1x. */
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
      ...phasePartsOf(spans, share),
    ]),
    cut: latency / scale > END ? (END - TAIL - BREAK) / END : null,
    p50: p50 === null ? null : share(p50),
  });
}
