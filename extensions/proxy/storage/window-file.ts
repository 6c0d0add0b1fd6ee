import { join } from "node:path";
import * as v from "valibot";
import type { Problem } from "../../../src/engine/model/result.ts";
import { readJsonFile, writePrivateFile } from "./private-file.ts";

/** Version of the file's format. No older version exists. */
const VERSION = 1;
/** The most bytes of the file (docs/security.md L4). */
const MOST_BYTES = 4 * 1024;

const whole = v.pipe(v.number(), v.integer());
const bounds = v.object({ x: whole, y: whole, width: whole, height: whole, isMaximized: v.boolean() });
const content = v.object({ version: v.literal(VERSION), place: bounds });

/** As in `window/placement.ts`. */
type WindowBounds = v.InferOutput<typeof bounds>;

/** Where the native window was last; `null` if that is not known or cannot be read. */
export function readWindowBounds(dataDir: string): WindowBounds | null {
  const file = readJsonFile(join(dataDir, "window.json"), MOST_BYTES, content);
  return file.ok ? (file.value?.place ?? null) : null;
}

export function writeWindowBounds(dataDir: string, value: WindowBounds): Problem | null {
  return writePrivateFile(join(dataDir, "window.json"), `${JSON.stringify({ version: VERSION, place: value })}\n`);
}
