import { encodeUtf8 } from "../quoting/utf8.ts";
import type { JsonValue } from "./json-value.ts";

/** Where a request goes. */
export interface Address {
  /** As in an exchange: lower-case, without the scheme's own port. */
  readonly origin: string;
  readonly port: number;
  /** Latin1 text, as on the wire. */
  readonly target: string;
}

/** Of an http, https, ws or wss URL; `null` for any other. The fragment and the user-info are no part of a request. */
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
    target: latin1Of(withoutBreaks(rest.startsWith("/") ? rest : `/${rest}`)).replaceAll(" ", "%20"),
  };
}

/** A method as it may stand in a request line; anything else became GET. */
export function methodOf(method: string | null): string {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/.test(method ?? "") ? (method ?? "GET") : "GET";
}

/** The status and first line of a response; `null` where the entry holds none that came from a server. */
export function statusLineOf(response: JsonValue): { readonly status: number; readonly line: string } | null {
  const status = statusIn(response);
  const version = response.at("httpVersion").text ?? "";
  if (status === null || (version === "" && response.at("headers").items.length === 0)) return null;
  return {
    status,
    line: `${versionOf(version)} ${status} ${latin1Of(withoutBreaks(response.at("statusText").text ?? ""))}`,
  };
}

/** Browsers write 0 where no response came. */
export function statusIn(response: JsonValue): number | null {
  const status = response.at("status").number ?? 0;
  return Number.isInteger(status) && status >= 100 && status <= 999 ? status : null;
}

/** Chrome writes "h2" and "http/2.0". */
function versionOf(version: string): string {
  if (/^(?:h2|http\/2(?:\.0)?)$/i.test(version)) return "HTTP/2";
  return /^HTTP\/\d(?:\.\d)?$/.test(version) ? version : "HTTP/1.1";
}

/**
 * A head as latin1 text. HTTP/2's pseudo-headers say what the first line says; Firefox and Chrome join headers of one
 * name with line breaks, which here become headers again.
 */
export function headOf(line: string, headers: JsonValue): string {
  const lines = [line];
  for (const header of headers.items) {
    const name = latin1Of(header.at("name").text ?? "");
    if (!/^[^\s:]+$/.test(name) || name.includes("\0")) continue;
    for (const value of (header.at("value").text ?? "").split(/\r\n|[\r\n]/)) lines.push(`${name}: ${latin1Of(value)}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** Text as the bytes that it was on the wire. */
function latin1Of(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : Array.from(encodeUtf8(text), (byte) => String.fromCharCode(byte)).join("");
}

function withoutBreaks(text: string): string {
  return text.replaceAll(/[\r\n\0]+/g, " ");
}
