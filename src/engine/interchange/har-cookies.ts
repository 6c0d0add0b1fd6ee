import type { HeaderField } from "../model/head.ts";
import { textOf } from "../quoting/utf8.ts";
import { instantOfHttpDate, isoOf } from "./date-time.ts";
import { REDACTED, redactedText } from "./redaction.ts";

/** The pairs of all Cookie headers (RFC 6265, 4.2). */
export function requestCookies(fields: readonly HeaderField[], redact: boolean): object[] {
  return valuesOf(fields, "cookie")
    .flatMap((value) => value.split(";"))
    .filter((pair) => pair.trim() !== "")
    .map((pair) => pairOf(pair, redact));
}

/** One cookie per Set-Cookie header, with its attributes (RFC 6265, 4.1). */
export function responseCookies(fields: readonly HeaderField[], redact: boolean): object[] {
  return valuesOf(fields, "set-cookie").map((value) => {
    const [pair = "", ...attributes] = value.split(";");
    const known = new Map(
      attributes.map((attribute) => {
        const { name, value: text } = split(attribute);
        return [name.toLowerCase(), text];
      }),
    );
    const expires = instantOfHttpDate(known.get("expires") ?? "");
    return {
      ...pairOf(pair, redact),
      ...shownIn(known, "path", redact),
      ...shownIn(known, "domain", redact),
      ...(expires === null ? {} : { expires: isoOf(expires) }),
      httpOnly: known.has("httponly"),
      secure: known.has("secure"),
      ...(known.has("samesite") ? { sameSite: known.get("samesite") } : {}),
    };
  });
}

function valuesOf(fields: readonly HeaderField[], lower: string): string[] {
  return fields.flatMap(({ name, value }) => (name.toLowerCase() === lower ? [textOf(value)] : []));
}

/** An attribute of a cookie, if it has one. */
function shownIn(known: ReadonlyMap<string, string>, name: "path" | "domain", redact: boolean): object {
  const value = known.get(name);
  return value === undefined ? {} : { [name]: redact ? redactedText(value) : value };
}

/** A cookie. One without an equals sign has a value and no name (RFC 6265bis, 5.6). */
function pairOf(pair: string, redact: boolean): object {
  const isNamed = pair.includes("=");
  const { name, value } = split(isNamed ? pair : `=${pair}`);
  return { name: redact ? redactedText(name) : name, value: redact ? REDACTED : value };
}

function split(pair: string): { name: string; value: string } {
  const equals = pair.indexOf("=");
  if (equals < 0) return { name: pair.trim(), value: "" };
  return { name: pair.slice(0, equals).trim(), value: pair.slice(equals + 1).trim() };
}
