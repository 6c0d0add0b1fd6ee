import type { RequestEdits } from "../http1/forwarded-head.ts";
import type { RequestHead } from "../http1/message.ts";
import type { Relocation } from "../http1/relocated-head.ts";
import { fitsHttp2 } from "../http2/message-text.ts";
import type { Origin, Server } from "../origin.ts";
import type { Http2Use, Route } from "../upstream/route.ts";
import type { Client } from "./client-exchange.ts";
import { authenticatesConnection } from "./server-lease.ts";

/** Where a request is sent, and what changes in the heads of the request and the response. */
export interface Forward {
  readonly origin: Origin;
  /** Where to connect (`InnerRoute`); `null` for the origin's own host and port. */
  readonly at: Server | null;
  /** The target that is sent to the server: origin-form or `*`. */
  readonly target: string;
  /** The value of Host to send; `null` to forward Host as received. */
  readonly host: string | null;
  /** What changes in the response's head for a client of a reverse port; `null` for nothing. */
  readonly relocation: Relocation | null;
}

/**
 * How HTTP/2 may be used for a request. Upgrades, authentication of connections and overlong fields need HTTP/1.1.
 * HTTP/2 without TLS is used only if the client also uses HTTP/2 without TLS.
 */
export function http2UseOf(head: RequestHead, { origin }: Forward, client: Client): Http2Use {
  if (head.upgrade !== null || authenticatesConnection(head.text) || !fitsHttp2(head)) return "never";
  if (origin.scheme === "https") return "offered";
  return client.stream === null ? "never" : "known";
}

/**
 * The changes to the request's head. An upstream proxy that fetches the response gets the absolute URL and our
 * credentials.
 */
export function editsFor(destination: Forward, { proxy, fetches }: Route): RequestEdits {
  const { origin, target, host } = destination;
  if (!fetches) return { target, host, authorization: null };
  // RFC 9112, 3.2.4: the target of OPTIONS for a whole server has no path.
  const path = target === "*" ? "" : target;
  return { target: origin.text + path, host, authorization: proxy?.authorization ?? null };
}
