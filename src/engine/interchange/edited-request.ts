import type { EditableRequest, EditProblems } from "../messages/edit-messages.ts";
import { hostOf } from "../model/endpoint.ts";
import { fieldOf, type HeaderField } from "../model/head.ts";
import { failure, type Result, success } from "../model/result.ts";
import { decodeUtf8 } from "../quoting/utf8.ts";
import { NOT_RESENT, type ResentRequest } from "./resend.ts";

/** The most characters of the headers (docs/security.md F3), and the most bytes of a body that is shown as text. */
const MOST_HEADERS = 64_000;
const MOST_BODY = 262_144;

/** RFC 9110, 5.6.2: a token. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** An origin, then a path and query of visible ASCII without a fragment. */
const URL_PARTS = /^(https?:\/\/(?:[\w.~-]{1,253}|\[[\dA-F:.]{2,45}\])(?::(\d{1,5}))?)([/?][!"$-~]{0,65000})?$/i;

/**
 * The request in the form in which a user edits it. Weir writes the fields of the connection and the framing itself.
 */
export function editableOf({ origin, head, body }: ResentRequest): EditableRequest {
  const [line = "", ...lines] = head.split("\r\n");
  const [method = "", target = ""] = line.split(" ");
  const own = hostOf(origin);
  const headers = lines.filter((each) => {
    const field = fieldOf(each);
    return field !== null && !isOfWeir(field) && !(field.name.toLowerCase() === "host" && field.value === own);
  });
  return {
    method,
    url: `${origin}${target}`,
    headers: headers.join("\n"),
    body: body.length > MOST_BODY ? null : decodeUtf8(body),
    bodySize: body.length,
  };
}

/** What is wrong with an edited request, by field, as sentences; empty if nothing is. */
export function editProblemsOf({
  method,
  url,
  headers,
}: Pick<EditableRequest, "method" | "url" | "headers">): EditProblems {
  const problems: { -readonly [Field in keyof EditProblems]: string } = {};
  if (!TOKEN.test(method)) problems.method = "Enter a method such as GET, without spaces.";
  else if (method.toUpperCase() === "CONNECT") problems.method = "CONNECT opens a tunnel and cannot be sent from here.";
  if (!isSendable(url))
    problems.url = url.includes("#")
      ? "A part after # is never sent. Remove it."
      : "Enter an http or https URL in ASCII, such as https://api.example.com/v1, without a user name.";
  const wrong = headerProblemOf(headers);
  if (wrong !== null) problems.headers = wrong;
  return problems;
}

/** The edited request, to be sent. Fails with the first problem. */
export function editedRequest(
  edited: Omit<EditableRequest, "body" | "bodySize">,
  body: Uint8Array,
): Result<ResentRequest> {
  const [problem] = Object.values(editProblemsOf(edited));
  if (problem !== undefined) return failure(problem);
  const [, origin = "", , rest = "/"] = URL_PARTS.exec(edited.url) ?? [];
  const target = rest.startsWith("/") ? rest : `/${rest}`;
  const fields = linesOf(edited.headers).flatMap((line) => fieldOf(line) ?? []);
  const hasHost = fields.some(({ name }) => name.toLowerCase() === "host");
  const isFramed = body.length > 0 || ["POST", "PUT", "PATCH"].includes(edited.method);
  const lines = [
    `${edited.method} ${target} HTTP/1.1`,
    ...(hasHost ? [] : [`Host: ${hostOf(origin)}`]),
    ...fields.map(({ name, value }) => `${name}: ${value}`),
    ...(isFramed ? [`Content-Length: ${body.length}`] : []),
    "Connection: close",
  ];
  return success({ origin: origin.toLowerCase(), head: `${lines.join("\r\n")}\r\n\r\n`, body });
}

function isSendable(url: string): boolean {
  const parts = URL_PARTS.exec(url);
  return parts !== null && Number(parts[2] ?? 80) <= 65_535;
}

function headerProblemOf(headers: string): string | null {
  if (headers.length > MOST_HEADERS) return "The headers are longer than 64 KB. Shorten them.";
  for (const [index, line] of headers.split("\n").entries()) {
    if (line.trim() === "") continue;
    const field = fieldOf(line);
    const where = `Line ${index + 1}`;
    if (field === null || !TOKEN.test(field.name)) return `${where}: enter a name, a colon and a value.`;
    if (/[^\t -~\u0080-\u00ff]/.test(field.value))
      return `${where}: the value has a character that no header can have.`;
    if (isOfWeir(field)) return `${where}: Weir writes ${field.name} itself. Remove the line.`;
  }
  return null;
}

function isOfWeir({ name }: HeaderField): boolean {
  return NOT_RESENT.has(name.toLowerCase());
}

function linesOf(headers: string): readonly string[] {
  return headers.split("\n").filter((line) => line.trim() !== "");
}
