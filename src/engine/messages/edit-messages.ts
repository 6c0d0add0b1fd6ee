import * as v from "valibot";
import type { Bytes } from "../model/units.ts";
import { exchangeId, textUpTo } from "./decoded.ts";

/** A recorded request as a user edits it. */
export interface EditableRequest {
  readonly method: string;
  readonly url: string;
  /** One field a line, in latin1. */
  readonly headers: string;
  /** `null`: the body is no text, or too long to be edited. */
  readonly body: string | null;
  readonly bodySize: Bytes;
}

/** What is wrong with each field, as a sentence. */
export type EditProblems = Readonly<Partial<Record<"method" | "url" | "headers", string>>>;

/** The lengths keep a message below 1 MB. */
export const editCommands = [
  /** The reply's value is the request as an `EditableRequest`. */
  v.object({ type: v.literal("edit-request"), exchange: exchangeId }),
  /** Sends a request that was edited, as `resend` does. `body`: `null` sends the recorded one. */
  v.object({
    type: v.literal("send-edited"),
    exchange: exchangeId,
    method: textUpTo(100),
    url: textUpTo(66_000),
    headers: textUpTo(66_000),
    body: v.nullable(textUpTo(300_000)),
  }),
] as const;
