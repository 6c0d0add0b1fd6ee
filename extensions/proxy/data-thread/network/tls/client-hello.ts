import { GrowingBuffer } from "../http1/growing-buffer.ts";

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
/** docs/security.md L9: the most bytes of an incomplete ClientHello. Browsers send 2 KB, with post-quantum keys. */
const LONGEST = 64 * 1024;
/**
 * docs/security.md L9: the most records of a ClientHello. Clients that avoid filters send it in records of one byte.
 */
const MOST_RECORDS = 4_096;

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

/** Parses the ClientHello at the beginning of a connection as it arrives. Looks at no byte twice. */
export class ClientHelloReader {
  /** The first handshake message as far as it has arrived. It may span several records. */
  readonly #message = new GrowingBuffer();
  #at = 0;
  /** How many bytes of the current record have not arrived yet. */
  #left = 0;
  #records = 0;

  /**
   * `bytes`: all bytes of the connection so far. `incomplete`: more bytes are needed; `null`: the bytes are no readable
   * ClientHello.
   */
  read(bytes: Buffer): ClientHello | "incomplete" | null {
    while (this.#left > 0 || this.#at + RECORD.header <= bytes.length) {
      if (this.#left === 0 && !this.#beginRecord(bytes)) return null;
      const end = Math.min(bytes.length, this.#at + this.#left);
      this.#message.add(bytes.subarray(this.#at, end));
      this.#left -= end - this.#at;
      this.#at = end;
      const hello = this.#hello();
      if (hello !== "incomplete") return hello;
      if (this.#left > 0) break;
    }
    return bytes.length > LONGEST ? null : "incomplete";
  }

  #beginRecord(bytes: Buffer): boolean {
    this.#left = bytes.readUInt16BE(this.#at + 3);
    this.#records += 1;
    const isValid = bytes[this.#at] === RECORD.handshake && this.#left > 0 && this.#records <= MOST_RECORDS;
    this.#at += RECORD.header;
    return isValid;
  }

  #hello(): ClientHello | "incomplete" | null {
    if (this.#message.length < MESSAGE.header) return "incomplete";
    const { bytes } = this.#message;
    if (bytes[0] !== MESSAGE.clientHello) return null;
    const end = MESSAGE.header + bytes.readUIntBE(1, 3);
    return bytes.length < end ? "incomplete" : helloIn(bytes.subarray(MESSAGE.header, end));
  }
}

/** `message`: without its header. */
function helloIn(message: Buffer): ClientHello | null {
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
 * Reads numbers and vectors one after the other (RFC 8446, 3.4). Beyond the end, a number is 0 and a vector has only
 * the remaining bytes.
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
