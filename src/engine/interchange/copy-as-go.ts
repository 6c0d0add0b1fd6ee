import { addTo } from "../insights/grouped.ts";
import { hostOf } from "../model/endpoint.ts";
import { success } from "../model/result.ts";
import { literal } from "../quoting/languages.ts";
import { bytesOfLatin1, decodeUtf8 } from "../quoting/utf8.ts";
import type { Copied, PlainRequest } from "./copied-request.ts";
import { has, holdsControls, isFraming, KEPT_BY_FETCH, refused } from "./plain-request.ts";

/** The request as a Go program with net/http. */
export function goCode(request: PlainRequest): Copied {
  const { method, origin, target, headers, body } = request;
  if (target.startsWith("//")) return refused("Go would change this URL.");
  if (holdsControls(request)) return refused("Go cannot send headers with control characters.");
  const agents = headers.filter(({ name }) => name.toLowerCase() === "user-agent");
  if (agents.length > 1 || agents[0]?.value === "")
    return refused("Go cannot send an empty or repeated User-Agent header.");
  if (has(request, "trailer")) return refused("Go does not let programs set the header Trailer.");
  const isPlain = KEPT_BY_FETCH.test(target);
  const host = headers.findLast(({ name }) => name.toLowerCase() === "host")?.value ?? hostOf(origin);
  const lines = [
    "package main",
    "",
    "import (",
    ...["fmt", "io", "log", "net/http", ...(body.length === 0 ? [] : ["strings"])].map((name) => `\t"${name}"`),
    ")",
    "",
    "func main() {",
    `\trequest, err := http.NewRequest(${text(method)}, ${text(origin + (isPlain ? target : "/"))}, ${body.length === 0 ? "nil" : `strings.NewReader(${bytes(body)})`})`,
    "\tif err != nil {",
    "\t\tlog.Fatal(err)",
    "\t}",
    ...(isPlain ? [] : [`\trequest.URL.Opaque = ${bytes(bytesOfLatin1(target))}`]),
    ...(host === hostOf(origin) ? [] : [`\trequest.Host = ${bytes(bytesOfLatin1(host))}`]),
    ...valuesByName(request).map(
      ([name, values]) => `\trequest.Header[${text(name)}] = []string{${values.join(", ")}}`,
    ),
    "\ttransport := http.DefaultTransport.(*http.Transport).Clone()",
    "\ttransport.DisableCompression = true",
    "\tresponse, err := transport.RoundTrip(request)",
    "\tif err != nil {",
    "\t\tlog.Fatal(err)",
    "\t}",
    "\tdefer response.Body.Close()",
    "\tcontent, err := io.ReadAll(response.Body)",
    "\tif err != nil {",
    "\t\tlog.Fatal(err)",
    "\t}",
    "\tfmt.Println(response.Status)",
    "\tfmt.Println(string(content))",
    "}",
  ];
  return success(lines.join("\n"));
}

/**
 * The values of the headers by name. Names keep their letter case, except User-Agent, which net/http only finds in this
 * spelling. If the request has no User-Agent, an empty value keeps net/http from adding the header.
 */
function valuesByName(request: PlainRequest): readonly (readonly [name: string, values: readonly string[]])[] {
  const values = new Map<string, string[]>();
  if (!has(request, "user-agent")) values.set("User-Agent", ['""']);
  for (const field of request.headers) {
    const lower = field.name.toLowerCase();
    if (lower === "host" || isFraming(field)) continue;
    const name = lower === "user-agent" ? "User-Agent" : field.name;
    addTo(values, name, bytes(bytesOfLatin1(field.value)));
  }
  return [...values];
}

function text(value: string): string {
  return literal(value, "go");
}

/** A Go string of these bytes. */
function bytes(value: Uint8Array): string {
  const whole = decodeUtf8(value);
  if (whole !== null) return text(whole);
  const escaped = (byte: number) =>
    byte < 0x80 ? literal(String.fromCharCode(byte), "go").slice(1, -1) : `\\x${byte.toString(16)}`;
  return `"${Array.from(value, escaped).join("")}"`;
}
