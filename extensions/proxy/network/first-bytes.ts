/** What a client speaks in its tunnel, by its first bytes; `unsure`: more of them are needed. */
type Speech = "tls" | "http" | "http2" | "other" | "unsure";

/** RFC 8446, 5.1 and 4: a handshake record that holds a ClientHello. */
const HANDSHAKE = 0x16;
const TLS_MAJOR = 0x03;
const CLIENT_HELLO = 0x01;

/** RFC 9113, 3.4: how a client begins that knows without asking that HTTP/2 is spoken. */
const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/** Our choice: as long as any request line that we would read. */
const LONGEST_LINE = 64 * 1024;

const REQUEST_LINE = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+ [!-~]+ HTTP\/1\.[01]\r?$/;
/** What may yet become one. */
const BEGINNING = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?: [ -~]*)?\r?$/;

export function speechOf(bytes: Buffer): Speech {
  if (bytes.length === 0) return "unsure";
  if (bytes[0] === HANDSHAKE) return tlsOrOther(bytes);
  if (bytes.length >= PREFACE.length && bytes.toString("latin1", 0, PREFACE.length) === PREFACE) return "http2";
  if (PREFACE.startsWith(bytes.toString("latin1", 0, PREFACE.length))) return "unsure";
  const end = bytes.indexOf("\n");
  if (end >= 0) return REQUEST_LINE.test(bytes.toString("latin1", 0, end)) ? "http" : "other";
  return bytes.length <= LONGEST_LINE && BEGINNING.test(bytes.toString("latin1")) ? "unsure" : "other";
}

function tlsOrOther(bytes: Buffer): Speech {
  if (bytes.length > 1 && bytes[1] !== TLS_MAJOR) return "other";
  if (bytes.length <= 5) return "unsure";
  return bytes[5] === CLIENT_HELLO ? "tls" : "other";
}
