import { isAtItsEnd } from "../http1/max-forwards.ts";
import type { RequestHead } from "../http1/message.ts";
import type { NetworkOptions } from "../network-options.ts";
import type { Origin } from "../origin.ts";
import type { GeneratedResponse } from "../relay/generated-response.ts";
import { isLoopback } from "../sockets/address.ts";
import type { Destination } from "./destination.ts";

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
): GeneratedResponse | null {
  switch (destination.kind) {
    case "forward": {
      const { origin, target } = destination;
      if (origin.host === PAGE_HOST) return page(head.method, target, options);
      const isEcho = origin.host === PROBE_HOST || isLocalProbe(origin, target, options.ownPorts());
      if (isEcho) return echo(head.method, origin.text + target);
      return isAtItsEnd(head) ? lastAnswer(head) : null;
    }
    case "direct":
      return destination.target.startsWith(PROBE_PATH)
        ? echo(head.method, `http://${head.host ?? ""}${destination.target}`)
        : page(head.method, destination.target, options);
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

function page(method: string, target: string, { certificate }: Pick<NetworkOptions, "certificate">): GeneratedResponse {
  if (target === "*") return { status: 204, type: "text/plain", body: "", lines: [ALLOW] };
  if (method !== "GET" && method !== "HEAD")
    return { status: 405, type: "text/plain", body: "Only GET works here.\n", lines: [ALLOW] };
  switch (target.split("?")[0]) {
    case "/":
      return { status: 200, type: "text/html; charset=utf-8", body: PAGE };
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

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Weir</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}</style>
<h1>Weir</h1>
<p>This is Weir, a proxy on a developer’s machine that shows how long requests take and why.
It is meant to be set as the HTTP and HTTPS proxy of a client, not to be visited.</p>
<h2>Certificate</h2>
<p>Weir can read a client’s HTTPS only if the client trusts the certificate of this installation of Weir. This page offers
the certificate for download and installs nothing. You decide whether to trust it, in your device’s settings.</p>
<ul>
<li><a href="/weir-ca.cer">weir-ca.cer</a> (DER, for phones and desktops)</li>
<li><a href="/weir-ca.pem">weir-ca.pem</a> (PEM, for tools)</li>
</ul>
<p>Remove the certificate from the device when you no longer need it.</p>
</html>
`;
