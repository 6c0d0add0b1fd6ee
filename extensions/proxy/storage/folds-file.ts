import { join } from "node:path";
import * as v from "valibot";
import type { SiblingFold } from "../../../src/engine/model/path-rule.ts";
import type { Problem } from "../../../src/engine/model/result.ts";
import { keptAside, readJsonFile, writePrivateFile } from "./private-file.ts";

/** Version of the file's format. No older version exists. */
const VERSION = 1;
/** The most bytes of the file (docs/security.md L4). */
const MOST_BYTES = 8 * 1024 * 1024;
/** The most folds (`SiblingFold`) that are stored. The latest ones are kept. */
const MOST_FOLDS = 5_000;

const fold = v.object({ origin: v.string(), parent: v.string(), kept: v.array(v.string()) });
const content = v.object({ version: v.literal(VERSION), folds: v.array(fold) });

/**
 * The folds that earlier sessions have learned, so that later sessions name endpoints in the same way. An unreadable
 * file is set aside.
 */
export function readFolds(dataDir: string): readonly SiblingFold[] {
  const path = pathIn(dataDir);
  const file = readJsonFile(path, MOST_BYTES, content);
  if (file.ok) return Object.freeze(file.value?.folds ?? []);
  keptAside(path);
  return [];
}

export function writeFolds(dataDir: string, folds: readonly SiblingFold[]): Problem | null {
  return writePrivateFile(
    pathIn(dataDir),
    `${JSON.stringify({ version: VERSION, folds: folds.slice(-MOST_FOLDS) })}\n`,
  );
}

function pathIn(dataDir: string): string {
  return join(dataDir, "paths.json");
}
