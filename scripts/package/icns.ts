import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Apple's names for PNG images in an icon file, by the images' size in pixels. */
const KINDS = [
  ["icp4", 16],
  ["icp5", 32],
  ["icp6", 64],
  ["ic07", 128],
  ["ic08", 256],
  ["ic09", 512],
] as const;

const HEADER = 8;

/** An icon file for macOS: a header, and for each image an entry with its kind and length, in big-endian order. */
export function icns(icons: string): Buffer {
  const entries = KINDS.map(([kind, size]) => entry(kind, readFileSync(join(icons, `weir-${size}.png`))));
  return entry("icns", Buffer.concat(entries));
}

function entry(kind: string, content: Buffer): Buffer {
  const head = Buffer.alloc(HEADER);
  head.write(kind, "latin1");
  head.writeUInt32BE(HEADER + content.length, 4);
  return Buffer.concat([head, content]);
}
