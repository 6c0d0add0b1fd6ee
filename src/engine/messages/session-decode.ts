import * as v from "valibot";
import { MOST_SESSION_NAME } from "../model/session-name.ts";
import { sessionId, textUpTo, whole } from "./decoded.ts";

/** The most characters of a file's name, of notes, and of a search text. */
const MOST_NAME = 200;
const MOST_NOTES = 10_000;
const MOST_SEARCHED = 1_000;

/** The most characters of a piece of an import. */
const MOST_PIECE = 150_000;

export const sessionQueries = [
  v.object({ view: v.literal("sessions") }),
  /** The session that the UI client shows. */
  v.object({ view: v.literal("shown") }),
] as const;

export const sessionCommands = [
  /** Puts the current session into the trash. The reply's value is its id; `null` if nothing was captured. */
  v.object({ type: v.literal("clear") }),
  /**
   * Ends the session and begins another, with a name if one is given. The reply's value is the id of the ended session;
   * `null` if nothing was captured.
   */
  v.object({
    type: v.literal("new-session"),
    name: v.optional(textUpTo(MOST_SESSION_NAME)),
  }),
  v.object({ type: v.literal("open-session"), session: sessionId }),
  v.object({ type: v.literal("show-current") }),
  /** Changes the name, the notes or both. */
  v.object({
    type: v.literal("describe-session"),
    session: sessionId,
    words: v.object({
      name: v.exactOptional(textUpTo(MOST_SESSION_NAME)),
      notes: v.exactOptional(textUpTo(MOST_NOTES)),
    }),
  }),
  /** Puts an ended session into the trash. UI clients that show it return to the current session. */
  v.object({ type: v.literal("delete-session"), session: sessionId }),
  /** Takes a session out of the trash. */
  v.object({ type: v.literal("restore-session"), session: sessionId }),
  /** Undoes the Clear of this session. The reply's value is a `ClearUndone`. */
  v.object({ type: v.literal("undo-clear"), session: sessionId }),
  /** Deletes a session and its figures, also from the trash. This cannot be undone. */
  v.object({ type: v.literal("delete-for-good"), session: sessionId }),
  /** Deletes all sessions in the trash. This cannot be undone. */
  v.object({ type: v.literal("empty-trash") }),
  /** Sets whether trends may compare with the session. */
  v.object({ type: v.literal("set-baseline"), session: sessionId, on: v.boolean() }),
  v.object({ type: v.literal("dismiss-recovered") }),
  /**
   * Deletes all sessions, also the current one and those in the trash, and their figures. Settings and the certificate
   * stay. This cannot be undone.
   */
  v.object({ type: v.literal("delete-captured") }),
  /**
   * Imports a HAR file. `opened`: as a session outside the baseline; this UI client then shows the session.
   * `completed`: as a completed session in the baseline. The reply's value is an `ImportStarted`; then send
   * `import-piece` messages, each after the reply to the previous one.
   */
  v.object({
    type: v.literal("import-har"),
    fileName: textUpTo(MOST_NAME),
    as: v.picklist(["opened", "completed"]),
  }),
  /** Sends the next bytes of the imported file. The reply's value is an `ImportProgress`; a refusal ends the import. */
  v.object({
    type: v.literal("import-piece"),
    importNumber: whole,
    base64: v.pipe(v.string(), v.maxLength(MOST_PIECE), v.regex(/^[A-Za-z0-9+/]*={0,2}$/)),
    /** Whether this is the file's last piece. */
    last: v.boolean(),
  }),
  v.object({ type: v.literal("cancel-import"), importNumber: whole }),
  /**
   * Searches URLs, headers, decoded bodies and messages of the shown session, the newest exchange first. Upper and
   * lower case are the same. The reply's value is a `SearchStarted`; `search-hits` messages follow, for at most 1,000
   * exchanges.
   */
  v.object({ type: v.literal("search"), text: v.pipe(v.string(), v.minLength(1), v.maxLength(MOST_SEARCHED)) }),
  v.object({ type: v.literal("cancel-search"), searchNumber: whole }),
] as const;
