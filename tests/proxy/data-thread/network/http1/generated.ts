import * as fc from "fast-check";

/*
 * Valid messages (latin1 text) and their content. Names, values and bodies are any the grammar allows; rare characters
 * are as likely as common ones, and bodies often look like framing.
 */

export interface Generated {
  readonly bytes: string;
  /** The same without leading zeros in chunk sizes. */
  readonly forwarded: string;
  /** Payload, without chunk framing. */
  readonly body: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

type Headers = Generated["headers"];

const TOKEN = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ACTED_ON = /^(?:connection|content-length|expect|host|te|transfer-encoding|upgrade)$/i;

const token = text(TOKEN, 1, 12);
const name = token.filter((text) => !ACTED_ON.test(text));
const value = text(`${latin1(0x20, 0x7e)}${latin1(0x80, 0xff)}\t`, 0, 20).map((text) =>
  text.replace(/^[ \t]+|[ \t]+$/g, ""),
);
const blank = fc.constantFrom("", " ", "\t", "  \t");
const target = text(latin1(0x21, 0x7e), 0, 20).map((text) => `/${text}`);
const body = text("\r\n\r\n05;: GETabc\0\xff", 0, 40);

const line = fc.tuple(name, blank, value, blank).map(([name, before, value, after]) => ({
  raw: `${name}:${before}${value}${after}\r\n`,
  pair: [name.toLowerCase(), value] as const,
}));
const lines = fc.array(line, { maxLength: 6 });

const extension = fc
  .tuple(
    token,
    fc.option(
      fc.oneof(
        token,
        text(`${latin1(0x23, 0x5b)} \t\xff`, 0, 8).map((text) => `"${text}"`),
      ),
    ),
  )
  .map(([name, value]) => `;${name}${value === null ? "" : `=${value}`}`);
const extensions = fc.array(extension, { maxLength: 2 }).map((all) => all.join(""));
const zeros = fc.constantFrom("", "", "0", "000");

const chunk = fc
  .tuple(
    body.filter((text) => text !== ""),
    zeros,
    extensions,
    fc.boolean(),
  )
  .map(([data, zeros, extensions, isUpper]) => {
    const size = data.length.toString(16);
    const framed = (zeros: string) => `${zeros}${isUpper ? size.toUpperCase() : size}${extensions}\r\n${data}\r\n`;
    return { raw: framed(zeros), normal: framed(""), data };
  });
const chunks = fc
  .tuple(fc.array(chunk, { maxLength: 4 }), zeros, extensions, lines)
  .map(([all, zeros, extensions, trailers]) => ({
    raw: `${joined(all)}0${zeros}${extensions}\r\n${joined(trailers)}\r\n`,
    normal: `${all.map(({ normal }) => normal).join("")}0${extensions}\r\n${joined(trailers)}\r\n`,
    body: all.map(({ data }) => data).join(""),
    header: "Transfer-Encoding: chunked\r\n",
    pairs: [["transfer-encoding", "chunked"]] as Headers,
  }));
const sized = body.map((body) => ({
  raw: body,
  normal: body,
  body,
  header: `Content-Length: ${body.length}\r\n`,
  pairs: [["content-length", String(body.length)]] as Headers,
}));
const bodiless = fc.constant({ raw: "", normal: "", body: "", header: "", pairs: [] as Headers });

/** A request with any method but CONNECT, and any framing. */
export const anyRequest: fc.Arbitrary<Generated> = fc
  .tuple(
    fc.oneof(
      fc.constantFrom("GET", "POST", "PUT", "OPTIONS", "M-SEARCH"),
      token.filter((text) => text !== "CONNECT"),
    ),
    target,
    lines,
    lines,
    fc.oneof(bodiless, sized, chunks),
  )
  .map(([method, target, before, after, { raw, normal, body, header, pairs }]) => ({
    ...told(
      `${method} ${target} HTTP/1.1\r\n${joined(before)}Host: a.test\r\n${header}${joined(after)}\r\n`,
      raw,
      normal,
    ),
    body,
    headers: [...pairsOf(before), ["host", "a.test"], ...pairs, ...pairsOf(after)],
  }));

/** A final response to GET with a declared length. */
export const anyResponse: fc.Arbitrary<Generated> = fc
  .tuple(fc.constantFrom(200, 206, 299, 301, 404, 500, 599), value, lines, lines, fc.oneof(sized, chunks))
  .map(([status, reason, before, after, { raw, normal, body, header, pairs }]) => ({
    ...told(`HTTP/1.1 ${status} ${reason}\r\n${joined(before)}${header}${joined(after)}\r\n`, raw, normal),
    body,
    headers: [...pairsOf(before), ...pairs, ...pairsOf(after)],
  }));

/** Where to cut: offsets, many of them small so that neighbouring bytes are separated too. */
export const places = fc.array(fc.nat(4_000), { maxLength: 12 });

function told(head: string, raw: string, normal: string): Pick<Generated, "bytes" | "forwarded"> {
  return { bytes: head + raw, forwarded: head + normal };
}

function joined(all: readonly { raw: string }[]): string {
  return all.map(({ raw }) => raw).join("");
}

function pairsOf(all: readonly { pair: readonly [string, string] }[]): Headers {
  return all.map(({ pair }) => pair);
}

function latin1(from: number, to: number): string {
  return String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, index) => from + index));
}

function text(alphabet: string, minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...alphabet), { minLength, maxLength }).map((letters) => letters.join(""));
}
