import { hostOf } from "../../engine/model/endpoint.ts";

interface Addressed {
  readonly origin: string;
  readonly target: string;
}

/**
 * The absolute URL of a request. A target that is no path is returned unchanged. Examples: the `host:port` of a CONNECT
 * request, and a target that could not be parsed.
 */
export function requestAddress({ origin, target }: Addressed): string {
  return isAddress(target) ? target : `${origin}${target}`;
}

/** The host to show beside a target; "" if the target contains it. */
export function hostBeside({ origin, target }: Addressed): string {
  return isAddress(target) ? "" : hostOf(origin);
}

/** Whether the target is neither a path nor `*`, as in a CONNECT request (authority-form, RFC 9112, 3.2.3). */
function isAddress(target: string): boolean {
  return /^[^/*]/.test(target);
}
