import * as v from "valibot";
import { type Failure, failure, type Result, success } from "../model/result.ts";
import { lineOf, repeatedNameIn } from "./json-lines.ts";

/** The names that lead to a value of a JSON text, and what is wrong there. */
export interface Fault {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

export const amount = v.pipe(v.number("a number"), v.finite("a number"), v.minValue(0, "0 or more"));

export function atLeast(least: number) {
  return v.pipe(v.number("a number"), v.integer("a whole number"), v.minValue(least, `${least} or more`));
}

/**
 * Parses a JSON file by a schema, whose messages say what a value must be: "a number". A failure is a sentence such as
 * 'Line 4: endpoints › /orders › p95 must be a number, but is "fast".' `what`: the file in words, as in "the budget".
 * `faultIn`: finds what the schema library does not report.
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
    return failure(conflictIn(text) ?? `The file is not JSON: ${(error as Error).message}.`);
  }
  const repeated = repeatedNameIn(text);
  if (repeated !== null)
    return failure(
      `Line ${repeated.line}: ${pathText(repeated.path)} occurs twice, first on line ${lineOf(text, repeated.path)}.`,
    );
  // The schema library takes a list for an object.
  const fault = Array.isArray(json) ? { path: [], reason: "must be an object, but is a list" } : faultIn(json);
  if (fault !== null) return faultAt(text, what, fault);
  const result = v.safeParse(schema, json);
  if (result.success) return success(result.output);
  const [issue] = result.issues;
  const path = (issue.path ?? []).map(({ key }) => key as string | number);
  return faultAt(text, what, { path, reason: reasonOf(issue, namesAt(schema, path.slice(0, -1))) });
}

/** A failure with the line and the names that lead to the fault. */
export function faultAt(text: string, what: string, { path, reason }: Fault): Failure {
  return failure(`Line ${lineOf(text, path)}: ${path.length === 0 ? what : pathText(path)} ${reason}.`);
}

function pathText(path: Fault["path"]): string {
  return path.map((key) => (typeof key === "number" ? `[${key}]` : key)).join(" › ");
}

/** What to do if a merge left its markers; `null` if there are none. */
function conflictIn(text: string): string | null {
  const marker = /^(?:<{7}|>{7})(?: |$)/m.exec(text);
  if (marker === null) return null;
  const line = text.slice(0, marker.index).split("\n").length;
  return `Line ${line}: a merge left its conflict here. Keep the lines of both sides, and remove those with <<<<<<<, ======= and >>>>>>>.`;
}

function reasonOf({ message, expected, input }: v.BaseIssue<unknown>, names: readonly string[]): string {
  if (expected === "never") return `is not a known name; known are ${names.join(", ")}`;
  if (input === undefined) return "is missing";
  const wanted = { Object: "an object", Array: "a list" }[expected ?? ""] ?? message;
  return `must be ${wanted}, but is ${shown(input)}`;
}

/** The longest text of a value in a sentence. */
const LONGEST = 40;

function shown(value: unknown): string {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** The names that the object at `path` may have. */
function namesAt(schema: v.GenericSchema, path: Fault["path"]): readonly string[] {
  const { wrapped, entries, item, value } = schema as Inner;
  if (wrapped !== undefined) return namesAt(wrapped, path);
  const [first, ...rest] = path;
  if (first === undefined) return Object.keys(entries ?? {});
  const next = entries?.[first] ?? item ?? value;
  return next === undefined ? [] : namesAt(next, rest);
}

type Inner = v.GenericSchema & {
  readonly wrapped?: v.GenericSchema;
  readonly entries?: Readonly<Record<string | number, v.GenericSchema>>;
  readonly item?: v.GenericSchema;
  readonly value?: v.GenericSchema;
};
