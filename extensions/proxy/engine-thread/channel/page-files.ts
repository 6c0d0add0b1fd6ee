import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";

/** A file of the built page, held in memory. Requests can select no other files, so path traversal is impossible. */
export interface PageFile {
  readonly type: string;
  readonly html: boolean;
  readonly bytes: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** Every file of `folder` by its request path; `/` is index.html. Skips symbolic links and types that `TYPES` lacks. */
export function pageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    const path = join(entry.parentPath, entry.name);
    if (type === undefined || !entry.isFile() || !statSync(path).isFile()) continue;
    const url = path.slice(folder.length).replaceAll("\\", "/");
    files.set(url.startsWith("/") ? url : `/${url}`, {
      type,
      html: type.startsWith("text/html"),
      bytes: readFileSync(path),
    });
  }
  const index = files.get("/index.html");
  if (index !== undefined) files.set("/", index);
  return files;
}
