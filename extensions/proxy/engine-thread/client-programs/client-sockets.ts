import type { LocalClient } from "../../data-thread/network/network-options.ts";

/*
 * A line of /proc/net/tcp or tcp6 (proc_net_tcp(5)). Addresses are hexadecimal, each four-byte word in host byte order:
 *
 *   sl  local_address rem_address   st tx_queue:rx_queue tr:tm->when retrnsmt   uid  timeout inode
 *    3: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 605532 1 …
 */

/** 127.0.0.0/8, ::1, and IPv4-mapped 127.0.0.0/8 (`::ffff:`). */
const LOOPBACK = "(?:[0-9A-F]{6}7F|0{24}01000000|0{16}FFFF0000[0-9A-F]{6}7F)";
const LINE = new RegExp(
  `^ *\\d+: ${LOOPBACK}:([0-9A-F]{4}) ${LOOPBACK}:([0-9A-F]{4}) [0-9A-F]{2} \\S+ \\S+ \\S+ +(\\d+) +\\d+ (\\d+) `,
  "gm",
);

/**
 * The inode of each client's socket, by connection; `null` if the socket is closed or belongs to another user. Clients
 * that the table does not list are left out.
 */
export function socketsIn(
  table: string,
  clients: readonly LocalClient[],
  uid: number,
): ReadonlyMap<number, number | null> {
  const wanted = new Map(clients.map(({ connection, port, proxyPort }) => [`${port} ${proxyPort}`, connection]));
  const sockets = new Map<number, number | null>();
  for (const [, port = "", proxyPort = "", owner, inode] of table.matchAll(LINE)) {
    const connection = wanted.get(`${Number.parseInt(port, 16)} ${Number.parseInt(proxyPort, 16)}`);
    if (connection === undefined) continue;
    const isOurs = Number(owner) === uid && inode !== "0";
    sockets.set(connection, isOurs ? Number(inode) : null);
  }
  return sockets;
}
