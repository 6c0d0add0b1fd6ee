import { closeSync, createReadStream, openSync, readdirSync, readlinkSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Bytes } from "../../src/engine/model/units.ts";
import { socketsIn } from "./client-sockets.ts";
import { Bites } from "./errand.ts";
import type { LocalClient } from "./network/network-options.ts";
import { programNameOf } from "./program-name.ts";

/** Our choice: so many processes are looked at, and so many open files of each. */
const MOST_PROCESSES = 10_000;
const MOST_FILES = 10_000;

/** Our choice: so much is read of the system's tables, some 25,000 sockets, and of what a process says of itself. */
const MOST_TABLE: Bytes = 4 * 1024 * 1024;
const MOST_WORDS: Bytes = 4_096;

/** Our choice: processes that had a client's socket lately, which are looked at before others. */
const MOST_REMEMBERED = 16;

/** Our choice: so many of the newest processes are looked at while the table is being read: once it is there they may have ended. */
const NEWEST = 6;
const FEW_FILES = 100;

/**
 * Which programs hold clients' sockets, as Linux tells it to everybody of his own processes (proc(5)). Nothing is asked of
 * others' processes, even where it could be. Nothing throws: what cannot be read is not known.
 */
export class SocketOwners {
  readonly #folder: string;
  readonly #uid: number;
  /** The latest first. */
  #remembered: readonly number[] = [];

  constructor(folder = "/proc") {
    this.#folder = folder;
    this.#uid = process.getuid?.() ?? -1;
  }

  /** By the numbers of their connections. */
  async programsOf(clients: readonly LocalClient[]): Promise<ReadonlyMap<number, string>> {
    // The kernel walks through its whole table for one reading, some ms: that is not for this thread.
    const table = this.#table("net/tcp");
    const processes = this.#processes();
    const newest = this.#programsBySocket(processes.slice(0, NEWEST));
    const left = await this.#socketsOf(clients, await table);
    const programs = new Map<number, string>();
    const bites = new Bites();
    for (const [inode, connection] of left) {
      const program = newest.get(inode);
      if (program === undefined) continue;
      programs.set(connection, program);
      left.delete(inode);
    }
    for (const pid of [...this.#remembered, ...processes]) {
      if (left.size === 0) break;
      await bites.pause();
      const connections = await this.#taken(left, pid, bites);
      if (connections.length === 0) continue;
      this.#remember(pid);
      const name = this.#nameOf(pid);
      if (name !== null) for (const connection of connections) programs.set(connection, name);
    }
    return programs;
  }

  /** The numbers of connections by the inodes of their sockets. Only who is not in the first table may be in the other. */
  async #socketsOf(clients: readonly LocalClient[], table: string): Promise<Map<number, number>> {
    const sockets = [...socketsIn(table, clients, this.#uid)];
    if (sockets.length < clients.length) sockets.push(...socketsIn(await this.#table("net/tcp6"), clients, this.#uid));
    return new Map(sockets.flatMap(([connection, inode]) => (inode === null ? [] : [[inode, connection]])));
  }

  /** The newest first: clients that live shortly have just begun. Numbers begin anew after the largest (proc_loadavg(5)). */
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
      // A child has what it inherited, and is who was started last.
      if (name !== null) for (const inode of sockets) if (!programs.has(inode)) programs.set(inode, name);
    }
    return programs;
  }

  /** The connections whose sockets it has; those are left no longer. */
  async #taken(left: Map<number, number>, pid: number, bites: Bites): Promise<readonly number[]> {
    const connections: number[] = [];
    for (const inode of this.#filesOf(pid, MOST_FILES)) {
      await bites.pause();
      const connection = inode === null ? undefined : left.get(inode);
      if (inode === null || connection === undefined) continue;
      left.delete(inode);
      connections.push(connection);
      if (left.size === 0) break;
    }
    return connections;
  }

  /** Of each file that a process has open the inode, if it is a socket. */
  *#filesOf(pid: number, most: number): Generator<number | null> {
    const folder = join(this.#folder, String(pid));
    if (ownerOf(folder) !== this.#uid) return;
    for (const file of listOf(join(folder, "fd")).slice(0, most)) yield inodeOf(join(folder, "fd", file));
  }

  #remember(pid: number): void {
    this.#remembered = [pid, ...this.#remembered.filter((one) => one !== pid)].slice(0, MOST_REMEMBERED);
  }

  #nameOf(pid: number): string | null {
    // Requests that are sent again are our own.
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
 * What is small is read here and now: it takes some µs, and by way of another thread so much longer that who asks for one
 * thing and ends is gone. What has ended, or may not be read, is not there.
 */

function beginningOf(path: string): string {
  try {
    const file = openSync(path, "r");
    const bytes = Buffer.alloc(MOST_WORDS);
    try {
      return bytes.toString("utf8", 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}

function targetOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}

function ownerOf(folder: string): number | null {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.uid ?? null;
  } catch {
    return null;
  }
}

function listOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function inodeOf(link: string): number | null {
  const [, inode] = /^socket:\[(\d+)\]$/.exec(targetOf(link) ?? "") ?? [];
  return inode === undefined ? null : Number(inode);
}
