import { join } from "node:path";
import * as v from "valibot";
import { untrustedJsonOf } from "../../../src/engine/model/json.ts";
import type { Problem } from "../../../src/engine/model/result.ts";
import { keptAside, readPrivateFile, writePrivateFile } from "./private-file.ts";

/** Version of the file's format. No older version exists. */
const VERSION = 1;
const MOST_BYTES = 64 * 1024;

/** The most keys; each opened page has one. The one unused for longest goes. */
const MOST_KEYS = 32;

/** Ms after its last use until a key is refused. */
const LIFE = 7 * 24 * 60 * 60 * 1_000;

export interface WindowKey {
  readonly id: string;
  readonly secret: string;
  /** The origin of the page, and the only one that the key is good for. */
  readonly origin: string;
  /** Whether the key is stored for later starts. */
  readonly isLasting: boolean;
  /** Epoch ms. */
  readonly usedAt: number;
}

const text = v.pipe(v.string(), v.maxLength(200));
const stored = v.object({
  version: v.literal(VERSION),
  keys: v.array(v.object({ id: text, secret: text, origin: text, usedAt: v.number() })),
});

/** The keys of pages, with which they reconnect, also to a later start. */
export class WindowKeys {
  readonly #path: string;
  readonly #onProblem: (problem: string | null) => void;
  #keys: readonly WindowKey[];

  /** `onProblem`: called with why keys cannot be read or stored, as a sentence; `null` once they can be. */
  constructor(dataDir: string, onProblem: (problem: string | null) => void) {
    this.#path = join(dataDir, "window-keys.json");
    this.#onProblem = onProblem;
    const file = readPrivateFile(this.#path, MOST_BYTES);
    const read = file.ok && file.value !== null ? v.safeParse(stored, untrustedJsonOf(String(file.value))) : null;
    this.#keys = read?.success ? read.output.keys.map((key) => ({ ...key, isLasting: true })) : [];
    if (!file.ok) onProblem(`${file.problem}. Pages left open from an earlier start do not reconnect.`);
    else if (read?.success === false)
      onProblem(
        `${this.#path} cannot be read. Pages left open from an earlier start do not reconnect.${keptAside(this.#path)}`,
      );
  }

  /** `null` if there is no such key, it is too old, or it belongs to another origin. */
  find(id: string, origin: string, now: number): WindowKey | null {
    return this.#keys.find((key) => key.id === id && key.origin === origin && now - key.usedAt < LIFE) ?? null;
  }

  /** Adds a key, or stores its later use. */
  put(key: WindowKey): void {
    const others = this.#keys.filter(({ id, usedAt }) => id !== key.id && key.usedAt - usedAt < LIFE);
    this.#keys = [key, ...others.sort((one, other) => other.usedAt - one.usedAt)].slice(0, MOST_KEYS);
    if (!key.isLasting) return;
    const lasting = this.#keys.filter(({ isLasting }) => isLasting).map(({ isLasting: _, ...stored }) => stored);
    const text = `${JSON.stringify({ version: VERSION, keys: lasting })}\n`;
    const problem: Problem | null = writePrivateFile(this.#path, text);
    this.#onProblem(problem === null ? null : `${problem}. Pages left open do not reconnect to a later start.`);
  }
}
