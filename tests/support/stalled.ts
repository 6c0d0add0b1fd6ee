import type { RawPeer } from "./raw-peer.ts";
import { standstill } from "./standstill.ts";

/** Sends until the connection stalls, or until about `most` bytes are sent. */
export async function stalled(peer: RawPeer, most = Number.POSITIVE_INFINITY): Promise<void> {
  const piece = Buffer.alloc(1024 * 1024);
  const { socket } = peer;
  const sent = (): number => socket.bytesWritten - socket.writableLength;
  let before = -1;
  while (sent() !== before) {
    before = sent();
    if (socket.writableLength < piece.length && socket.bytesWritten < most) peer.send(piece);
    await standstill(sent);
  }
}
