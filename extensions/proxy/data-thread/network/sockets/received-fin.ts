import { Buffer } from "node:buffer";
import { readSync } from "node:fs";
import type { Socket } from "node:net";
import { slowedBelow } from "./slowed-socket.ts";

const DROPPED = Buffer.alloc(16 * 1024);
/** The most reads for one answer. A peer may send bytes after its close_notify, which TLS drops. */
const READS = 4;

/**
 * Whether the peer of a TLS socket that has emitted `end` has also sent a FIN or a reset. `null` where the system gives
 * the socket no descriptor (Windows). Node emits the same `end` for close_notify (RFC 8446, 6.1) and for FIN.
 */
export function hasReceivedFin(socket: Socket): boolean | null {
  const slowed = slowedBelow(socket);
  if (slowed !== null) return slowed.hasReceivedFin;
  const descriptor = descriptorOf(socket);
  if (descriptor === null) return null;
  try {
    for (let reads = 0; reads < READS; reads += 1) if (readSync(descriptor, DROPPED) === 0) return true;
    return false;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "EAGAIN");
  }
}

/** The descriptor of the TCP connection at the bottom, also for TLS inside TLS. */
function descriptorOf(socket: Socket): number | null {
  const handle: unknown = Reflect.get(socket, "_handle");
  if (typeof handle !== "object" || handle === null || !("fd" in handle)) return null;
  return typeof handle.fd === "number" && handle.fd >= 0 ? handle.fd : null;
}
