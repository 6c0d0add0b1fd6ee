import * as assert from "uvu/assert";
import type { Root, RootResult } from "../../../extensions/proxy/certificates/root.ts";
import { renewRoot } from "../../../extensions/proxy/certificates/root-file.ts";

/** The root of a result that must hold one. */
export function rootIn(result: RootResult): Root {
  if (result.kind === "unusable") throw new Error(result.reason);
  return result.root;
}

/** A new root in that folder, made `now`. */
export function madeRoot(folder: string, now: Date = new Date()): Root {
  return rootIn(renewRoot(folder, "test-machine", now));
}

/** Asserts that the result refuses, in words that hold `words`. */
export function refuses(result: RootResult, words: RegExp): void {
  assert.is(result.kind, "unusable");
  if (result.kind === "unusable") assert.match(result.reason, words);
}
