import * as v from "valibot";

/** The most characters of a slug or a snippet's key, and of a path (PATH_MAX of Linux). */
const MOST_NAME = 200;
const MOST_PATH = 4_096;

const slug = v.pipe(v.string(), v.maxLength(MOST_NAME));

export const hubQueries = [
  /** The data of all pages of the Setup Hub. */
  v.object({ view: v.literal("hub") }),
  /** The state of one target: its test and the copies of its texts. */
  v.object({ view: v.literal("target"), slug }),
] as const;

export const hubCommands = [
  /** Runs the target's test. Refused with the first blocking issue of the preflight, if there is one. */
  v.object({ type: v.literal("run-test"), slug }),
  /** Adds 30 s to a running test. */
  v.object({ type: v.literal("extend-test"), slug }),
  v.object({ type: v.literal("cancel-test"), slug }),
  /** Records that a text was copied with the current port and certificate. */
  v.object({ type: v.literal("note-copy"), slug, form: v.pipe(v.string(), v.maxLength(MOST_NAME)) }),
  /** Writes the certificate's public files, never the key, into an existing folder. */
  v.object({ type: v.literal("export-certificate"), folder: v.pipe(v.string(), v.maxLength(MOST_PATH)) }),
  /** Replaces the root certificate: deletes the old key, exports the new root, and signs with it from now on. */
  v.object({ type: v.literal("renew-certificate") }),
  /**
   * Checks whether the system trusts the certificate. The reply's value is the result; `null` if the store cannot be
   * read.
   */
  v.object({ type: v.literal("check-trust") }),
  /**
   * Native host only: opens the hub's window, or brings it to the front. `target`: the slug of the target to show;
   * `null` keeps the shown target.
   */
  v.object({ type: v.literal("open-hub"), target: v.nullable(slug) }),
] as const;
