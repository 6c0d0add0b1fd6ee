import type { RawPeer } from "./raw-peer.ts";

/** Sends until the connection stalls, or until about `most` bytes are sent. */
export async function stalled(peer: RawPeer, most = Number.POSITIVE_INFINITY): Promise<void> {
  const piece = Buffer.alloc(1024 * 1024);
  const { socket } = peer;
  let before = -1;
  while (socket.bytesWritten - socket.writableLength !== before) {
    before = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength < piece.length && socket.bytesWritten < most) peer.send(piece);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
