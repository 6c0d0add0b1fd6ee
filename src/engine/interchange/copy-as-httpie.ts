import { failure, success } from "../model/result.ts";
import { octal, quoted, unspeakable } from "../quoting/shell.ts";
import { holdsRawBytes, textOfLatin1 } from "../quoting/utf8.ts";
import type { Copied, PlainRequest } from "./copied-request.ts";
import {
  has,
  hasDots,
  holdsControls,
  holdsTwice,
  inlineText,
  isFraming,
  isOwnHost,
  KEPT_BY_REQUESTS,
  refused,
} from "./plain-request.ts";

/**
 * The request as a command of HTTPie 3 for sh, bash and zsh. If the request has no User-Agent or Accept-Encoding,
 * HTTPie's library sends its own value, although the command removes the header.
 */
export function httpieCommand(request: PlainRequest): Copied {
  const { method, url, target, body } = request;
  if (!KEPT_BY_REQUESTS.test(target) || hasDots(target)) return refused("HTTPie would change this URL.");
  if (!/^[A-Z]+$/.test(method)) return refused(`HTTPie cannot send ${method}.`);
  if (holdsTwice(request)) return refused("HTTPie joins headers with the same name.");
  if (holdsControls(request)) return refused("HTTPie cannot send headers with control characters.");
  const items: string[] = [];
  for (const field of request.headers) {
    if (isFraming(field) || isOwnHost(field, request)) continue;
    const value = textOfLatin1(field.value);
    // HTTPie removes a backslash before a separator (`=`, `:`, `@` or `;`), and white space at both ends of a value.
    if (holdsRawBytes(value) || /\\[=:@;]|^[\s\u0085]|[\s\u0085]$/.test(value))
      return refused(`HTTPie cannot send the header ${field.name} unchanged.`);
    // "name:" removes a header, and "name;" sends it with an empty value. After ": ", no character of the value counts
    // as a separator.
    items.push(value === "" ? `${field.name};` : `${field.name}: ${value}`);
  }
  for (const name of ["Accept", "Accept-Encoding", "Connection", "User-Agent"])
    if (!has(request, name.toLowerCase())) items.push(`${name}:`);
  if (body.length > 0 && !has(request, "content-type")) items.push("Content-Type:");
  return command([method, url, ...items], body);
}

function command(words: readonly string[], body: Uint8Array): Copied {
  const text = inlineText(body);
  const raw = body.length > 0 ? [`--raw=${text}`] : [];
  const options = text === null ? [] : ["--ignore-stdin", ...raw];
  const all = [...options, ...words];
  const problem = all.map((word) => unspeakable(word, "sh")).find((one) => one !== null) ?? null;
  if (problem !== null) return failure(`This request cannot be written as a command for this shell. ${problem}`);
  const line = `http ${all.map((word) => quoted(word, "sh")).join(" \\\n  ")}`;
  return success(text !== null ? line : `printf '${octal(body)}' |\n  ${line}`);
}
