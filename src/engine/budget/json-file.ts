import * as v from "valibot";
import { type Failure, failure, type Result, success } from "../model/result.ts";
import { lineOf } from "./json-lines.ts";

/** The names that lead to a value of a JSON text, and what is wrong there. */
export interface Fault {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

/**
 * Parses a JSON file by a schema. A failure is a sentence such as "Line 4: endpoints › /orders › p95 is not a number."
 * `what`: the file in words, as in "the budget". `faultIn`: finds what the schema library does not report.
 */
export function readJson<Schema extends v.GenericSchema>(
  text: string,
  schema: Schema,
  what: string,
  faultIn: (json: unknown) => Fault | null,
): Result<v.InferOutput<Schema>> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return failure(`The file is not JSON: ${(error as Error).message}.`);
  }
  // The schema library takes a list for an object.
  const fault = Array.isArray(json) ? { path: [], reason: "is a list" } : faultIn(json);
  if (fault !== null) return faultAt(text, what, fault);
  const result = v.safeParse(schema, json);
  if (result.success) return success(result.output);
  const [issue] = result.issues;
  const path = (issue.path ?? []).map(({ key }) => key as string | number);
  return faultAt(text, what, { path, reason: reasonOf(issue) });
}

/** A failure with the line and the names that lead to the fault. */
export function faultAt(text: string, what: string, { path, reason }: Fault): Failure {
  const place = path.map((key) => (typeof key === "number" ? `[${key}]` : key)).join(" › ");
  return failure(`Line ${lineOf(text, path)}: ${place === "" ? what : place} ${reason}.`);
}

function reasonOf({ type, message, expected }: v.BaseIssue<unknown>): string {
  if (type !== "strict_object")
    return expected === "Object" || expected === "Array" ? `is not an ${expected.toLowerCase()}` : message;
  return expected === "never" ? "is not a known name" : "is not an object";
}
