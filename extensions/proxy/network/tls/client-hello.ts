/** What a client requests in its ClientHello (RFC 8446, 4.1.2). */
export interface ClientHello {
  /** The server name (RFC 6066, 3); `null` if there is none. */
  readonly serverName: string | null;
  /** The ALPN protocols (RFC 7301) in order of preference; empty without ALPN. */
  readonly protocols: readonly string[];
}

/** The record layer (RFC 8446, 5.1). */
const RECORD = { handshake: 0x16, header: 5 };
/** Handshake messages (RFC 8446, 4). */
const MESSAGE = { clientHello: 0x01, header: 4 };
/** Extension types (IANA, TLS ExtensionType Values). */
const EXTENSION = { serverName: 0, protocols: 16 };
/** The type of a host name (RFC 6066, 3). */
const HOST_NAME = 0;
/**
 * Default; not from a specification: the longest ClientHello. Browsers send 2 KB, with keys for post-quantum exchanges.
 */
const LONGEST = 64 * 1024;

/** The protocol ids of HTTP in IANA's list for ALPN. */
const HTTP_PROTOCOLS: ReadonlySet<string> = new Set([
  "http/0.9",
  "http/1.0",
  "http/1.1",
  "spdy/1",
  "spdy/2",
  "spdy/3",
  "h2",
  "h2c",
  "h3",
]);

/**
 * Parses the first bytes of a connection. `incomplete`: more bytes are needed; `null`: the bytes are no readable
 * ClientHello.
 */
export function clientHelloOf(bytes: Buffer): ClientHello | "incomplete" | null {
  const message = messageIn(bytes);
  if (message === null || message === "incomplete") return bytes.length > LONGEST ? null : message;
  const reader = new Reader(message);
  // Skips version and random, then session id, cipher suites and compression methods.
  reader.take(2 + 32);
  for (const size of [1, 2, 1] as const) reader.part(size);
  const extensions = new Reader(reader.part(2));
  let hello: ClientHello = { serverName: null, protocols: [] };
  while (extensions.hasMore) {
    const type = extensions.number(2);
    const value = new Reader(extensions.part(2));
    if (type === EXTENSION.serverName) hello = { ...hello, serverName: serverNameIn(value) };
    if (type === EXTENSION.protocols) hello = { ...hello, protocols: protocolsIn(value) };
    if (value.isShort) return null;
  }
  return reader.isShort || extensions.isShort ? null : hello;
}

/** Whether the client offers only protocols other than HTTP (MQTT, IMAP, DNS …), which Weir cannot read. */
export function speaksNoHttp({ protocols }: ClientHello): boolean {
  return protocols.length > 0 && !protocols.some((protocol) => HTTP_PROTOCOLS.has(protocol));
}

/** The first handshake message without its header. The message may span several records. */
function messageIn(bytes: Buffer): Buffer | "incomplete" | null {
  const pieces: Buffer[] = [];
  let held = 0;
  for (let at = 0; at + RECORD.header <= bytes.length; ) {
    const end = at + RECORD.header + bytes.readUInt16BE(at + 3);
    if (bytes[at] !== RECORD.handshake || end === at + RECORD.header) return null;
    pieces.push(bytes.subarray(at + RECORD.header, end));
    held += Math.min(end, bytes.length) - at - RECORD.header;
    at = end;
    if (held < MESSAGE.header) continue;
    const whole = Buffer.concat(pieces);
    if (whole[0] !== MESSAGE.clientHello) return null;
    const length = whole.readUIntBE(1, 3);
    if (held >= MESSAGE.header + length) return whole.subarray(MESSAGE.header, MESSAGE.header + length);
  }
  return "incomplete";
}

function serverNameIn(extension: Reader): string | null {
  const names = new Reader(extension.part(2));
  while (names.hasMore) {
    const type = names.number(1);
    const name = names.part(2);
    if (type === HOST_NAME && name.length > 0) return name.toString("latin1");
  }
  return null;
}

function protocolsIn(extension: Reader): readonly string[] {
  const names = new Reader(extension.part(2));
  const protocols: string[] = [];
  while (names.hasMore) protocols.push(names.part(1).toString("latin1"));
  return protocols;
}

/**
 * Reads numbers and vectors one after the other (RFC 8446, 3.4). Beyond the end, a number is 0 and
 * a vector has only the remaining bytes.
 */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;
  /** Whether a read went beyond the end. */
  isShort = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get hasMore(): boolean {
    return !this.isShort && this.#at < this.#bytes.length;
  }

  take(length: number): Buffer {
    this.isShort ||= this.#at + length > this.#bytes.length;
    const taken = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return taken;
  }

  number(size: 1 | 2): number {
    const taken = this.take(size);
    return taken.length < size ? 0 : taken.readUIntBE(0, size);
  }

  /** A vector whose length takes `size` bytes. */
  part(size: 1 | 2): Buffer {
    return this.take(this.number(size));
  }
}
