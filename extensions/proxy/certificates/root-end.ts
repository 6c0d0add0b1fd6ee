import type { Instant, Milliseconds } from "../../../src/engine/model/units.ts";
import { DAY } from "./x509.ts";

/** docs/security.md T3: a root that expires sooner than this causes a warning. */
const WARNED_BEFORE: Milliseconds = 30 * DAY;

/** A warning that a root expires soon or has expired, with advice; `null` if it does neither. */
export function endWarning(endsAt: Instant, renewable: boolean, now: Instant): string | null {
  const left = endsAt - now;
  if (left > WARNED_BEFORE) return null;
  const day = new Date(endsAt).toISOString().slice(0, 10);
  const advice = renewable
    ? "Renew it in Settings, Certificate."
    : "Start Weir with another one (--ca-cert and --ca-key).";
  if (left <= 0) return `Weir's root certificate expired on ${day}, so clients reject it. ${advice}`;
  const days = Math.ceil(left / DAY);
  return `Weir's root certificate expires on ${day}, in ${days} ${days === 1 ? "day" : "days"}. Clients then reject it. ${advice}`;
}
