import { success } from "../model/result.ts";
import { literal } from "../quoting/languages.ts";
import { bytesOfLatin1, decodeUtf8 } from "../quoting/utf8.ts";
import type { Copied, PlainRequest } from "./copied-request.ts";
import {
  hasDots,
  holdsControls,
  holdsTwice,
  isFraming,
  isOwnHost,
  KEPT_BY_FETCH,
  KEPT_BY_REQUESTS,
  OF_THE_CONNECTION,
  refused,
} from "./plain-request.ts";

/** The request as JavaScript with `fetch`, which sets connection headers itself. */
export function fetchCode(request: PlainRequest): Copied {
  const { method, url, target, body } = request;
  if (!KEPT_BY_FETCH.test(target) || hasDots(target)) return refused("fetch would change this URL.");
  if (/^(?:TRACE|TRACK)$/i.test(method) || isNormalised(method)) return refused(`fetch cannot send ${method}.`);
  if (/^(?:GET|HEAD)$/.test(method) && body.length > 0) return refused(`fetch cannot send a body with ${method}.`);
  if (holdsControls(request)) return refused("fetch cannot send headers with control characters.");
  const string = (value: string) => literal(value, "javascript");
  const headers = request.headers.filter(({ name }) => !OF_THE_CONNECTION.has(name.toLowerCase()));
  const lines = [
    `await fetch(${string(url)}, {`,
    `  method: ${string(method)},`,
    "  headers: [",
    ...headers.map(({ name, value }) => `    [${string(name)}, ${string(value)}],`),
    "  ],",
    ...(body.length === 0 ? [] : [`  body: ${javascriptBody(request)},`]),
    '  redirect: "manual",',
    "});",
  ];
  return success(lines.join("\n"));
}

/** The request as Python with the package `requests`. */
export function requestsCode(request: PlainRequest): Copied {
  const { method, url, target, body } = request;
  const names = request.headers.map(({ name }) => name.toLowerCase());
  if (!KEPT_BY_REQUESTS.test(target) || hasDots(target)) return refused("requests would change this URL.");
  if (method !== method.toUpperCase()) return refused(`requests cannot send ${method}.`);
  if (holdsTwice(request)) return refused("requests cannot send a header twice.");
  if (holdsControls(request)) return refused("requests cannot send headers with control characters.");
  const string = (value: string) => literal(value, "python");
  const headers = request.headers.filter((field) => !isFraming(field) && !isOwnHost(field, request));
  const absent = (name: string) => !names.includes(name.toLowerCase());
  const skipped = ["User-Agent", "Accept-Encoding"].filter(absent);
  const lines = [
    "import requests",
    ...(skipped.length === 0 ? [] : ["from urllib3.util import SKIP_HEADER"]),
    "",
    "response = requests.request(",
    `    ${string(method)},`,
    `    ${string(url)},`,
    "    headers={",
    ...headers.map(
      ({ name, value }) =>
        `        ${string(name)}: ${/^[ -~]*$/.test(value) ? string(value) : pythonBytes(bytesOfLatin1(value))},`,
    ),
    ...skipped.map((name) => `        ${string(name)}: SKIP_HEADER,`),
    ...["Accept", "Connection"].filter(absent).map((name) => `        ${string(name)}: None,`),
    "    },",
    ...(body.length === 0 ? [] : [`    data=${pythonBytes(body)},`]),
    "    allow_redirects=False,",
    ")",
    "print(response.status_code, response.text)",
  ];
  return success(lines.join("\n"));
}

/** Whether fetch would convert the method to upper case. */
function isNormalised(method: string): boolean {
  return method !== method.toUpperCase() && /^(?:delete|get|head|options|post|put)$/i.test(method);
}

/**
 * The body as a JavaScript expression. If the request has no Content-Type, a text body is written as bytes: for a
 * string, fetch would add a Content-Type.
 */
function javascriptBody({ body, headers }: PlainRequest): string {
  const text = decodeUtf8(body);
  if (text === null) return `Uint8Array.from(atob("${body.toBase64()}"), (character) => character.charCodeAt(0))`;
  const typed = headers.some(({ name }) => name.toLowerCase() === "content-type");
  return typed ? literal(text, "javascript") : `new TextEncoder().encode(${literal(text, "javascript")})`;
}

function pythonBytes(body: Uint8Array): string {
  const escaped = (byte: number) => {
    const character = String.fromCharCode(byte);
    if (byte < 0x20 || byte > 0x7e) return `\\x${byte.toString(16).padStart(2, "0")}`;
    return '"\\'.includes(character) ? `\\${character}` : character;
  };
  return `b"${Array.from(body, escaped).join("")}"`;
}
