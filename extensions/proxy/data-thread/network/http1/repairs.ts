import { Buffer } from "node:buffer";
import type { Repair } from "../../../../../src/engine/model/exchange.ts";
import { withoutBlanks } from "./fields.ts";

/*
 * Repairs that a proxy may or must make to a response, so that all parsers read the forwarded response alike. The
 * repaired response is parsed again, strictly, and that decides whether it is valid. Requests are never repaired.
 */

/** Repairs of ambiguous framing. The sender may have meant another end of the message (RFC 9112, 6.3). */
export const FRAMING_REPAIRS: readonly Repair[] = [
  "repaired:repeated-length",
  "repaired:length-beside-chunked",
  "repaired:transfer-encoding",
];

interface Field {
  /** The name as the sender wrote it. */
  readonly name: string;
  /** The line with its name, in several parts if it was folded. */
  readonly parts: string[];
}

/** Returns a repaired head. `lines`: the start line first, without line ends. */
export function repairedHead([startLine = "", ...lines]: readonly string[], repairs: Set<Repair>): Buffer {
  const fields = withOneFraming(fieldsIn(lines, repairs), repairs);
  return sectionOf(repairedStatusLine(startLine, repairs), fields);
}

/**
 * Returns the repaired end of a chunked body. `lines`: the size line of the last chunk, then the trailers, without line
 * ends.
 */
export function repairedEnd([sizeLine = "", ...lines]: readonly string[], repairs: Set<Repair>): Buffer {
  return sectionOf(sizeLine, fieldsIn(lines, repairs));
}

/**
 * Returns the status line with single spaces and `HTTP` in upper case. A line that is no status line stays unchanged.
 */
export function repairedStatusLine(line: string, repairs: Set<Repair>): string {
  const [, minor, status, rest] = /^[ \t]*http\/1\.([01])[ \t]+(\d{3})(?!\d)(.*)/i.exec(line) ?? [];
  if (minor === undefined || rest === undefined || !(rest === "" || isBlank(rest, 0))) return line;
  const start = `HTTP/1.${minor} ${status}`;
  if (line.startsWith(start) && (rest === "" || rest.startsWith(" "))) return line;
  repairs.add("repaired:status-line");
  return `${start} ${withoutBlanks(rest)}`;
}

/** The fields in these lines. Removes blanks before a colon (RFC 9112, 5.1), and replaces a fold by a space (5.2). */
function fieldsIn(lines: readonly string[], repairs: Set<Repair>): Field[] {
  const fields: Field[] = [];
  for (const line of lines) {
    const before = fields.at(-1);
    const more = withoutBlanks(line);
    // A line of blanks is no fold. Some parsers read it as the end of the head, others as part of the previous line.
    if (isBlank(line, 0) && more !== "" && before !== undefined) {
      before.parts.push(more);
      repairs.add("repaired:folded-line");
      continue;
    }
    const colon = line.indexOf(":");
    const name = colon < 0 ? "" : line.slice(0, colon);
    const repaired = isBlank(line, 0) ? name : withoutBlanks(name);
    if (repaired !== name && repaired !== "") repairs.add("repaired:blank-before-colon");
    fields.push({ name: repaired, parts: [repaired + line.slice(name.length)] });
  }
  return fields;
}

/** Merges repeated lengths that are equal (RFC 9110, 8.6), and removes a length beside chunked (RFC 9112, 6.3). */
function withOneFraming(fields: readonly Field[], repairs: Set<Repair>): readonly Field[] {
  const lengths = membersIn(fields, "content-length");
  const codings = membersIn(fields, "transfer-encoding");
  const length = lengths.every((one) => /^\d+$/.test(one) && Number(one) === Number(lengths[0]))
    ? lengths[0]
    : undefined;
  const isChunked =
    codings.some((one) => one !== "") && codings.every((one) => ["", "chunked"].includes(one.toLowerCase()));
  const hasTab = fields.some((field) => isNamed(field, "transfer-encoding") && field.parts.join().includes("\t"));
  const isListed = isChunked && (codings.length > 1 || hasTab);
  const isBeside = isChunked && length !== undefined;
  if (isListed) repairs.add("repaired:transfer-encoding");
  if (isBeside) repairs.add("repaired:length-beside-chunked");
  if (length !== undefined && lengths.length > 1) repairs.add("repaired:repeated-length");
  let kept = fields;
  if (isBeside) kept = kept.filter((field) => !isNamed(field, "content-length"));
  else if (length !== undefined && lengths.length > 1) kept = withOne(kept, "content-length", length);
  return isListed ? withOne(kept, "transfer-encoding", "chunked") : kept;
}

/** Sets the first field with this name to the value, and removes the other fields with this name. */
function withOne(fields: readonly Field[], name: string, value: string): Field[] {
  const first = fields.find((field) => isNamed(field, name));
  return fields.flatMap((field) => {
    if (!isNamed(field, name)) return field;
    return field === first ? { name: field.name, parts: [`${field.name}: ${value}`] } : [];
  });
}

function isNamed({ name }: Field, wanted: string): boolean {
  return name.length === wanted.length && name.toLowerCase() === wanted;
}

/** The members of all fields with this name, including empty ones. */
function membersIn(fields: readonly Field[], name: string): string[] {
  return fields
    .filter((field) => isNamed(field, name))
    .flatMap((field) =>
      lineOf(field)
        .slice(name.length + 1)
        .split(",")
        .map(withoutBlanks),
    );
}

function lineOf({ parts }: Field): string {
  return parts.map((part, at) => (at < parts.length - 1 ? withoutLastBlanks(part) : part)).join(" ");
}

function sectionOf(startLine: string, fields: readonly Field[]): Buffer {
  return Buffer.from([startLine, ...fields.map(lineOf), "", ""].join("\r\n"), "latin1");
}

function isBlank(text: string, at: number): boolean {
  return text.charAt(at) === " " || text.charAt(at) === "\t";
}

function withoutLastBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && isBlank(text, end - 1)) end -= 1;
  return text.slice(0, end);
}
