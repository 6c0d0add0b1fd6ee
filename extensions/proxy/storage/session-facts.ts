import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { FORMAT } from "../../../src/engine/capture/record.ts";
import { untrustedJsonOf } from "../../../src/engine/model/json.ts";
import type { Problem } from "../../../src/engine/model/result.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { errorText, isLink, readPrivateFile, remove, writePrivateFile } from "./private-file.ts";

/** The facts of a session that are known without reading its exchanges. */
export interface SessionFacts {
  /** Start time to the millisecond, then random digits, so that ids sort by time: "20261120T120000123-1a2b3c". */
  readonly id: string;
  readonly startedAt: Instant;
  /** `null` while it is being recorded. */
  readonly endedAt: Instant | null;
  readonly state: "current" | "completed" | "recovered";
  /** The name that the user gave; "" if there is none. */
  readonly name: string;
  /** The name that Weir gives it, such as "shop.example.com, Chrome" (session-title.ts); "" if unknown. */
  readonly title: string;
  readonly notes: string;
  readonly exchanges: number;
  /** Whether the exchanges and bodies are still on disk. Figures stay after these are deleted. */
  readonly kept: boolean;
  /** Whether the session was read from a HAR file. */
  readonly imported: boolean;
  /** Whether trends may compare with this session, as the user decided. */
  readonly baseline: boolean;
  /** When it was put into the trash; `null` if it is not there. */
  readonly trashedAt: Instant | null;
}

export type SessionWords = Pick<SessionFacts, "name" | "notes" | "baseline" | "title">;

const FACTS_FILE = "session.json";
const FIGURES_FILE = "figures.json";
const MOST_FACTS = 256 * 1024;
/** A larger file of figures is not read. Twice `MOST_BYTES` of stored-figures.ts. */
const MOST_FIGURES = 4 * 1024 * 1024;

export function newSessionId(startedAt: Instant): string {
  const moment = new Date(startedAt).toISOString().replaceAll(/[-:.Z]/g, "");
  return `${moment}-${randomBytes(3).toString("hex")}`;
}

/** Whether `name` is a session's id. Only then may it become part of a path. */
export function isSessionId(name: string): boolean {
  return /^\d{8}T\d{9}-[0-9a-f]{6}$/.test(name);
}

export function startOf(id: string): Instant {
  return Date.parse(
    id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3}).*$/, "$1-$2-$3T$4:$5:$6.$7Z"),
  ) as Instant;
}

export function newFacts(id: string, startedAt: Instant): SessionFacts {
  return Object.freeze({
    id,
    startedAt,
    endedAt: null,
    state: "current",
    name: "",
    title: "",
    notes: "",
    exchanges: 0,
    kept: true,
    imported: false,
    baseline: true,
    trashedAt: null,
  });
}

/**
 * Ids of all sessions in this folder, oldest first; none if it cannot be read. Links are none (docs/security.md R2).
 */
export function sessionIds(sessions: string): readonly string[] {
  try {
    const folders = readdirSync(sessions, { withFileTypes: true }).filter((one) => one.isDirectory());
    return folders.flatMap(({ name }) => (isSessionId(name) ? [name] : [])).sort();
  } catch {
    return [];
  }
}

/** Whether `id` is a session's id, and its folder is one and no link (docs/security.md R2). */
export function hasFolder(sessions: string, id: string): boolean {
  try {
    return isSessionId(id) && lstatSync(join(sessions, id)).isDirectory();
  } catch {
    return false;
  }
}

/** Facts of all sessions in this folder, oldest first. Sessions with damaged facts are left out. */
export function allFacts(sessions: string): readonly SessionFacts[] {
  return sessionIds(sessions).flatMap((id) => readFacts(sessions, id) ?? []);
}

const instant = v.pipe(
  v.number(),
  v.transform((time) => time as Instant),
);

const storedFacts = v.object({
  version: v.literal(FORMAT),
  startedAt: instant,
  endedAt: v.nullable(instant),
  state: v.picklist(["current", "completed", "recovered"]),
  name: v.string(),
  title: v.optional(v.string(), ""),
  notes: v.string(),
  exchanges: v.number(),
  kept: v.boolean(),
  imported: v.boolean(),
  baseline: v.boolean(),
  trashedAt: v.optional(v.nullable(instant), null),
});

/** The facts of a session; `null` if they are missing, damaged or of another format. */
export function readFacts(sessions: string, id: string): SessionFacts | null {
  const stored = v.safeParse(storedFacts, readObject(sessions, id, FACTS_FILE, MOST_FACTS));
  if (!stored.success) return null;
  const { version: _, ...facts } = stored.output;
  return Object.freeze({ id, ...facts });
}

export function isOtherFormat(sessions: string, id: string): boolean {
  const version = readObject(sessions, id, FACTS_FILE, MOST_FACTS)?.["version"];
  return typeof version === "number" && version !== FORMAT;
}

export function hasFacts(sessions: string, id: string): boolean {
  return existsSync(join(sessions, id, FACTS_FILE));
}

export function writeFacts(sessions: string, facts: SessionFacts): Problem | null {
  return writeFile(join(sessions, facts.id), FACTS_FILE, `${JSON.stringify({ version: FORMAT, ...facts })}\n`);
}

/** The engine's figures of a completed session; `null` if there are none. */
export function readFigures(sessions: string, id: string): unknown {
  return readObject(sessions, id, FIGURES_FILE, MOST_FIGURES)?.["figures"] ?? null;
}

/** Stores the figures, any JSON data. */
export function writeFigures(sessions: string, id: string, figures: unknown): Problem | null {
  try {
    return writeFile(join(sessions, id), FIGURES_FILE, JSON.stringify({ version: FORMAT, figures }));
  } catch (error) {
    return errorText(error);
  }
}

export function removeFigures(sessions: string, id: string): Problem | null {
  return remove(join(sessions, id, FIGURES_FILE));
}

/** Whether this file of a session's folder stays when the exchanges and bodies are deleted. */
export function outlives(name: string): boolean {
  return name === FACTS_FILE || name === FIGURES_FILE;
}

function writeFile(folder: string, name: string, text: string): Problem | null {
  return isLink(folder) ? `${folder} is a symbolic link` : writePrivateFile(join(folder, name), text);
}

function readObject(sessions: string, id: string, name: string, most: number): Record<string, unknown> | null {
  if (!hasFolder(sessions, id)) return null;
  const file = readPrivateFile(join(sessions, id, name), most);
  const value = file.ok ? untrustedJsonOf(String(file.value)) : null;
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
}
