import { hostOf } from "../../engine/model/endpoint.ts";

interface Addressed {
  readonly origin: string;
  readonly target: string;
}

/** The absolute URL of a request; if its target could not be parsed, the target as it came. */
export function requestAddress({ origin, target }: Addressed): string {
  return isAddress(target) ? target : `${origin}${target}`;
}

/** The host to show beside a target; "" if the target contains it. */
export function hostBeside({ origin, target }: Addressed): string {
  return isAddress(target) ? "" : hostOf(origin);
}

/**
 * Whether the target is an address without a path, as in a CONNECT request (authority-form, RFC 9112, 3.2.3). Other
 * targets that could be parsed start with "/" or are "*".
 */
function isAddress(target: string): boolean {
  return /^[^/*]/.test(target);
}
