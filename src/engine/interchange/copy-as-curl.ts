import type { HeaderField } from "../model/head.ts";
import { failure as refused, success } from "../model/result.ts";
import { octal, quoted, type Shell, unspeakable } from "../quoting/shell.ts";
import { textOfLatin1 } from "../quoting/utf8.ts";
import type { Copied, PlainRequest } from "./copied-request.ts";
import { inlineText } from "./plain-request.ts";

/** An option of curl, and its value if it takes one. */
type Option = readonly [name: string] | readonly [name: string, value: string];

export function curlCommand(request: PlainRequest, shell: Shell): Copied {
  const options = optionsOf(request);
  const body = bodyOf(request);
  if (body.kind === "text") options.push(["--data-raw", body.text]);
  for (const [, value = ""] of options) {
    const problem = unspeakable(value, shell);
    if (problem !== null) return refused(`This request cannot be written as a command for this shell. ${problem}`);
  }
  switch (shell) {
    case "sh":
    case "fish":
      return success(posixText(options, body, shell));
    case "powershell":
      return success(powershellText(options, body));
    case "cmd":
      return cmdText(options, body);
  }
}

/** All options except the body. Switches off headers that curl would add although the request lacks them. */
function optionsOf(request: PlainRequest): Option[] {
  const { method, origin, target, headers, body } = request;
  const names = new Set(headers.map(({ name }) => name.toLowerCase()));
  const sendsBody = hasBody(request);
  const options: Option[] = [];

  // Without this option, curl percent-encodes bytes outside ASCII and drops a fragment.
  const ordinary = /^\/[!-~]*$/.test(target) && !target.includes("#");
  if (!ordinary) options.push(["--request-target", textOfLatin1(target)]);
  const url = ordinary ? origin + target : `${origin}/`;
  if (/[[\]{}]/.test(url)) options.push(["--globoff"]);
  if (/\/\.|%2e/i.test(url)) options.push(["--path-as-is"]);

  if (request.protocol === "http/1.0") options.push(["--http1.0"]);
  else if (request.protocol === "h2")
    options.push([origin.startsWith("https:") ? "--http2" : "--http2-prior-knowledge"]);
  else if (origin.startsWith("https:")) options.push(["--http1.1"]);
  if (method === "HEAD" && !sendsBody) options.push(["--head"]);
  else if (method !== "GET" || sendsBody) options.push(["--request", method]);

  if (headers.some(asksForDecoded)) options.push(["--compressed"]);
  for (const { name, value } of headers) {
    if (isImplied(name, value, request)) continue;
    // For curl, "name:" removes a header and "name;" sends an empty value.
    options.push(["--header", value === "" ? `${name};` : `${name}: ${textOfLatin1(value)}`]);
  }
  for (const name of ["Host", "User-Agent", "Accept"])
    if (!names.has(name.toLowerCase())) options.push(["--header", `${name}:`]);
  if (sendsBody && !names.has("content-type")) options.push(["--header", "Content-Type:"]);
  if (body.length >= EXPECTING && !names.has("expect")) options.push(["--header", "Expect:"]);
  options.push(["--url", url]);
  return options;
}

/** Some versions of curl send `Expect: 100-continue` with a body of this many bytes or more. */
const EXPECTING = 1_024;

/** cmd's maximum line length. */
const LONGEST_CMD_LINE = 8_191;

/** Whether the header asks for a content coding that curl decodes, but only with `--compressed`. */
function asksForDecoded({ name, value }: HeaderField): boolean {
  return name.toLowerCase() === "accept-encoding" && /\b(?:gzip|deflate|br|zstd)\b/i.test(value);
}

/** Whether curl itself sends this header with the same value. */
function isImplied(name: string, value: string, { origin, headers }: PlainRequest): boolean {
  const lower = name.toLowerCase();
  if (lower === "content-length") return true;
  const only = headers.filter((other) => other.name.toLowerCase() === "host").length === 1;
  return lower === "host" && only && value === origin.slice(origin.indexOf("://") + 3);
}

/** Whether the command sends a body. An empty body counts if the head announced it. */
function hasBody({ body, headers }: PlainRequest): boolean {
  return body.length > 0 || headers.some(({ name }) => /^(?:content-length|transfer-encoding)$/i.test(name));
}

type Body = { readonly kind: "none" } | { readonly kind: "text"; readonly text: string } | BytesBody;

/** A body that is too long for a command line, or not text. */
interface BytesBody {
  readonly kind: "bytes";
  readonly bytes: Uint8Array;
}

function bodyOf(request: PlainRequest): Body {
  if (!hasBody(request)) return { kind: "none" };
  const text = inlineText(request.body);
  return text === null ? { kind: "bytes", bytes: request.body } : { kind: "text", text };
}

function posixText(options: readonly Option[], body: Body, shell: "sh" | "fish"): string {
  const words = options.map(([name, value]) => (value === undefined ? name : `${name} ${quoted(value, shell)}`));
  if (body.kind !== "bytes") return `curl ${words.join(" \\\n  ")}`;
  return `printf '${printfFormat(body.bytes)}' |\n  curl ${[...words, "--data-binary @-"].join(" \\\n  ")}`;
}

/** A format with which `printf` writes these bytes in every shell. Escapes `-`, which would begin an option. */
function printfFormat(bytes: Uint8Array): string {
  const plain = (byte: number) => byte >= 0x20 && byte < 0x7f && !"-\\%'".includes(String.fromCharCode(byte));
  return Array.from(bytes, (byte) => (plain(byte) ? String.fromCharCode(byte) : octal(Uint8Array.of(byte)))).join("");
}

/**
 * Passes curl's options through standard input, so that `"` stays unchanged in every version of PowerShell and
 * non-ASCII letters arrive as UTF-8. Each item of `@()` is one line of curl's configuration file.
 */
function powershellText(options: readonly Option[], body: Body): string {
  const lines = options.map(([name, value]) => {
    const option = name.slice(2);
    return `  ${quoted(value === undefined ? option : `${option} = ${configured(value)}`, "powershell")}`;
  });
  const list = `@(\n${lines.join("\n")}\n) | curl.exe --config -`;
  const encoding = "$OutputEncoding = [Text.UTF8Encoding]::new($false)";
  if (body.kind !== "bytes") return `& {\n${encoding}\n${list}\n}`;
  return [
    "& {",
    encoding,
    "$body = New-TemporaryFile",
    `[IO.File]::WriteAllBytes($body, [Convert]::FromBase64String('${body.bytes.toBase64()}'))`,
    `${list} --data-binary "@$body"`,
    "Remove-Item $body",
    "}",
  ].join("\n");
}

/** A value for curl's configuration file, which knows only these escapes. */
function configured(value: string): string {
  const escapes: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "\v": "\\v" };
  return `"${value.replaceAll(/["\\]/g, "\\$&").replaceAll(/[\t\n\r\v]/g, (character) => escapes[character] ?? "")}"`;
}

function cmdText(options: readonly Option[], body: Body): Copied {
  if (body.kind === "bytes") return refused("cmd cannot contain this body. Copy the request for PowerShell instead.");
  const words = options.map(([name, value]) => (value === undefined ? name : `${name} ${quoted(value, "cmd")}`));
  const text = `curl ${words.join(" ")}`;
  return text.length <= LONGEST_CMD_LINE ? success(text) : refused("This command is too long for cmd.");
}
