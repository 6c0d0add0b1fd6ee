import * as assert from "uvu/assert";
import type { Root, RootResult } from "../../../extensions/proxy/certificates/root.ts";
import { renewRoot } from "../../../extensions/proxy/certificates/root-file.ts";

/** The root of a successful result. */
export function rootIn(result: RootResult): Root {
  if (result.kind === "unusable") throw new Error(result.reason);
  return result.root;
}

/** A new root in that folder, with `now` as its time. */
export function madeRoot(folder: string, now: Date = new Date()): Root {
  return rootIn(renewRoot(folder, "test-machine", now));
}

/** Asserts that the result is a refusal whose text matches `words`. */
export function refuses(result: RootResult, words: RegExp): void {
  assert.is(result.kind, "unusable");
  if (result.kind === "unusable") assert.match(result.reason, words);
}
