import type { Repair } from "../../../../../src/engine/model/exchange.ts";

/*
 * Responses that are malformed but have only one reading. Each is latin1 text, with its forwarded form, which is
 * strictly valid and means the same.
 */

export interface Repaired {
  readonly title: string;
  readonly bytes: string;
  /** The method of the request to which this is the response. */
  readonly method: string;
  readonly forwarded: string;
  readonly repairs: readonly Repair[];
}

type Row = readonly [title: string, bytes: string, forwarded: string, ...repairs: Kind[]];
type Kind = Repair extends `repaired:${infer Name}` ? Name : never;

const OK = "HTTP/1.1 200 OK\r\n";
const EMPTY = `${OK}Content-Length: 0\r\n\r\n`;
const FIVE = `${OK}Content-Length: 5\r\n\r\nhello`;
const CODING = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const CHUNKS = "5\r\nhello\r\n0\r\n\r\n";
const CHUNKED = CODING + CHUNKS;

const BEGINNINGS: readonly Row[] = [
  ["an empty line first", `\r\n${EMPTY}`, EMPTY, "empty-line-first"],
  ["four empty lines first", `\r\n\r\n\r\n\r\n${FIVE}`, FIVE, "empty-line-first"],
  ["a bare LF first", `\n${EMPTY}`, EMPTY, "bare-line-feed", "empty-line-first"],
  ["a space first", ` ${EMPTY}`, EMPTY, "status-line"],
  ["two spaces before the status", "HTTP/1.1  200 OK\r\nContent-Length: 0\r\n\r\n", EMPTY, "status-line"],
  ["a tab before the status", "HTTP/1.1\t200 OK\r\nContent-Length: 0\r\n\r\n", EMPTY, "status-line"],
  ["a tab after the status", "HTTP/1.1 200\tOK\r\nContent-Length: 0\r\n\r\n", EMPTY, "status-line"],
  ["lower-case http", "http/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", EMPTY, "status-line"],
  ["Http in HTTP/1.0", "Http/1.0 200 OK\r\n\r\nhello", "HTTP/1.0 200 OK\r\n\r\nhello", "status-line"],
  ["a status line ending with a bare LF", "HTTP/1.1 200 OK\nContent-Length: 0\r\n\r\n", EMPTY, "bare-line-feed"],
  ["only bare LFs", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", FIVE, "bare-line-feed"],
  [
    "bare LFs before a body with an empty line",
    "HTTP/1.1 200 OK\n\na\r\n\r\nb",
    `${OK}\r\na\r\n\r\nb`,
    "bare-line-feed",
  ],
  [
    "a repaired 103 before a good answer",
    `HTTP/1.1 103 Early Hints\r\nLink : </a>\r\n\r\n${FIVE}`,
    `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${FIVE}`,
    "blank-before-colon",
  ],
];

const LINES: readonly Row[] = [
  ["a space before the colon", "A : b\r\n", "A: b\r\n", "blank-before-colon"],
  ["a tab before the colon", "A\t:b\r\n", "A:b\r\n", "blank-before-colon"],
  ["a line continued with a space", "A: b\r\n c\r\n", "A: b c\r\n", "folded-line"],
  ["a line continued with tabs, twice", "A: b \r\n\t\tc\r\n\td\r\n", "A: b c d\r\n", "folded-line"],
  ["a length on a continued line", "A: b\r\n Content-Length: 7\r\n", "A: b Content-Length: 7\r\n", "folded-line"],
  ["a bare LF at a line's end", "A: b\nC: d\r\n", "A: b\r\nC: d\r\n", "bare-line-feed"],
  ["all at once", "A : b\n c\r\n", "A: b c\r\n", "blank-before-colon", "bare-line-feed", "folded-line"],
];

const LENGTHS: readonly Row[] = [
  [
    "a space before the colon of Content-Length",
    "Content-Length : 5\r\n",
    "Content-Length: 5\r\n",
    "blank-before-colon",
  ],
  [
    "a length smuggled in by a bare LF",
    "A: b\nContent-Length: 5\r\n",
    "A: b\r\nContent-Length: 5\r\n",
    "bare-line-feed",
  ],
  ["two lengths", "Content-Length: 5\r\ncontent-length: 5\r\n", "Content-Length: 5\r\n", "repeated-length"],
  [
    "two lengths around other lines",
    "a: b\r\nCONTENT-LENGTH:5\r\nc: d\r\nContent-Length: 05\r\ne: f\r\n",
    "a: b\r\nCONTENT-LENGTH: 5\r\nc: d\r\ne: f\r\n",
    "repeated-length",
  ],
  ["a list of lengths", "Content-Length: 5,5, 5\r\n", "Content-Length: 5\r\n", "repeated-length"],
];

const CODINGS: readonly Row[] = [
  [
    "a space before the colon of Transfer-Encoding",
    "Transfer-Encoding : chunked\r\n",
    "Transfer-Encoding: chunked\r\n",
    "blank-before-colon",
  ],
  [
    "a coding on a continued line",
    "Transfer-Encoding:\r\n chunked\r\n",
    "Transfer-Encoding: chunked\r\n",
    "folded-line",
  ],
  [
    "a length before chunked",
    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
    "Transfer-Encoding: chunked\r\n",
    "length-beside-chunked",
  ],
  [
    "two lengths and chunked twice",
    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\ntransfer-encoding: Chunked\r\n",
    "Transfer-Encoding: chunked\r\n",
    "length-beside-chunked",
    "repeated-length",
    "transfer-encoding",
  ],
  [
    "chunked twice in one line",
    "Transfer-Encoding: chunked, chunked\r\n",
    "Transfer-Encoding: chunked\r\n",
    "transfer-encoding",
  ],
  [
    "chunked in two lines",
    "Transfer-Encoding: chunked\r\nA: b\r\nTransfer-Encoding: chunked\r\n",
    "Transfer-Encoding: chunked\r\nA: b\r\n",
    "transfer-encoding",
  ],
  ["a tab before chunked", "Transfer-Encoding:\tchunked\r\n", "Transfer-Encoding: chunked\r\n", "transfer-encoding"],
  ["a comma after chunked", "Transfer-Encoding: chunked,\r\n", "Transfer-Encoding: chunked\r\n", "transfer-encoding"],
];

const BODIES: readonly Row[] = [
  ["spaces around a chunk size", " 5 \r\nhello\r\n0\r\n\r\n", CHUNKS, "chunk-size"],
  ["a tab after a chunk size", "5\t\r\nhello\r\n0\r\n\r\n", CHUNKS, "chunk-size"],
  ["a size padded to eight places", "5       \r\nhello\r\n0       \r\n\r\n", CHUNKS, "chunk-size"],
  [
    "blanks around an extension",
    '5 ; a = "b c"\r\nhello\r\n0\r\n\r\n',
    '5;a="b c"\r\nhello\r\n0\r\n\r\n',
    "chunk-size",
  ],
  ["a chunk size ending with a bare LF", "5\nhello\r\n0\r\n\r\n", CHUNKS, "bare-line-feed"],
  ["a chunk ending with a bare LF", "5\r\nhello\n0\r\n\r\n", CHUNKS, "bare-line-feed"],
  ["only bare LFs in chunks", "5\nhello\n0\n\n", CHUNKS, "bare-line-feed"],
  ["a last chunk that ends with a bare LF", "5\r\nhello\r\n0\n\r\n", CHUNKS, "bare-line-feed"],
  [
    "a body that ends with a bare LF",
    "5\r\nhello\r\n0\r\nA: b\r\n\n",
    "5\r\nhello\r\n0\r\nA: b\r\n\r\n",
    "bare-line-feed",
  ],
  ["a continued trailer", "0\r\nA: b\r\n c\r\n\r\n", "0\r\nA: b c\r\n\r\n", "folded-line"],
  ["a trailer with a space before the colon", "0\r\nA : b\r\n\r\n", "0\r\nA: b\r\n\r\n", "blank-before-colon"],
  ["a trailer with a bare LF", "0\r\nA: b\nC: d\r\n\r\n", "0\r\nA: b\r\nC: d\r\n\r\n", "bare-line-feed"],
];

const around = (rows: readonly Row[], before: string, after: string): Repaired[] =>
  rows.map(([title, bytes, forwarded, ...repairs]) =>
    repaired([title, before + bytes + after, before + forwarded + after, ...repairs]),
  );

export const REPAIRED_RESPONSES: readonly Repaired[] = [
  ...BEGINNINGS.map((row) => repaired(row)),
  ...around(LINES, OK, "Content-Length: 5\r\n\r\nhello"),
  ...around(LENGTHS, OK, "\r\nhello"),
  ...around(CODINGS, OK, `\r\n${CHUNKS}`),
  ...around(BODIES, CODING, ""),
  ...around(LENGTHS, OK, "\r\n").map((row) => ({ ...row, title: `${row.title}, to HEAD`, method: "HEAD" })),
  repaired([
    "the end of a line cut off from a body",
    CHUNKED.replace("\r\nhello", "\nhello"),
    CHUNKED,
    "bare-line-feed",
  ]),
];

function repaired([title, bytes, forwarded, ...kinds]: Row): Repaired {
  return { title, bytes, method: "GET", forwarded, repairs: kinds.map((kind) => `repaired:${kind}` as const) };
}
