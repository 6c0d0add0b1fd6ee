import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";

/*
 * The parts of the ZIP format (PKWARE's APPNOTE 6.3) that packages need: deflated files with one fixed date, and no
 * ZIP64.
 */

const VERSION = 20;
const MADE_ON_UNIX = (3 << 8) | VERSION;
const UTF8_NAMES = 1 << 11;
const DEFLATED = 8;
/** 1 January 2026 in MS-DOS format. Fixed, so that equal inputs give equal files. */
const DATE = ((2026 - 1980) << 9) | (1 << 5) | 1;

/** A ZIP file with the folder, under its name, and everything in it. */
export function zip(folder: string): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, path] of filesOf(folder, basename(folder))) {
    const bytes = readFileSync(path);
    const packed = deflateRawSync(bytes, { level: 9 });
    const facts = factsOf(name, bytes, packed);
    const head = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), facts, Buffer.from(name)]);
    local.push(head, packed);
    central.push(centralHead(name, facts, lstatSync(path).mode, offset));
    offset += head.length + packed.length;
  }
  const directory = Buffer.concat(central);
  return Buffer.concat([...local, directory, ending(central.length, directory.length, offset)]);
}

function* filesOf(folder: string, name: string): Generator<readonly [string, string]> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesOf(path, `${name}/${entry.name}`);
    else yield [`${name}/${entry.name}`, path];
  }
}

/** The fields that the local header and the central header of a file share. */
function factsOf(name: string, bytes: Buffer, packed: Buffer): Buffer {
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(VERSION, 0);
  facts.writeUInt16LE(UTF8_NAMES, 2);
  facts.writeUInt16LE(DEFLATED, 4);
  facts.writeUInt16LE(DATE, 8);
  facts.writeUInt32LE(crc32(bytes), 10);
  facts.writeUInt32LE(packed.length, 14);
  facts.writeUInt32LE(bytes.length, 18);
  facts.writeUInt16LE(Buffer.byteLength(name), 22);
  return facts;
}

function centralHead(name: string, facts: Buffer, mode: number, offset: number): Buffer {
  const made = Buffer.alloc(2);
  made.writeUInt16LE(MADE_ON_UNIX);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE((mode << 16) >>> 0, 6);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([Buffer.from("PK\u0001\u0002", "latin1"), made, facts, rest, Buffer.from(name)]);
}

function ending(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
