import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer, isIPv4, type Socket } from "node:net";

/** A record of an answer: the address of a name, or another name for it. */
export type DnsRecord = { readonly name: string } & ({ readonly address: string } | { readonly cname: string });

/** RFC 1035, 4.1.1. */
export const RCODES = { ok: 0, formatError: 1, serverFailure: 2, noName: 3, notImplemented: 4, refused: 5 } as const;

export interface DnsReply {
  readonly rcode?: keyof typeof RCODES;
  readonly records?: readonly DnsRecord[];
  /** Whether UDP gets no records and the bit TC, so that the client asks by TCP. */
  readonly truncated?: boolean;
}

export interface DnsQuestion {
  readonly name: string;
  readonly family: 4 | 6;
  readonly overTcp: boolean;
}

/** A name server on loopback. */
export interface FakeDns {
  readonly port: number;
  /** All questions so far. */
  readonly questions: readonly DnsQuestion[];
  /** Resolves once `count` questions have come. */
  asked(count: number): Promise<void>;
  close(): void;
}

/** Starts a name server on `address`. `answer` gives the reply; `null` is silence. */
export async function fakeDns(
  answer: (question: DnsQuestion) => DnsReply | null,
  { address = "127.0.0.1", port = 0 }: { readonly address?: string; readonly port?: number } = {},
): Promise<FakeDns> {
  const questions: DnsQuestion[] = [];
  const waiting = new Set<() => void>();
  const replyTo = (query: Buffer, overTcp: boolean): Buffer | null => {
    const question = { ...questionOf(query), overTcp };
    questions.push(question);
    for (const check of waiting) check();
    const reply = answer(question);
    return reply === null ? null : encoded(query, reply, question);
  };
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    let read: Buffer = Buffer.alloc(0);
    socket.on("data", (data: Buffer) => {
      read = Buffer.concat([read, data]);
      // RFC 1035, 4.2.2: each message comes after its length.
      while (read.length >= 2 && read.length >= 2 + read.readUInt16BE(0)) {
        const reply = replyTo(read.subarray(2, 2 + read.readUInt16BE(0)), true);
        read = read.subarray(2 + read.readUInt16BE(0));
        if (reply !== null) socket.write(Buffer.concat([uint16(reply.length), reply]));
      }
    });
  }).listen(port, address);
  await once(tcp, "listening");
  const bound = (tcp.address() as AddressInfo).port;
  const udp = createSocket(isIPv4(address) ? "udp4" : "udp6");
  udp.on("message", (query, from) => {
    const reply = replyTo(query, false);
    if (reply !== null) udp.send(reply, from.port, from.address);
  });
  udp.bind(bound, address);
  await once(udp, "listening");
  return {
    port: bound,
    questions,
    asked: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (questions.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    close: () => {
      udp.close();
      tcp.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Answers with these addresses, by name; other names do not exist. */
export function addressBook(book: Readonly<Record<string, readonly string[]>>): (question: DnsQuestion) => DnsReply {
  return ({ name, family }) => {
    const known = book[name];
    if (known === undefined) return { rcode: "noName" };
    return { records: known.filter((one) => isIPv4(one) === (family === 4)).map((address) => ({ name, address })) };
  };
}

const HEADER = 12;

function questionOf(query: Buffer): Pick<DnsQuestion, "name" | "family"> {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), family: query.readUInt16BE(at + 1) === 28 ? 6 : 4 };
}

function encoded(query: Buffer, { rcode = "ok", records = [], truncated = false }: DnsReply, question: DnsQuestion) {
  const isCut = truncated && !question.overTcp;
  const sent = isCut ? [] : records;
  const flags = 0x8180 | RCODES[rcode] | (isCut ? 0x0200 : 0);
  const header = [query.readUInt16BE(0), flags, 1, sent.length, 0, 0].map(uint16);
  const asked = [nameBytes(question.name), uint16(question.family === 6 ? 28 : 1), uint16(1)];
  return Buffer.concat([...header, ...asked, ...sent.flatMap(recordBytes)]);
}

function recordBytes(record: DnsRecord): Buffer[] {
  const data = "cname" in record ? nameBytes(record.cname) : addressBytes(record.address);
  const addressType = data.length === 4 ? 1 : 28;
  const type = "cname" in record ? 5 : addressType;
  return [nameBytes(record.name), uint16(type), uint16(1), uint16(0), uint16(9), uint16(data.length), data];
}

function nameBytes(name: string): Buffer {
  const labels = name.split(".").filter((label) => label !== "");
  return Buffer.concat([...labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]), Buffer.of(0)]);
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  const [left = "", right = ""] = address.split("::");
  const [before, after] = [left, right].map((half) => (half === "" ? [] : half.split(":")));
  const zeros = Array.from({ length: 8 - (before?.length ?? 0) - (after?.length ?? 0) }, () => "0");
  const groups = [...(before ?? []), ...zeros, ...(after ?? [])];
  return Buffer.concat(groups.map((group) => uint16(Number.parseInt(group, 16))));
}

function uint16(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}
