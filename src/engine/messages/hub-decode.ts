import * as v from "valibot";

/** Default; not from a specification: characters of a slug and a snippet's key, and of a path (PATH_MAX of Linux). */
const MOST_NAME = 200;
const MOST_PATH = 4_096;

const slug = v.pipe(v.string(), v.maxLength(MOST_NAME));

/** Schemas of the queries in hub-messages.ts. */
export const hubQueries = [
  v.object({ view: v.literal("hub") }),
  v.object({ view: v.literal("target"), slug }),
] as const;

export const hubCommands = [
  v.object({ type: v.picklist(["run-test", "extend-test", "cancel-test"]), slug }),
  v.object({ type: v.literal("note-copy"), slug, form: v.pipe(v.string(), v.maxLength(MOST_NAME)) }),
  v.object({ type: v.literal("export-certificate"), folder: v.pipe(v.string(), v.maxLength(MOST_PATH)) }),
  v.object({ type: v.literal("renew-certificate") }),
  v.object({ type: v.literal("check-trust") }),
  v.object({ type: v.literal("open-hub"), target: v.nullable(slug) }),
] as const;
