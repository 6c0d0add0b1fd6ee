import { closeSync, createReadStream, openSync, readdirSync, readlinkSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { ClientNamed } from "../../../../src/engine/capture/event.ts";
import { programNamed } from "../../../../src/engine/model/client-name.ts";
import type { Bytes, Milliseconds } from "../../../../src/engine/model/units.ts";
import type { LocalClient } from "../../data-thread/network/network-options.ts";
import { Timeslicer } from "../../process/timeslicer.ts";

/** The most processes that are scanned, and the most open files of a process. */
const MOST_PROCESSES = 10_000;
const MOST_FILES = 10_000;

/** The most bytes read of a system table (some 25,000 sockets), and the most bytes read of a file about a process. */
const MOST_TABLE: Bytes = 4 * 1024 * 1024;
const MOST_WORDS: Bytes = 4_096;

/** How many owners of client sockets are remembered. These processes are scanned first. */
const MOST_REMEMBERED = 16;

/** How many of the newest processes are scanned while the table is read. Afterwards, they may have exited. */
const NEWEST = 6;
/** The most open files that are scanned of each of the newest processes. */
const FEW_FILES = 100;

/**
 * Finds the programs that own client sockets. Reads what Linux shows of the user's own processes (proc(5)), never of
 * other users' processes. Never throws: processes that cannot be read stay unknown.
 */
export class SocketOwners {
  readonly #folder: string;
  readonly #uid: number;
  /** Ids of processes that owned client sockets, the latest first. */
  #remembered: readonly number[] = [];

  constructor(folder = "/proc") {
    this.#folder = folder;
    this.#uid = process.getuid?.() ?? -1;
  }

  /** Names of programs, by connection. */
  async programsOf(clients: readonly LocalClient[]): Promise<ReadonlyMap<number, string>> {
    // Read asynchronously: the kernel walks its whole table for each read, which takes some ms.
    const table = this.#table("net/tcp");
    const processes = this.#processes();
    const newest = this.#programsBySocket(processes.slice(0, NEWEST));
    const left = await this.#socketsOf(clients, await table);
    const programs = new Map<number, string>();
    const slicer = new Timeslicer();
    for (const [inode, connection] of left) {
      const program = newest.get(inode);
      if (program === undefined) continue;
      programs.set(connection, program);
      left.delete(inode);
    }
    for (const pid of [...this.#remembered, ...processes]) {
      if (left.size === 0) break;
      await slicer.pause();
      const connections = await this.#taken(left, pid, slicer);
      if (connections.length === 0) continue;
      this.#remember(pid);
      const name = this.#nameOf(pid);
      if (name !== null) for (const connection of connections) programs.set(connection, name);
    }
    return programs;
  }

  /**
   * The clients' connections by the inodes of their sockets. The IPv6 table is read only if the first table lacks
   * clients.
   */
  async #socketsOf(clients: readonly LocalClient[], table: string): Promise<Map<number, number>> {
    const sockets = [...socketsIn(table, clients, this.#uid)];
    if (sockets.length < clients.length) sockets.push(...socketsIn(await this.#table("net/tcp6"), clients, this.#uid));
    return new Map(sockets.flatMap(([connection, inode]) => (inode === null ? [] : [[inode, connection]])));
  }

  /**
   * Process ids, the newest process first, since short-lived clients have just started. Ids wrap around, so those above
   * the latest id (proc_loadavg(5)) are the oldest.
   */
  #processes(): readonly number[] {
    const latest = Number(beginningOf(join(this.#folder, "loadavg")).split(" ")[4]) || Number.POSITIVE_INFINITY;
    const all = listOf(this.#folder).flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
    return all.sort((a, b) => Number(a > latest) - Number(b > latest) || b - a).slice(0, MOST_PROCESSES);
  }

  #programsBySocket(processes: readonly number[]): ReadonlyMap<number, string> {
    const programs = new Map<number, string>();
    for (const pid of processes) {
      const sockets = [...this.#filesOf(pid, FEW_FILES)].filter((inode) => inode !== null);
      const name = sockets.length === 0 ? null : this.#nameOf(pid);
      // A child process inherits sockets. The child is newer, so its name is used.
      if (name !== null) for (const inode of sockets) if (!programs.has(inode)) programs.set(inode, name);
    }
    return programs;
  }

  /** The connections whose sockets this process owns. Removes them from `left`. */
  async #taken(left: Map<number, number>, pid: number, slicer: Timeslicer): Promise<readonly number[]> {
    const connections: number[] = [];
    for (const inode of this.#filesOf(pid, MOST_FILES)) {
      await slicer.pause();
      const connection = inode === null ? undefined : left.get(inode);
      if (inode === null || connection === undefined) continue;
      left.delete(inode);
      connections.push(connection);
      if (left.size === 0) break;
    }
    return connections;
  }

  /** For each open file of a process, the inode if it is a socket; else `null`. */
  *#filesOf(pid: number, most: number): Generator<number | null> {
    const folder = join(this.#folder, String(pid));
    if (ownerOf(folder) !== this.#uid) return;
    for (const file of listOf(join(folder, "fd")).slice(0, most)) yield inodeOf(join(folder, "fd", file));
  }

  #remember(pid: number): void {
    this.#remembered = [pid, ...this.#remembered.filter((one) => one !== pid)].slice(0, MOST_REMEMBERED);
  }

  #nameOf(pid: number): string | null {
    // Weir itself opens connections for resent requests.
    if (pid === process.pid) return "Weir";
    const folder = join(this.#folder, String(pid));
    const comm = beginningOf(join(folder, "comm"));
    const cmdline = beginningOf(join(folder, "cmdline"));
    return programNameOf({ comm, cmdline, exe: targetOf(join(folder, "exe")) ?? "" });
  }

  #table(name: string): Promise<string> {
    return text(createReadStream(join(this.#folder, name), { end: MOST_TABLE - 1 })).catch(() => "");
  }
}

/*
 * Small files are read synchronously, which takes some µs. A round trip through the thread pool is so slow that
 * short-lived clients may exit meanwhile. Files of ended or unreadable processes count as absent.
 */

function orAbsent<Value>(read: () => Value, absent: Value): Value {
  try {
    return read();
  } catch {
    return absent;
  }
}

function beginningOf(path: string): string {
  return orAbsent(() => {
    const file = openSync(path, "r");
    const bytes = Buffer.alloc(MOST_WORDS);
    try {
      return bytes.toString("utf8", 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  }, "");
}

function targetOf(link: string): string | null {
  return orAbsent<string | null>(() => readlinkSync(link), null);
}

function ownerOf(folder: string): number | null {
  return orAbsent(() => statSync(folder, { throwIfNoEntry: false })?.uid ?? null, null);
}

function listOf(folder: string): readonly string[] {
  return orAbsent<readonly string[]>(() => readdirSync(folder), []);
}

function inodeOf(link: string): number | null {
  const [, inode] = /^socket:\[(\d+)\]$/.exec(targetOf(link) ?? "") ?? [];
  return inode === undefined ? null : Number(inode);
}

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

/** The names that Linux has for a process (proc_pid_comm(5), proc_pid_cmdline(5), proc_pid_exe(5)); "" if missing. */
interface ProcessWords {
  /** The process's name, at most 15 bytes. */
  readonly comm: string;
  /** The arguments, each followed by NUL. */
  readonly cmdline: string;
  readonly exe: string;
}

/** Linux truncates longer names in `comm` (proc_pid_comm(5)). */
const COMM_LENGTH = 15;

/** The number of arguments that are examined: an interpreter, one of its options, and the script. */
const FIRST_ARGUMENTS = 3;

/**
 * The name by which users know the program: the executable or script that was started. `comm` is this name, but may be
 * truncated; then an argument completes it. If no argument begins with `comm`, as with a thread's name
 * ("node-MainThread"), the executable's name is used.
 */
export function programNameOf({ comm, cmdline, exe }: ProcessWords): string | null {
  const name = comm.replace(/\n$/, "");
  const started = cmdline.split("\0", FIRST_ARGUMENTS).map(baseOf);
  const whole = name === "" ? undefined : started.find((word) => word.startsWith(name));
  if (whole !== undefined) return programNamed(name.length < COMM_LENGTH ? name : whole);
  return programNamed(baseOf(exe.replace(/ \(deleted\)$/, ""))) ?? programNamed(name);
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Scans use at most 1 % (1 / `SCAN_SHARE`) of one processor, averaged over `RECKONED`: of programs that exit within a
 * second, some 60 in a row are looked up while they run.
 */
const SCAN_SHARE = 100;
const RECKONED: Milliseconds = 60_000;

/** The most clients that wait for a scan: as many as may be connected (docs/security.md L5). */
const MOST_WAITING = 1_000;

interface SearchOptions {
  /** Finds the names of programs, by connection. Programs that cannot be found are left out. */
  readonly find: (clients: readonly LocalClient[]) => Promise<ReadonlyMap<number, string>>;
  readonly onFound: (named: readonly ClientNamed[]) => void;
  /** Reads a monotonic clock. */
  readonly now?: () => Milliseconds;
  /** The thread's CPU time so far. It does not increase while the thread waits, or while another one works. */
  readonly used?: () => Milliseconds;
}

/**
 * Looks up the programs of clients, several clients in one scan, each client once. Clients that exit before their scan
 * stay unnamed.
 */
export class ProgramSearch {
  readonly #options: SearchOptions;
  readonly #now: () => Milliseconds;
  readonly #used: () => Milliseconds;
  #waiting: LocalClient[] = [];
  #isLooking = false;
  /** From this time on, the CPU time of all scans so far is within `SCAN_SHARE`. */
  #paid: Milliseconds = Number.NEGATIVE_INFINITY;

  constructor(options: SearchOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#used = options.used ?? processorTime;
  }

  add(client: LocalClient): void {
    this.#waiting.push(client);
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
  }

  /** Scans for waiting clients, unless the share is used up. */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#waiting.length > 0 && this.#now() >= this.#paid - RECKONED) await this.#lookOnce();
    this.#isLooking = false;
  }

  async #lookOnce(): Promise<void> {
    const clients = this.#waiting;
    this.#waiting = [];
    const [began, before] = [this.#now(), this.#used()];
    const programs = await this.#options.find(clients);
    this.#paid = Math.max(this.#paid, began) + SCAN_SHARE * (this.#used() - before);
    const named = Array.from(programs, ([connection, program]) =>
      Object.freeze({ type: "client-named" as const, connection, program }),
    );
    if (named.length > 0) this.#options.onFound(named);
  }
}

function processorTime(): Milliseconds {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
