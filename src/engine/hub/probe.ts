import type { RequestStarted } from "../capture/event.ts";
import { pathOf } from "../model/endpoint.ts";
import type { Tag } from "../model/exchange.ts";
import type { Milliseconds } from "../model/units.ts";
import type { Target } from "./target.ts";

/** decisions.md, Probe URL: a reserved name that the proxy answers by itself. Our choice. */
export const BUILT_IN_PROBE_HOST = "probe.weir.test";

/** decisions.md: the second part of the probe's path. */
const APP_SEGMENT = "weir";

/** What Validate waits for. Made when the test is run; live values that change later do not change it. */
export interface Probe {
  readonly slug: string;
  readonly method: "GET";
  /** `https://{probe_host}/anything/weir/<slug>`. */
  readonly url: string;
  /** As in `RequestStarted`: the port only where it is not the scheme's own. */
  readonly origin: string;
  /** `host:port`, as a CONNECT names it. */
  readonly authority: string;
  readonly path: string;
  readonly below: boolean;
  /** Origins under which the localhost fallback counts too (Firefox); empty for all other targets. */
  readonly localhost: readonly string[];
  readonly limit: Milliseconds;
}

/** How a request that was seen relates to the probe. */
export type Match =
  /** The probe itself. */
  | "probe"
  /** The probe, but in clear where TLS was meant: the target's https setting is missing. */
  | "without-tls"
  /** The localhost fallback in origin-form: it came to the listener directly, not through the proxy setting. */
  | "direct"
  /** Over TLS to the probe host, but not for the probe: way and certificate are right, the address is not. */
  | "probe-host"
  | "other";

/** `probeHost`: `host` or `host:port`, without scheme. `proxyPort`: of our listener, for the localhost fallback. */
export function probeOf(target: Target, probeHost: string, proxyPort: number): Probe {
  const host = probeHost.toLowerCase();
  const named = /:(\d+)$/.exec(host);
  const origin = `https://${named?.[1] === "443" ? host.slice(0, -":443".length) : host}`;
  const path = `/anything/${APP_SEGMENT}/${target.slug}`;
  return Object.freeze({
    slug: target.slug,
    method: "GET",
    url: `${origin}${path}`,
    origin,
    authority: named === null ? `${host}:443` : host,
    path,
    below: target.probe.path === "below",
    localhost: Object.freeze(
      target.probe.localhost ? ["localhost", "127.0.0.1"].map((name) => `http://${name}:${proxyPort}`) : [],
    ),
    limit: target.probe.limit,
  });
}

/** Method, scheme, host, port and path must be the probe's; neither an import nor a resend counts. */
export function matchOf(probe: Probe, request: RequestStarted): Match {
  if (request.tags.some((tag) => NEVER_COUNTED.includes(tag))) return "other";
  if (request.method !== probe.method || !isPath(probe, request.target)) return isToProbeHost(probe, request);
  if (probe.localhost.includes(request.origin)) return isOriginForm(request.head) ? "direct" : "probe";
  if (request.origin === probe.origin) return request.tags.includes("https-in-clear") ? "without-tls" : "probe";
  return request.origin === inClear(probe.origin) ? "without-tls" : "other";
}

/** Why a URL cannot be a sample, as a sentence; `null` if it can. It is written into code and command lines as it is. */
export function sampleProblem(url: string): string | null {
  if (!/^https?:\/\/[^/?#]/i.test(url)) return "A sample URL begins with https:// or http:// and names a host.";
  if (!/^[!-~]+$/.test(url))
    return "A sample URL holds no spaces and no letters outside ASCII: write them percent-encoded.";
  return null;
}

const NEVER_COUNTED: readonly Tag[] = ["imported", "resent", "tunnel", "malformed"];

function isToProbeHost(probe: Probe, { origin, tags }: RequestStarted): Match {
  return origin === probe.origin && !tags.includes("https-in-clear") ? "probe-host" : "other";
}

function isPath(probe: Probe, target: string): boolean {
  const path = pathOf(target);
  return path === probe.path || (probe.below && path.startsWith(`${probe.path}/`));
}

/** RFC 9112, 3.2.1: a path right after the method is what a server is sent; a proxy is sent a whole URL. */
function isOriginForm(head: string): boolean {
  return /^\S+ \//.test(head);
}

function inClear(origin: string): string {
  return origin.replace(/^https:/, "http:");
}
