import * as assert from "uvu/assert";
import type { OpenedRoot, Root } from "../../../extensions/proxy/certificates/root.ts";
import { renewRoot } from "../../../extensions/proxy/certificates/root-file.ts";
import { type Result, unwrap } from "../../../src/engine/model/result.ts";
import { problemOf } from "../../support/problem-of.ts";

/** The root of a success. */
export function rootIn(result: Result<OpenedRoot>): Root {
  return unwrap(result).root;
}

/** A new root in that folder, with `now` as its time. */
export function madeRoot(folder: string, now: Date = new Date()): Root {
  return rootIn(renewRoot(folder, "test-machine", now));
}

/** Asserts that the result is a failure whose problem matches `words`. */
export function refuses(result: Result<OpenedRoot>, words: RegExp): void {
  assert.not(result.ok);
  assert.match(problemOf(result), words);
}
