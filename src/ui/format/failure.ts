import { errorTypeText } from "../../engine/model/error-text.ts";
import type { ErrorType } from "../../engine/model/exchange.ts";
import type { Milliseconds } from "../../engine/model/units.ts";
import { durationText } from "./duration.ts";

/** Why an exchange failed. `after`: the time until then, told where a client gave up; `null` if it is unknown. */
export function failureText(errorType: ErrorType, after: Milliseconds | null): string {
  const text = errorTypeText(errorType);
  return errorType === "client-aborted" && after !== null ? `${text} after ${durationText(after)} ms` : text;
}
