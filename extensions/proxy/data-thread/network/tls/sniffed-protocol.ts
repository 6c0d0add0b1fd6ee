import { CR, SPACE, tokenEnd } from "../http1/fields.ts";
import { LIMITS } from "../http1/message.ts";

/** The protocol in a client's tunnel, from its first bytes. `unsure`: more bytes are needed. */
export type SniffedProtocol = "tls" | "http" | "http2" | "other" | "unsure";

/** The bytes that show a handshake record with a ClientHello (RFC 8446, 5.1 and 4). */
const HANDSHAKE = 0x16;
const TLS_MAJOR = 0x03;
const CLIENT_HELLO = 0x01;
const DELETE = 0x7f;

/** RFC 9113, 3.4: the first bytes of a client that uses HTTP/2 without negotiation. */
const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/** The most bytes that may arrive before the end of a request line: as many as the request parser accepts. */
const LONGEST_LINE = LIMITS.headSize;

/** Also matches malformed request lines, so that the request parser refuses them with a reason. */
const REQUEST_LINE = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+ .+ HTTP\/\d\.\d\s?$/;

/** Names the protocol of `bytes`, which are all bytes of the connection so far. */
export function sniffProtocol(bytes: Buffer): SniffedProtocol {
  return new ProtocolSniffer().sniff(bytes);
}

/** Names the protocol of a connection as its first bytes arrive. Looks at each byte of a long line once. */
export class ProtocolSniffer {
  /** How many bytes were found to begin a request line. */
  #at = 0;
  #hasMethod = false;

  /** `bytes`: all bytes of the connection so far. */
  sniff(bytes: Buffer): SniffedProtocol {
    if (bytes.length === 0) return "unsure";
    if (bytes[0] === HANDSHAKE) return tlsOrOther(bytes);
    const beginning = bytes.toString("latin1", 0, PREFACE.length);
    if (beginning === PREFACE) return "http2";
    if (PREFACE.startsWith(beginning)) return "unsure";
    const end = bytes.indexOf("\n", this.#at);
    if (end >= 0) return REQUEST_LINE.test(bytes.toString("latin1", 0, end)) ? "http" : "other";
    return bytes.length <= LONGEST_LINE && this.#beginsLine(bytes) ? "unsure" : "other";
  }

  #beginsLine(bytes: Buffer): boolean {
    if (!this.#hasMethod) {
      this.#at = tokenEnd(bytes, this.#at);
      this.#hasMethod = this.#at > 0 && bytes[this.#at] === SPACE;
    }
    if (this.#hasMethod) while (isVisible(bytes[this.#at])) this.#at += 1;
    const left = bytes.length - this.#at;
    return this.#at > 0 && (left === 0 || (left === 1 && bytes[this.#at] === CR));
  }
}

function isVisible(byte: number | undefined): boolean {
  return byte !== undefined && byte >= SPACE && byte !== DELETE;
}

/**
 * Whether the bytes cannot be meant as a request. True for a binary protocol (MQTT, AMQP, DNS, LDAP …). Also true for
 * text (XMPP) that has no line end and cannot begin a request line. The request parser would wait for the end of the
 * line.
 */
export function isForeign(bytes: Buffer): boolean {
  const text = bytes.toString("latin1", 0, Math.min(bytes.length, LONGEST_LINE));
  const [line = "", ...rest] = text.split("\n", 2);
  if (/HTTP/i.test(line)) return false;
  if (/[^\t\r -~\x80-\xff]/.test(line)) return true;
  const isOpen = rest.length === 0 && bytes.length <= LONGEST_LINE;
  return isOpen && !/^\r?$/.test(line) && sniffProtocol(bytes) === "other";
}

function tlsOrOther(bytes: Buffer): SniffedProtocol {
  if (bytes.length > 1 && bytes[1] !== TLS_MAJOR) return "other";
  if (bytes.length <= 5) return "unsure";
  return bytes[5] === CLIENT_HELLO ? "tls" : "other";
}
