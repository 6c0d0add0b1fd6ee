import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/* A tar archive (POSIX.1-2017, pax, "ustar Interchange Format"). All files belong to root and have one fixed date. */

const BLOCK = 512;
/** 1 January 2026; fixed, so that builds are reproducible. */
const TIME = Date.UTC(2026, 0, 1) / 1000;

/** One entry, with its path in the archive. */
export type TarEntry =
  | { readonly path: string; readonly kind: "folder" }
  | { readonly path: string; readonly kind: "link"; readonly target: string }
  | { readonly path: string; readonly kind: "file"; readonly bytes: Uint8Array; readonly isExecutable: boolean };

const TYPES = { file: "0", link: "2", folder: "5" } as const;

/** The folder as the entry `path`, and everything in it, sorted by name. */
export function entriesOf(folder: string, path: string): readonly TarEntry[] {
  const children = readdirSync(folder, { withFileTypes: true }).toSorted((one, other) =>
    one.name < other.name ? -1 : 1,
  );
  return [
    { path, kind: "folder" },
    ...children.flatMap((child): readonly TarEntry[] => {
      const [source, target] = [join(folder, child.name), `${path}/${child.name}`];
      if (child.isDirectory()) return entriesOf(source, target);
      const isExecutable = (lstatSync(source).mode & 0o100) !== 0;
      return [{ path: target, kind: "file", bytes: readFileSync(source), isExecutable }];
    }),
  ];
}

/** The archive with these entries. Throws for a path or a link that the format cannot hold. */
export function tarArchive(entries: readonly TarEntry[]): Buffer {
  const parts = entries.flatMap((entry) => {
    if (entry.kind !== "file") return [headerOf(entry, 0)];
    const padding = Buffer.alloc((BLOCK - (entry.bytes.length % BLOCK)) % BLOCK);
    return [headerOf(entry, entry.bytes.length), entry.bytes, padding];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function headerOf(entry: TarEntry, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const [prefix, name] = splitPath(entry.kind === "folder" ? `${entry.path}/` : entry.path);
  const octal = (value: number, at: number, digits: number) =>
    header.write(`${value.toString(8).padStart(digits, "0")}\0`, at, "latin1");
  header.write(name, 0);
  octal(entry.kind === "file" && !entry.isExecutable ? 0o644 : 0o755, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(size, 124, 11);
  octal(TIME, 136, 11);
  header.write(" ".repeat(8), 148, "latin1");
  header.write(TYPES[entry.kind], 156, "latin1");
  if (entry.kind === "link" && header.write(entry.target, 157, 100) < Buffer.byteLength(entry.target))
    throw new Error(`the link to ${entry.target} is too long for a tar archive`);
  header.write("ustar\0" + "00root\0", 257, "latin1");
  header.write("root", 297, "latin1");
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

/** Splits a path of more than 100 bytes at a slash, into at most 155 and at most 100 bytes. Throws if no slash fits. */
function splitPath(path: string): readonly [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= 100) return ["", path];
  for (let at = path.indexOf("/"); at >= 0 && at < path.length - 1; at = path.indexOf("/", at + 1)) {
    const parts = [path.slice(0, at), path.slice(at + 1)] as const;
    if (Buffer.byteLength(parts[0]) <= 155 && Buffer.byteLength(parts[1]) <= 100) return parts;
  }
  throw new Error(`the path ${path} is too long for a tar archive`);
}
