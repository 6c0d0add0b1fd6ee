import type { Instant, Milliseconds } from "../../../src/engine/model/units.ts";
import { DAY } from "./x509.ts";

/** security.md, T3. */
const WARNED_BEFORE: Milliseconds = 30 * DAY;

/** That a root ends soon, or has ended, and what to do, in words; `null` while there is time. */
export function endWarning(endsAt: Instant, renewable: boolean, now: Instant): string | null {
  const left = endsAt - now;
  if (left > WARNED_BEFORE) return null;
  const day = new Date(endsAt).toISOString().slice(0, 10);
  const advice = renewable
    ? "Renew it in Settings, Certificate."
    : "Start Weir with another one (--ca-cert and --ca-key).";
  if (left <= 0) return `Weir's root certificate ended on ${day}: no client accepts what it signs. ${advice}`;
  const days = Math.ceil(left / DAY);
  return `Weir's root certificate ends on ${day}, in ${days} ${days === 1 ? "day" : "days"}; from then on no client accepts what it signs. ${advice}`;
}
