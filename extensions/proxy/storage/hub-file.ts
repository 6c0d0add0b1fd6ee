import { join } from "node:path";
import * as v from "valibot";
import type { SnippetCopy } from "../../../src/engine/messages/hub-messages.ts";
import type { Problem } from "../../../src/engine/model/result.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { keptAside, readJsonFile, writePrivateFile } from "./private-file.ts";

/** Version of the file's format. No older version exists. */
const VERSION = 1;
/** The most bytes of the file (docs/security.md L4). A copy of every text of every target takes 50 KB. */
const MOST_BYTES = 1024 * 1024;

export interface HubMemory {
  /** The folder of the last manual export; `null` if the certificate was only exported to the data folder. */
  readonly folder: string | null;
  /** When the user last copied each snippet of a target, and with which values; by the target's slug. */
  readonly copies: Readonly<Record<string, readonly SnippetCopy[]>>;
  /** When Weir last captured a target's probe, by the target's slug. */
  readonly confirmed: Readonly<Record<string, Instant>>;
}

export const NOTHING_YET: HubMemory = Object.freeze({
  folder: null,
  copies: Object.freeze({}),
  confirmed: Object.freeze({}),
});

const instant = v.pipe(
  v.number(),
  v.transform((at) => at as Instant),
);
const copy = v.object({ form: v.string(), at: instant, port: v.number(), fingerprint: v.string() });
const stored = v.object({
  version: v.literal(VERSION),
  folder: v.nullable(v.string()),
  copies: v.record(v.string(), v.array(copy)),
  confirmed: v.record(v.string(), instant),
});

/**
 * Reads the hub's file in the data folder. An unreadable file is set aside; the result is then an empty memory, with
 * the reason in `problem`.
 */
export function readHubMemory(dataDir: string): { readonly memory: HubMemory; readonly problem: string | null } {
  const path = pathIn(dataDir);
  const file = readJsonFile(path, MOST_BYTES, stored);
  if (!file.ok) {
    const problem = `The state of the Setup Hub could not be read: ${file.problem}.${keptAside(path)}`;
    return { memory: NOTHING_YET, problem };
  }
  const { folder, copies, confirmed } = file.value ?? NOTHING_YET;
  return { memory: Object.freeze({ folder, copies, confirmed }), problem: null };
}

export function writeHubMemory(dataDir: string, { folder, copies, confirmed }: HubMemory): Problem | null {
  return writePrivateFile(
    pathIn(dataDir),
    `${JSON.stringify({ version: VERSION, folder, copies, confirmed }, null, 2)}\n`,
  );
}

function pathIn(dataDir: string): string {
  return join(dataDir, "hub.json");
}
