import { UNKNOWN_METHOD } from "../model/exchange.ts";
import { latin1OfText } from "../quoting/utf8.ts";
import type { JsonValue } from "./json-value.ts";

/** The server and the target of a request. */
export interface Address {
  /** As in an exchange: lower-case, without the scheme's default port. */
  readonly origin: string;
  readonly port: number;
  /** Latin1 text, as on the wire. */
  readonly target: string;
}

/**
 * The address in an http, https, ws or wss URL; `null` for other URLs. Drops fragment and user-info, which are no part
 * of a request.
 */
export function addressOf(url: string): Address | null {
  const [, scheme = "", authority = "", rest = ""] = /^(https?|wss?):\/\/([^/?#\\]+)([^#]*)/i.exec(url) ?? [];
  const secure = /^(?:https|wss)$/i.test(scheme);
  const [, host = "", digits = ""] =
    /^(\[[\da-f:.]+\]|[^\s:@[\]]+)(?::(\d{0,5}))?$/i.exec(authority.replace(/^.*@/s, "")) ?? [];
  if (host === "") return null;
  const usual = secure ? 443 : 80;
  const port = digits === "" ? usual : Number(digits);
  if (port > 65_535) return null;
  const origin = `${secure ? "https" : "http"}://${host.toLowerCase()}${port === usual ? "" : `:${port}`}`;
  return {
    origin,
    port,
    target: latin1OfText(withoutBreaks(rest.startsWith("/") ? rest : `/${rest}`)).replaceAll(" ", "%20"),
  };
}

/** The most characters of a method. */
export const LONGEST_METHOD = 64;

/**
 * The method of an entry's request; `null` if it is no token (RFC 9110, 9.1) or too long. `UNKNOWN_METHOD` if the file
 * has none, as in WebPageTest's entries whose head it could not read.
 */
export function methodIn(entry: JsonValue): string | null {
  const request = entry.at("request");
  const method = request.isNull("method") ? UNKNOWN_METHOD : (request.at("method").text ?? "");
  if (method === UNKNOWN_METHOD) return method;
  return method.length <= LONGEST_METHOD && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method) ? method : null;
}

/** Status and status line of a response; `null` if no server responded. */
export function statusLineOf(response: JsonValue): { readonly status: number; readonly line: string } | null {
  const status = statusIn(response);
  const version = response.at("httpVersion").text ?? "";
  if (status === null) return null;
  return {
    status,
    line: `${versionOf(version)} ${status} ${latin1OfText(withoutBreaks(response.at("statusText").text ?? ""))}`,
  };
}

/**
 * The status; `null` if there is none, which browsers write as 0. Some tools write text, with the reason phrase after
 * the number.
 */
export function statusIn(response: JsonValue): number | null {
  const written = response.at("status");
  const status = written.numeric ?? Number(/^\s*(\d{3}) /.exec(written.text ?? "")?.[1] ?? 0);
  return Number.isInteger(status) && status >= 100 && status <= 999 ? status : null;
}

/**
 * Whether the status is valid in HTTP, or states that there was no response: 0 in browsers, -1 in Playwright, -2 in
 * WebPageTest. The latter two write neither headers nor content then.
 */
export function isStatusKnown(response: JsonValue): boolean {
  const { numeric } = response.at("status");
  const isEmpty = response.at("headers").items.length === 0 && !response.at("content").at("text").text;
  return statusIn(response) !== null || numeric === 0 || ((numeric === -1 || numeric === -2) && isEmpty);
}

/** The version as in a start line. Chrome writes "h2" and "http/2.0". */
function versionOf(version: string): string {
  if (/^(?:h2|http\/2(?:\.0)?)$/i.test(version)) return "HTTP/2";
  return /^HTTP\/\d(?:\.\d)?$/.test(version) ? version : "HTTP/1.1";
}

/**
 * A head as latin1 text. Drops HTTP/2 pseudo-headers, which repeat the start line, and splits headers that Firefox and
 * Chrome joined with line breaks.
 */
export function headOf(line: string, headers: JsonValue): string {
  const lines = [line];
  for (const header of headers.items) {
    const name = latin1OfText(header.at("name").text ?? "");
    if (!/^[^\s:]+$/.test(name) || name.includes("\0")) continue;
    for (const value of (header.at("value").text ?? "").split(/\r\n|[\r\n]/))
      lines.push(`${name}: ${latin1OfText(value)}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}

function withoutBreaks(text: string): string {
  return text.replaceAll(/[\r\n\0]+/g, " ");
}
