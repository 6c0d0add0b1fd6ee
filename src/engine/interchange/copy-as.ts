import type { CopiedAs } from "../messages/exchange-messages.ts";
import { fieldsOf, headLossOf } from "../model/head.ts";
import { type Result, failure as refused, success } from "../model/result.ts";
import type { Copied, CopiedRequest, PlainRequest } from "./copied-request.ts";
import { fetchCode, requestsCode } from "./copy-as-code.ts";
import { curlCommand } from "./copy-as-curl.ts";
import { goCode } from "./copy-as-go.ts";
import { httpFile } from "./copy-as-http-file.ts";
import { httpieCommand } from "./copy-as-httpie.ts";
import { javaCode } from "./copy-as-java.ts";
import { powershellCode } from "./copy-as-powershell.ts";

/**
 * The forms that need only the request; HAR also needs the response. Weir's tests do not run the forms for PowerShell,
 * cmd and .http files.
 */
export type CopyForm = Exclude<CopiedAs, "har">;

/**
 * Writes the request as a command or as code. The copy repeats the request exactly, including secrets. The request's
 * texts are latin1, as on the wire.
 */
export function copyAs(request: CopiedRequest, form: CopyForm): Copied {
  const plain = plainOf(request);
  if (!plain.ok) return plain;
  // Such a body is not quoted in vain, which takes long.
  if (request.body.length > MOST_CHARACTERS * MOST_UTF8) return TOO_LONG;
  const copied = MADE[form](plain.value);
  return copied.ok && copied.value.length > MOST_CHARACTERS ? TOO_LONG : copied;
}

/** The most characters of a copy, half of the 1 MB that a reply may have. */
const MOST_CHARACTERS = 500_000;

/** The most bytes of UTF-8 for one UTF-16 code unit. */
const MOST_UTF8 = 3;

const TOO_LONG = refused("This request is too long for the clipboard.");

/** Headers for the proxy, not for the server (RFC 9110, 7.6.1 and 11.7.2). */
const FOR_THE_PROXY: ReadonlySet<string> = new Set(["proxy-authorization", "proxy-connection"]);

/** Matches a method or a header's name, which are tokens (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function plainOf({ head, ...request }: CopiedRequest): Result<PlainRequest> {
  const { method, origin, target, body, bodySize } = request;
  const headers = fieldsOf(head).filter(({ name }) => !FOR_THE_PROXY.has(name.toLowerCase()));
  if (!TOKEN.test(method) || method === "CONNECT" || !/^https?:\/\/[^\s/?#]+$/.test(origin))
    return refused("This request cannot be sent again.");
  if (/[\0-\u0020\u007f]/.test(target)) return refused("The URL contains spaces or control characters.");
  if (headers.some(({ name, value }) => !TOKEN.test(name) || /[\0\r\n]/.test(value)))
    return refused("A header of this request is malformed.");
  const loss = headLossOf(head);
  if (loss !== null) return refused(`${loss} So this request cannot be copied.`);
  if (body.length < bodySize)
    return refused(
      `Weir kept only ${body.length} of this body's ${bodySize} bytes, so it cannot copy the whole request.`,
    );
  return success({ ...request, url: origin + target, headers });
}

const MADE: Readonly<Record<CopyForm, (request: PlainRequest) => Copied>> = {
  curl: (request) => curlCommand(request, "sh"),
  "curl-fish": (request) => curlCommand(request, "fish"),
  "curl-powershell": (request) => curlCommand(request, "powershell"),
  "curl-cmd": (request) => curlCommand(request, "cmd"),
  fetch: fetchCode,
  python: requestsCode,
  httpie: httpieCommand,
  "http-file": httpFile,
  powershell: powershellCode,
  go: goCode,
  java: javaCode,
};
