import { isIPv6, SocketAddress } from "node:net";
import type { ErrorType } from "../../../../../src/engine/model/exchange.ts";
import { authorityOf, type Server } from "../origin.ts";

/*
 * The part of SOCKS 5 (RFC 1928) that Weir speaks: no authentication, and CONNECT.
 *
 *   client  05 n methods …          05 01 00 type address port
 *   Weir                   05 00                               05 reply 00 01 00000000 0000
 */

/** A message at the beginning of the bytes, and its length. */
export interface SocksRead<Value> {
  readonly kind: "read";
  readonly value: Value;
  readonly length: number;
}

/** The reply to the client, and the reason for the refusal as the end of a sentence. */
export interface SocksRefusal {
  readonly kind: "refused";
  readonly reply: Buffer;
  readonly reason: string;
}

/** `incomplete`: more bytes are needed, at most 262 in all. */
export type SocksStep<Value> = SocksRead<Value> | SocksRefusal | "incomplete";

const VERSION = 5;
const VERSION_4 = 4;

/** Methods of RFC 1928, 3. */
const NO_AUTHENTICATION = 0x00;
const NO_ACCEPTABLE_METHODS = 0xff;

/** Commands of RFC 1928, 4. */
const CONNECT = 0x01;
const OTHER_COMMANDS: Readonly<Record<number, string>> = { 2: "BIND", 3: "UDP ASSOCIATE" };
/** Address types of RFC 1928, 5. */
const IPV4 = 0x01;
const DOMAIN_NAME = 0x03;
const IPV6 = 0x04;

/** Replies of RFC 1928, 6. */
const REPLIES = {
  succeeded: 0x00,
  generalFailure: 0x01,
  notAllowed: 0x02,
  hostUnreachable: 0x04,
  connectionRefused: 0x05,
  commandNotSupported: 0x07,
  addressTypeNotSupported: 0x08,
} as const;

type Reply = keyof typeof REPLIES;

/** The reply if the client's methods include ours. */
export const METHOD_CHOSEN = Buffer.from([VERSION, NO_AUTHENTICATION]);

export const SUCCEEDED = replyOf("succeeded");

/** Whether a client's first byte begins SOCKS 5 or 4. No HTTP request begins with such a byte. */
export function beginsSocks(bytes: Buffer): boolean {
  return bytes[0] === VERSION || bytes[0] === VERSION_4;
}

/** Parses the client's greeting: its version and methods. */
export function readGreeting(bytes: Buffer): SocksStep<null> {
  if (bytes[0] === VERSION_4) return refusal(REJECTED_4, "it is SOCKS 4, but Weir speaks only SOCKS 5");
  const [, count] = bytes;
  if (count === undefined || bytes.length < 2 + count) return "incomplete";
  const methods = bytes.subarray(2, 2 + count);
  if (methods.includes(NO_AUTHENTICATION)) return { kind: "read", value: null, length: 2 + count };
  return refusal(
    Buffer.from([VERSION, NO_ACCEPTABLE_METHODS]),
    "it requires authentication, which Weir does not support",
  );
}

/** Parses the client's request. `value`: where it wants to connect. */
export function readRequest(bytes: Buffer): SocksStep<Server> {
  const [version, command, , type] = bytes;
  if (version !== undefined && version !== VERSION)
    return refusal(replyOf("generalFailure"), "its request does not begin with version 5");
  if (command !== undefined && command !== CONNECT) {
    const name = OTHER_COMMANDS[command] ?? `command ${command}`;
    return refusal(replyOf("commandNotSupported"), `it asks for ${name}, but Weir supports only CONNECT`);
  }
  if (type === undefined) return "incomplete";
  const length = lengthOf(type, bytes[4]);
  if (length === null) return refusal(replyOf("addressTypeNotSupported"), `its address has the unknown type ${type}`);
  if (length === "incomplete" || bytes.length < length) return "incomplete";
  const host = hostIn(type, bytes.subarray(4, length - 2));
  if (host === null) return refusal(replyOf("generalFailure"), "its host name cannot be used");
  const port = bytes.readUInt16BE(length - 2);
  if (port === 0) return refusal(replyOf("generalFailure"), "its port is 0");
  return { kind: "read", value: { host, port }, length };
}

export function failureReply(errorType: ErrorType): Buffer {
  return replyOf(REPLY_OF[errorType] ?? "generalFailure");
}

/** The reply if a request does not arrive completely. */
export function generalFailure(): Buffer {
  return replyOf("generalFailure");
}

/**
 * The reply for each error type. RFC 1928, 6, defines no reply for a name without an address, and none for a time-out.
 */
const REPLY_OF: Readonly<Partial<Record<ErrorType, Reply>>> = {
  "connection-refused": "connectionRefused",
  "host-unreachable": "hostUnreachable",
  "name-not-resolved": "hostUnreachable",
  "connection-timeout": "hostUnreachable",
  "target-refused": "notAllowed",
  "loop-refused": "notAllowed",
};

const REJECTED_4 = Buffer.from([0, 91, 0, 0, 0, 0, 0, 0]);

/** A reply with zeros for the address from which Weir connects, because clients do not need it for CONNECT. */
function replyOf(reply: Reply): Buffer {
  return Buffer.from([VERSION, REPLIES[reply], 0, IPV4, 0, 0, 0, 0, 0, 0]);
}

function refusal(reply: Buffer, reason: string): SocksRefusal {
  return { kind: "refused", reply, reason };
}

/**
 * The length of a request with this type of address; `null` if there is no such type. `first`: the first byte of the
 * address, if it has arrived.
 */
function lengthOf(type: number, first: number | undefined): number | "incomplete" | null {
  switch (type) {
    case IPV4:
      return 4 + 4 + 2;
    case IPV6:
      return 4 + 16 + 2;
    case DOMAIN_NAME:
      return first === undefined ? "incomplete" : 4 + 1 + first + 2;
    default:
      return null;
  }
}

/** The host in lower case, without brackets; `null` if the bytes are no valid host. */
function hostIn(type: number, bytes: Buffer): string | null {
  if (type === IPV4) return bytes.join(".");
  if (type === IPV6) {
    const groups = bytes.toString("hex").match(/.{4}/g) ?? [];
    return new SocketAddress({ address: groups.join(":"), family: "ipv6" }).address;
  }
  const name = bytes.subarray(1).toString("latin1");
  if (isIPv6(name) && !name.includes("%")) return name.toLowerCase();
  const named = authorityOf(name);
  return named === null || named.port !== null ? null : named.host;
}
