import type { Socket } from "node:net";
import { isAtItsEnd } from "../http1/forwarded-head.ts";
import type { RequestHead } from "../http1/message.ts";
import type { NetworkOptions } from "../network-options.ts";
import type { Origin } from "../origin.ts";
import type { GeneratedResponse } from "../relay/generated-response.ts";
import { isLoopback, plainAddress } from "../sockets/address.ts";
import type { Destination } from "./destination.ts";
import { phonePage, type Visit } from "./phone-page.ts";

/** docs/specification.md, Probe URL: a reserved name (RFC 6761, 6.2) whose server is Weir itself. */
const PROBE_HOST = "probe.weir.test";
/** docs/specification.md, Phone page: the name of Weir's own page. */
export const PAGE_HOST = "weir.test";
/** docs/specification.md, Probe URL: the beginning of every probe's path. */
const PROBE_PATH = "/anything/weir/";

/** Whether Weir itself is the server of this name. */
export function isOwnName(host: string): boolean {
  return host === PROBE_HOST || host === PAGE_HOST;
}

/** Whether the request gets the tag `probe`, whichever server responds (docs/specification.md, Probe URL). */
export function isProbe(host: string, target: string, probeHost: string): boolean {
  return host === PROBE_HOST || (host === probeHost && target.startsWith(PROBE_PATH));
}

/**
 * Whether the request is a probe to one of our own ports, directly or through the proxy (docs/specification.md,
 * Localhost fallback).
 */
export function isLocalProbe(origin: Origin, target: string, ownPorts: readonly number[]): boolean {
  if (!target.startsWith(PROBE_PATH) || origin.scheme !== "http" || !ownPorts.includes(origin.port)) return false;
  return origin.host === "localhost" || isLoopback(origin.host);
}

/** The local response; `null` if the request is for a server. */
export function localResponse(
  destination: Destination,
  head: RequestHead,
  options: Pick<NetworkOptions, "ownPorts" | "certificate">,
  { localAddress, localPort = 0 }: Pick<Socket, "localAddress" | "localPort">,
): GeneratedResponse | null {
  const at = { address: plainAddress(localAddress), port: localPort };
  switch (destination.kind) {
    case "forward": {
      const { origin, target } = destination;
      if (origin.host === PAGE_HOST || isOwnPage(origin, target, at))
        return page(head.method, target, origin.scheme === "https" ? "trusted" : "proxied", at, options);
      const isEcho = origin.host === PROBE_HOST || isLocalProbe(origin, target, options.ownPorts());
      if (isEcho) return echo(head.method, origin.text + target);
      return isAtItsEnd(head) ? lastAnswer(head) : null;
    }
    case "direct":
      return destination.target.startsWith(PROBE_PATH)
        ? echo(head.method, `http://${head.host ?? ""}${destination.target}`)
        : page(head.method, destination.target, "direct", at, options);
    case "connect":
    case "refused":
      return null;
  }
}

/**
 * The response to OPTIONS or TRACE if Weir is the last recipient (RFC 9110, 9.3.7 and 9.3.8). TRACE returns the head
 * without credentials.
 */
function lastAnswer({ method, text }: RequestHead): GeneratedResponse {
  if (method === "OPTIONS") return { status: 204, type: "text/plain", body: "" };
  const seen = text.replaceAll(/^(?:proxy-)?(?:authorization|cookie):.*\r\n/gim, "");
  return { status: 200, type: "message/http", body: Buffer.from(seen, "latin1") };
}

function echo(method: string, url: string): GeneratedResponse {
  const body = `${JSON.stringify({ answeredBy: "Weir", method, url })}\n`;
  return { status: 200, type: "application/json", body };
}

/** The address and port at which a client's connection arrived. */
interface Arrival {
  readonly address: string;
  readonly port: number;
}

/**
 * Whether a device of the network asks through the proxy for a page that it has read without the proxy, at the address
 * that its QR code named.
 */
function isOwnPage({ scheme, host, port }: Origin, target: string, at: Arrival): boolean {
  const isAt = scheme === "http" && host === at.address && port === at.port && !isLoopback(host);
  return isAt && PAGES.includes(target.split("?")[0] ?? "");
}

const PAGES: readonly string[] = ["/", "/weir-ca.cer", "/weir-ca.pem"];

function page(
  method: string,
  target: string,
  visit: Visit,
  { address, port }: Arrival,
  { certificate }: Pick<NetworkOptions, "certificate">,
): GeneratedResponse {
  if (target === "*") return { status: 204, type: "text/plain", body: "", lines: [ALLOW] };
  if (method !== "GET" && method !== "HEAD")
    return { status: 405, type: "text/plain", body: "Only GET works here.\n", lines: [ALLOW] };
  switch (target.split("?")[0]) {
    case "/":
      return { status: 200, type: "text/html; charset=utf-8", body: phonePage(visit, address, port) };
    case "/weir-ca.cer":
      return download("weir-ca.cer", certificate().der);
    case "/weir-ca.pem":
      return download("weir-ca.pem", certificate().pem);
    default:
      return { status: 404, type: "text/plain", body: "There is no such page here. This is Weir, a local proxy.\n" };
  }
}

function download(name: string, body: string | Buffer): GeneratedResponse {
  const lines = [`Content-Disposition: attachment; filename="${name}"`];
  return { status: 200, type: "application/x-x509-ca-cert", body, lines };
}

const ALLOW = "Allow: GET, HEAD, OPTIONS";
