import type { Socket } from "node:net";

/** Linux's numbers (tcp(7)). */
const IPPROTO_TCP = 6;
const TCP_QUICKACK = 12;

/**
 * Returns what acknowledges at once all that a socket has received. A client with Nagle's algorithm (RFC 896) sends a
 * body only when its head is acknowledged, which Linux delays by 40 ms (RFC 9293, 3.8.6.3); urllib3 sends so through
 * proxies alone. Node.js has no option for it. `null` on other systems, or without Node's `node:ffi`.
 */
export function acknowledger(): ((socket: Socket) => void) | null {
  if (process.platform !== "linux") return null;
  try {
    const { functions } = process.getBuiltinModule("node:ffi").dlopen(null, {
      setsockopt: { arguments: ["i32", "i32", "i32", "pointer", "u32"], return: "i32" },
    });
    const on = new Int32Array([1]);
    return (socket) => {
      const fd = Object(Reflect.get(socket, "_handle")).fd;
      if (typeof fd === "number" && fd >= 0) functions.setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, on, on.byteLength);
    };
  } catch {
    return null;
  }
}

/** `acknowledger`. Does nothing without Weir's flags for Node, which would warn of `node:ffi`. */
export const acknowledgeNow = (globalThis.gc === undefined ? null : acknowledger()) ?? (() => {});
