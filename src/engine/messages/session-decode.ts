import * as v from "valibot";
import { sessionId, whole } from "./decoded.ts";

/** Default; not from a specification: characters of a session's or file's name, of notes, and of a search text. */
const MOST_NAME = 200;
const MOST_NOTES = 10_000;
const MOST_SEARCHED = 1_000;

/** The most characters of a piece (session-messages.ts). */
const MOST_PIECE = 150_000;

/** Schemas of the queries in session-messages.ts. */
export const sessionQueries = [v.object({ view: v.picklist(["sessions", "shown"]) })] as const;

export const sessionCommands = [
  v.object({ type: v.picklist(["open-session", "delete-session"]), session: sessionId }),
  v.object({ type: v.picklist(["show-current", "dismiss-recovered", "delete-captured"]) }),
  v.object({
    type: v.literal("describe-session"),
    session: sessionId,
    name: v.pipe(v.string(), v.maxLength(MOST_NAME)),
    notes: v.pipe(v.string(), v.maxLength(MOST_NOTES)),
  }),
  v.object({ type: v.literal("set-baseline"), session: sessionId, on: v.boolean() }),
  v.object({
    type: v.literal("import-har"),
    fileName: v.pipe(v.string(), v.maxLength(MOST_NAME)),
    as: v.picklist(["opened", "completed"]),
  }),
  v.object({
    type: v.literal("import-piece"),
    importNumber: whole,
    base64: v.pipe(v.string(), v.maxLength(MOST_PIECE), v.regex(/^[A-Za-z0-9+/]*={0,2}$/)),
    last: v.boolean(),
  }),
  v.object({ type: v.literal("cancel-import"), importNumber: whole }),
  v.object({ type: v.literal("search"), text: v.pipe(v.string(), v.minLength(1), v.maxLength(MOST_SEARCHED)) }),
  v.object({ type: v.literal("cancel-search"), searchNumber: whole }),
] as const;
