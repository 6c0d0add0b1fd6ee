import { fieldsOf, headLossOf } from "../model/head.ts";
import { failure, type Result, success } from "../model/result.ts";
import type { CopiedRequest } from "./copied-request.ts";

/** A request to be sent again, in the form in which a client sends it to a server. */
export interface ResentRequest {
  /** `http://host[:port]` or `https://…`. */
  readonly origin: string;
  /** Latin1 text including the final empty line. */
  readonly head: string;
  readonly body: Uint8Array;
}

/**
 * Headers that are not sent again: they belong to the original connection, to a proxy (RFC 9110, 7.6.1), or to the
 * framing, which is written anew.
 */
export const NOT_RESENT: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Prepares a captured request for sending it again on a connection of its own. */
export function resentRequest(request: CopiedRequest): Result<ResentRequest> {
  const { method, origin, target, body, bodySize } = request;
  const fields = fieldsOf(request.head);
  if (method === "CONNECT" || !/^https?:\/\//.test(origin) || !/^(\/|\*$)/.test(target))
    return failure("This request cannot be sent again.");
  if (fields.some(({ name }) => name.toLowerCase() === "upgrade"))
    return failure("A request that switched to another protocol cannot be sent again.");
  const loss = headLossOf(request.head);
  if (loss !== null) return failure(`${loss} So this request cannot be sent again.`);
  if (body.length < bodySize)
    return failure(
      `Weir kept only ${body.length} of this body's ${bodySize} bytes, so it cannot send the request again.`,
    );
  // A body from HTTP/2 may have no header that frames it, since frames mark its end.
  const framed = body.length > 0 || fields.some(({ name }) => /^(content-length|transfer-encoding)$/i.test(name));
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...fields.filter(({ name }) => !NOT_RESENT.has(name.toLowerCase())).map(({ name, value }) => `${name}: ${value}`),
    ...(framed ? [`Content-Length: ${body.length}`] : []),
    "Connection: close",
  ];
  return success({ origin, head: `${lines.join("\r\n")}\r\n\r\n`, body });
}
