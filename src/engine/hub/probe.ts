import type { RequestStarted } from "../capture/event.ts";
import { pathOf } from "../model/endpoint.ts";
import type { Tag } from "../model/exchange.ts";
import type { Problem } from "../model/result.ts";
import type { Milliseconds } from "../model/units.ts";
import { SAMPLE, type Target } from "./target.ts";

/** The beginning of every probe's path; the target's slug follows (docs/specification.md, Probe URL). */
const PATH_PREFIX = "/anything/weir/";

/**
 * The request that Validate waits for. It is fixed when the test starts, so later changes of settings do not affect the
 * test.
 */
export interface Probe {
  readonly slug: string;
  readonly method: "GET";
  /** `https://{probe_host}/anything/weir/<slug>`. */
  readonly url: string;
  /** As in `RequestStarted`: without the port if it is the scheme's default. */
  readonly origin: string;
  /** `host:port`, as a CONNECT names it. */
  readonly authority: string;
  readonly path: string;
  readonly below: boolean;
  /** Origins such as `http://localhost:<proxy port>`. Requests to them count as the probe. Only Firefox has any. */
  readonly localhost: readonly string[];
  readonly limit: Milliseconds;
}

/** How a request relates to the probe. */
export type Match =
  | "probe"
  /** The probe in plain http: the target's https setting is missing. */
  | "without-tls"
  /**
   * A request to an origin in `localhost`, in origin-form: the client connected to the listener directly, so the
   * client's proxy setting was not used.
   */
  | "direct"
  /** Another URL of the probe's host, over TLS: proxy and certificate work, the URL is wrong. */
  | "probe-host"
  | "other";

/**
 * `probeHost`: `host` or `host:port`, without a scheme. `proxyPort`: the port of our listener, for the origins in
 * `localhost`.
 */
export function probeOf(target: Target, probeHost: string, proxyPort: number): Probe {
  const host = probeHost.toLowerCase();
  const named = /:(\d+)$/.exec(host);
  const origin = `https://${named?.[1] === "443" ? host.slice(0, -":443".length) : host}`;
  const path = `${PATH_PREFIX}${target.slug}`;
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

/** The slug in the path of a request that may be a probe; `null` if the path is no probe's. */
export function slugIn(target: string): string | null {
  const path = pathOf(target);
  return path.startsWith(PATH_PREFIX) ? (path.slice(PATH_PREFIX.length).split("/", 1)[0] ?? null) : null;
}

/** Compares method, scheme, host, port and path. Imported and resent requests never match. */
export function matchOf(probe: Probe, request: RequestStarted): Match {
  if (request.tags.some((tag) => NEVER_COUNTED.includes(tag))) return "other";
  if (request.method !== probe.method || !isPath(probe, request.target)) return isToProbeHost(probe, request);
  if (probe.localhost.includes(request.origin)) return isOriginForm(request.head) ? "direct" : "probe";
  if (request.origin === probe.origin) return request.tags.includes("https-in-clear") ? "without-tls" : "probe";
  return request.origin === inClear(probe.origin) ? "without-tls" : "other";
}

/** Whether the request is for `SAMPLE`, over TLS. Imported and resent requests never are. */
export function isSample({ method, origin, target, tags }: RequestStarted): boolean {
  const isCounted = !tags.some((tag) => tag === "https-in-clear" || NEVER_COUNTED.includes(tag));
  return isCounted && method === "GET" && origin + pathOf(target) === SAMPLE;
}

/**
 * Why a URL cannot be the sample URL, as a sentence; `null` if it can. Strict, so that every shell can express the URL
 * and formats without quotes can contain it.
 */
export function sampleProblem(url: string): Problem | null {
  if (!/^https?:\/\/[^/?#]/i.test(url)) return "A sample URL starts with https:// or http:// and names a host.";
  if (!/^[!-~]+$/.test(url)) return "A sample URL has only ASCII characters and no spaces. Percent-encode the others.";
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

/**
 * Whether the request is in origin-form (RFC 9112, 3.2.1): its target is a path. Servers get this form; a proxy gets an
 * absolute URL.
 */
function isOriginForm(head: string): boolean {
  return /^\S+ \//.test(head);
}

function inClear(origin: string): string {
  return origin.replace(/^https:/, "http:");
}
