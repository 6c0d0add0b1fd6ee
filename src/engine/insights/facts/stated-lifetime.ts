import type { Instant, Milliseconds } from "../../model/units.ts";
import { takeJsonValues } from "../links/json-values.ts";
import { claimsOf } from "./web-token.ts";

/** A longer body is data, not a credential. */
const LONGEST_BODY = 65_536;

/**
 * How long a JSON body says that its content stays valid after `received`: `expires_in` in seconds (RFC 6749, 5.1), or
 * `exp` of a JSON Web Token (RFC 7519, 4.1.4). The shortest if it says several; `null` if it says none.
 */
export function statedLifetimeOf(body: string, received: Instant | null): Milliseconds | null {
  if (body.length > LONGEST_BODY || !/expires_?in|eyJ/i.test(body)) return null;
  let shortest = Number.POSITIVE_INFINITY;
  takeJsonValues(body, (value, name) => {
    if (/^expires_?in$/i.test(name) && /^\d{1,9}$/.test(value)) shortest = Math.min(shortest, Number(value) * 1_000);
    const end = value.startsWith("eyJ") ? endOfToken(value) : null;
    if (end !== null && received !== null) shortest = Math.min(shortest, end - received);
  });
  return shortest === Number.POSITIVE_INFINITY ? null : Math.max(0, shortest);
}

/** When the token expires, in epoch ms; `null` if the value is no JSON Web Token or does not say. */
function endOfToken(value: string): number | null {
  const end = claimsOf(value)?.["exp"];
  return typeof end === "number" ? end * 1_000 : null;
}
