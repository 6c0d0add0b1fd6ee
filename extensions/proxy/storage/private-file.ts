import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { getSystemErrorMessage } from "node:util";
import * as v from "valibot";
import { untrustedJsonOf } from "../../../src/engine/model/json.ts";
import { failure, type Problem, type Result, success } from "../../../src/engine/model/result.ts";

/*
 * Files that only their owner may read, replaced atomically (docs/security.md R1, R2, R5). Modes have no effect on
 * Windows, where a user's own folders are private.
 */

export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Open flags that refuse symbolic links and do not block on a pipe. */
const ITSELF = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const TO_READ = constants.O_RDONLY | ITSELF;
export const TO_WRITE = constants.O_WRONLY | constants.O_CREAT | ITSELF;

const MODES = process.platform !== "win32";
/** Names of files that a crash may leave half written; no other names match. */
const TEMPORARY = /^\..*\.[0-9a-f]{12}\.tmp$/;

/**
 * Reads a file that belongs to the user and is no link; `null` if there is none. If others could read the file, makes
 * it private first.
 */
export function readPrivateFile(path: string, most: number): Result<Buffer | null> {
  let file: number | null = null;
  try {
    if (isLink(path)) return failure(`${path} is a symbolic link`);
    file = openSync(path, TO_READ);
    const facts = fstatSync(file);
    if (!facts.isFile()) return failure(`${path} is not a file`);
    if (!isOwn(facts)) return failure(`${path} belongs to another user`);
    if (facts.size > most) return failure(`${path} is larger than ${most} bytes`);
    if (MODES && (facts.mode & 0o077) !== 0) fchmodSync(file, PRIVATE_FILE);
    return success(readFileSync(file));
  } catch (error) {
    return codeOf(error) === "ENOENT" ? success(null) : failure(`${path} cannot be read: ${errorText(error)}`);
  } finally {
    if (file !== null) closeSync(file);
  }
}

/**
 * The content of a private file, as `schema` reads it; `null` if there is no file. `most`: the most bytes. A problem is
 * a phrase.
 */
export function readJsonFile<Schema extends v.GenericSchema>(
  path: string,
  most: number,
  schema: Schema,
): Result<v.InferOutput<Schema> | null> {
  const file = readPrivateFile(path, most);
  if (!file.ok || file.value === null) return file as Result<null>;
  const stored = v.safeParse(schema, untrustedJsonOf(String(file.value)));
  return stored.success ? success(stored.output) : failure(`${path} is not in this Weir's format`);
}

/** Writes a whole file to a temporary one, syncs it, renames it to `path`, and syncs the folder. */
export function writePrivateFile(path: string, bytes: string | Uint8Array, mode = PRIVATE_FILE): Problem | null {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  let file: number | null = null;
  try {
    if (isLink(path)) return `${path} is a symbolic link`;
    file = openSync(temporary, "wx", mode);
    if (MODES) fchmodSync(file, mode); // sets the bits that the umask removed
    writeAll(file, typeof bytes === "string" ? Buffer.from(bytes, "utf8") : bytes);
    fsyncSync(file);
    closeSync(file);
    file = null;
    renameSync(temporary, path);
    syncFolder(dirname(path));
    return null;
  } catch (error) {
    if (file !== null) closeSync(file);
    rmSync(temporary, { force: true });
    return `${path} cannot be written: ${errorText(error)}`;
  }
}

/**
 * Creates an empty private file for SQLite, or repairs the mode of an existing file. Never opens an existing file: on
 * POSIX systems, closing any descriptor of a file drops all locks of this process on it.
 */
export function openPrivateFile(path: string): Problem | null {
  try {
    const facts = lstatSync(path, { throwIfNoEntry: false });
    if (facts === undefined) closeSync(openSync(path, "wx", PRIVATE_FILE));
    else if (!facts.isFile()) return `${path} is not a file`;
    else if (!isOwn(facts)) return `${path} belongs to another user`;
    if (MODES) chmodSync(path, PRIVATE_FILE);
    return null;
  } catch (error) {
    // Another start of Weir may have created the file in between.
    return codeOf(error) === "EEXIST" ? openPrivateFile(path) : `${path}: ${errorText(error)}`;
  }
}

/** Creates a private folder with its missing parents, or repairs the mode of an existing one. */
export function openPrivateFolder(path: string): Problem | null {
  try {
    if (isLink(path)) return `${path} is a symbolic link`;
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) return `${path} is not a folder`;
    makeFolder(path);
    const facts = statSync(path);
    if (!isOwn(facts)) return `${path} belongs to another user`;
    if (MODES && (facts.mode & 0o777) !== PRIVATE_FOLDER) chmodSync(path, PRIVATE_FOLDER);
    return null;
  } catch (error) {
    return `${path}: ${errorText(error)}`;
  }
}

/** Whether the folder's mode gives others access. */
export function isOpenToOthers(path: string): boolean {
  return MODES && (statSync(path).mode & 0o077) !== 0;
}

/** Names in a folder; none if it cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Removes files that a crash left half written. Only the owner of the data folder's lock may call this. */
export function clearTemporaries(folder: string): Problem | null {
  try {
    for (const name of readdirSync(folder)) {
      if (TEMPORARY.test(name)) rmSync(join(folder, name), { force: true });
    }
    return null;
  } catch (error) {
    return `${folder} could not be cleared of temporary files: ${errorText(error)}`;
  }
}

/**
 * Renames an unusable file to "<name>.unusable-<n>", since files of the user are never deleted (R8). Returns the new
 * path; `null` if it could not be renamed.
 */
export function setAside(path: string): string | null {
  for (let count = 1; count < 1_000; count += 1) {
    const aside = `${path}.unusable-${count}`;
    if (lstatSync(aside, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      renameSync(path, aside);
      return aside;
    } catch {
      return null;
    }
  }
  return null;
}

/**
 * Sets a file aside. Returns a sentence with its new path, to append to another sentence; "" if it could not be moved.
 */
export function keptAside(path: string): string {
  const aside = setAside(path);
  return aside === null ? "" : ` It is kept as ${aside}.`;
}

/** Deletes a file or a whole folder, if there is one. */
export function remove(path: string): Problem | null {
  try {
    rmSync(path, { recursive: true, force: true });
    return null;
  } catch (error) {
    return `${path} cannot be deleted: ${errorText(error)}`;
  }
}

/**
 * A system error in words, such as "permission denied (EACCES)". Call and path are left out, because the sentence
 * around it names them.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { errno, code } = error as NodeJS.ErrnoException;
  // Errors of Node itself, of SQLite and of zlib have no negative number.
  const words = errno !== undefined && errno < 0 ? getSystemErrorMessage(errno) : undefined;
  return words === undefined ? error.message : `${words} (${code})`;
}

export function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error ? String(error.code) : null;
}

/**
 * Creates a folder and its missing parents, one by one: with `recursive`, Node 26 loops forever where no folder can be
 * created (/proc).
 */
function makeFolder(path: string): void {
  const parent = dirname(path);
  if (!existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(path, PRIVATE_FOLDER);
  } catch (error) {
    // The folder existed, or another start has just created it.
    if (codeOf(error) !== "EEXIST" || !statSync(path).isDirectory()) throw error;
  }
}

export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function isOwn(facts: Stats): boolean {
  return process.getuid === undefined || facts.uid === process.getuid();
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}

function syncFolder(path: string): void {
  if (!MODES) return;
  const folder = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
