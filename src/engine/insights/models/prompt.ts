import { isRecord, jsonOf } from "../../model/json.ts";

/** A prompt as hashes of its beginnings (`promptOf`). */
export interface Prompt {
  /** In characters. */
  readonly length: number;
  /** The hash of each beginning whose length is in `PREFIX_LENGTHS`, then that of the whole. */
  readonly hashes: Uint32Array;
}

/** A longer request is not parsed. */
const LONGEST_REQUEST = 4 * 1024 * 1024;

/** Each length is 4.4 % above the one before, so that a shared beginning is told by up to 4.4 % too short. */
const FIRST_LENGTH = 64;
const STEPS_PER_DOUBLING = 16;

/** The lengths of the beginnings that are hashed, in characters. */
const PREFIX_LENGTHS: readonly number[] = Object.freeze(
  Array.from({ length: STEPS_PER_DOUBLING * 16 + 1 }, (_, step) =>
    Math.round(FIRST_LENGTH * 2 ** (step / STEPS_PER_DOUBLING)),
  ),
);

/** What providers read first, in the order in which they cache it: tools, instructions, messages. */
const PARTS = [
  ["tools"],
  ["system", "instructions", "systemInstruction", "system_instruction"],
  ["messages", "input", "contents", "prompt"],
] as const;

/** The prompt of a request to a language model; `null` if the request is not JSON or holds no prompt. */
export function promptOf(requestText: string): Prompt | null {
  if (requestText.length > LONGEST_REQUEST) return null;
  const request = jsonOf(requestText);
  if (!isRecord(request)) return null;
  const parts = PARTS.map((names) => {
    const name = names.find((one) => request[one] !== undefined);
    return name === undefined ? "" : JSON.stringify(request[name]);
  });
  return parts.at(-1) === "" ? null : hashed(parts.join("\n"));
}

/** FNV-1a over UTF-16 units (http://www.isthe.com/chongo/tech/comp/fnv/): cheap, and no defence against forgery. */
function hashed(text: string): Prompt {
  const count = PREFIX_LENGTHS.findIndex((length) => length > text.length);
  const lengths = count < 0 ? PREFIX_LENGTHS : PREFIX_LENGTHS.slice(0, count);
  const hashes = new Uint32Array(lengths.length + 1);
  let [hash, next] = [0x811c9dc5, 0];
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    if (at + 1 === lengths[next]) {
      hashes[next] = hash;
      next += 1;
    }
  }
  hashes[lengths.length] = hash;
  return Object.freeze({ length: text.length, hashes });
}

/** How many characters both prompts begin with, by up to 4.4 % too few; all of them if the prompts are equal. */
export function sharedPrefix(one: Prompt, other: Prompt): number {
  if (one.length === other.length && one.hashes.at(-1) === other.hashes.at(-1)) return one.length;
  let [low, high] = [0, Math.min(one.hashes.length, other.hashes.length) - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (one.hashes[middle] === other.hashes[middle]) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : (PREFIX_LENGTHS[low - 1] as number);
}
