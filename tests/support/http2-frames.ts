import type { RawPeer } from "./raw-peer.ts";

/* Handmade HTTP/2 frames (RFC 9113, 4 and RFC 7541, 6.2.2), for messages that no library would send. */

export const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

export const TYPES = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
} as const;

export const END_STREAM = 1;
export const END_HEADERS = 4;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** `length`: the length to declare, which may be wrong. */
export function frame(
  type: keyof typeof TYPES | number,
  flags: number,
  stream: number,
  payload: Uint8Array | string = "",
  length: number | null = null,
): Buffer {
  const bytes = Buffer.from(payload as string, "latin1");
  const head = Buffer.alloc(9);
  head.writeUIntBE(length ?? bytes.length, 0, 3);
  head[3] = typeof type === "number" ? type : TYPES[type];
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, bytes]);
}

/** RFC 9113, 4.2: the largest frame, unless the peer permits more. */
const FRAME_SIZE = 16_384;

/** A head that takes more than one frame. */
export function longHead(flags: number, stream: number, block: Buffer): Buffer {
  const first = frame("headers", flags & ~END_HEADERS, stream, block.subarray(0, FRAME_SIZE));
  const others = Array.from({ length: Math.ceil(block.length / FRAME_SIZE) - 1 }, (_, index) => {
    const from = (index + 1) * FRAME_SIZE;
    const isLast = from + FRAME_SIZE >= block.length;
    return frame("continuation", isLast ? END_HEADERS : 0, stream, block.subarray(from, from + FRAME_SIZE));
  });
  return Buffer.concat([first, ...others]);
}

/** Fields as literals that are neither indexed nor compressed. */
export function fields(...pairs: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.concat(pairs.flatMap(([name, value]) => [Buffer.from([0x10]), text(name), text(value)]));
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, "latin1");
  return Buffer.concat([integer(bytes.length, 7), bytes]);
}

/** RFC 7541, 5.1. */
function integer(value: number, bits: number): Buffer {
  const most = 2 ** bits - 1;
  if (value < most) return Buffer.from([value]);
  const bytes = [most];
  let left = value - most;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return Buffer.from([...bytes, left]);
}

/** The connection preface and empty SETTINGS. */
export const GREETING = Buffer.concat([PREFACE, frame("settings", 0, 0)]);

/** Reads the next frame. */
export async function nextFrame(peer: RawPeer): Promise<Frame> {
  const head = await peer.bytes(9);
  const payload = await peer.bytes(head.readUIntBE(0, 3));
  return { type: head[3] ?? 0, flags: head[4] ?? 0, stream: head.readUInt32BE(5), payload };
}

/** Reads frames until one matches; `null` if the connection ends first. */
export async function frameThat(peer: RawPeer, fits: (frame: Frame) => boolean): Promise<Frame | null> {
  for (;;) {
    try {
      const next = await nextFrame(peer);
      if (fits(next)) return next;
    } catch {
      return null;
    }
  }
}
