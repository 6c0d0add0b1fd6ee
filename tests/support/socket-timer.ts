import { readFileSync } from "node:fs";
import type { RawPeer } from "./raw-peer.ts";

/** proc_net_tcp.rst: the connections of the system; "tr" names the timer of each. */
const TABLE = "/proc/net/tcp";
export const KEEP_ALIVE_TIMER = "02";

/** Linux only: the timer at the proxy's end of this connection, from the first field of its line. */
export function timerOf(port: number, { socket }: RawPeer): string | undefined {
  const ends = [port, socket.localPort ?? 0].map((end) => `:${end.toString(16).toUpperCase().padStart(4, "0")}`);
  const lines = readFileSync(TABLE, "latin1").split("\n");
  const fields = lines.map((line) => line.trim().split(/\s+/));
  const found = fields.find((line) => ends.every((end, at) => line[at + 1]?.endsWith(end)));
  return found?.[5]?.slice(0, 2);
}
