import { success } from "../model/result.ts";
import { decodeUtf8 } from "../quoting/utf8.ts";
import type { Copied, PlainRequest } from "./copied-request.ts";
import { hasDots, holdsOtherThanAscii, KEPT_BY_FETCH, ownHeaders, refused } from "./plain-request.ts";

/** The request as a `.http` file for the HTTP clients of JetBrains and Visual Studio Code. */
export function httpFile(request: PlainRequest): Copied {
  const { method, url, target, protocol, body } = request;
  if (!KEPT_BY_FETCH.test(target) || hasDots(target)) return refused("A .http file might change this URL.");
  if (!METHODS.test(method)) return refused(`A .http file cannot contain the method ${method}.`);
  if (holdsOtherThanAscii(request))
    return refused("A .http file has no defined encoding for header characters outside ASCII.");
  const text = decodeUtf8(body);
  if (text === null || NOT_IN_A_BODY.test(text) || text !== text.trim())
    return refused("A .http file cannot contain this body unchanged.");
  const lines = [
    "# @no-redirect",
    "# @no-cookie-jar",
    `${method} ${url} ${protocol === "h2" ? "HTTP/2" : "HTTP/1.1"}`,
    ...ownHeaders(request).map(({ name, value }) => `${name}: ${value}`.trimEnd()),
    ...(text === "" ? [] : ["", text]),
    "",
  ];
  // The clients read `{{name}}` as a variable.
  if (lines.some((line) => line.includes("{{"))) return refused("A .http file would read {{ as a variable.");
  return success(lines.join("\n"));
}

const METHODS = /^(?:DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT|TRACE)$/;

/**
 * Matches what a body must not contain: control characters, the line that separates requests, and lines that name a
 * file or a script.
 */
const NOT_IN_A_BODY = /(?![\t\n])\p{Cc}|^(?:###|<@|<>|[<>] |>>)/mu;
