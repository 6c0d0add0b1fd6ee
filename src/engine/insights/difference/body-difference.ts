import type { BodyDifference, JsonDifference, LineDifference } from "../../messages/difference-messages.ts";
import { isRecord } from "../../model/json.ts";

/** The most bytes of each body that are compared. */
export const MOST_COMPARED_BYTES = 1_048_576;

/** The most differences that are listed, and the most characters of each text. */
const MOST_LISTED = 200;
const MOST_TEXT = 200;

/** The most pairs of lines between the common beginning and the common end that are matched with each other. */
const MOST_PAIRS = 4_000_000;

/** Compares two decoded bodies: JSON by keys, other text by lines, the rest by size and first difference. */
export function bodyDifferenceOf(one: Uint8Array, other: Uint8Array): BodyDifference {
  const at = firstDifferenceOf(one, other);
  if (at === null) return { kind: "same", size: one.length };
  const [text, otherText] = [textOf(one), textOf(other)];
  if (text === null || otherText === null) return { kind: "binary", one: one.length, other: other.length, at };
  const [json, otherJson] = [jsonOf(text), jsonOf(otherText)];
  if (json !== null && otherJson !== null) return jsonDifference(json.value, otherJson.value);
  return textDifference(text.split("\n"), otherText.split("\n"));
}

function firstDifferenceOf(one: Uint8Array, other: Uint8Array): number | null {
  const shared = Math.min(one.length, other.length);
  for (let index = 0; index < shared; index += 1) if (one[index] !== other[index]) return index;
  return one.length === other.length ? null : shared;
}

/** The bytes as UTF-8 text; `null` if they are none. */
function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The value of an object's or array's text; `null` for other texts. */
function jsonOf(text: string): { readonly value: unknown } | null {
  if (!/^\s{0,64}[[{]/.test(text)) return null;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

interface Pair {
  readonly path: string;
  readonly one: unknown;
  readonly other: unknown;
}

/** Absent from an object or array, unlike `null`. */
const ABSENT = Symbol("absent");

/** Walks both values with a list of its own, because a hostile body nests deeper than a stack is. */
function jsonDifference(one: unknown, other: unknown): BodyDifference {
  const differences: JsonDifference[] = [];
  let more = 0;
  const left: Pair[] = [{ path: "", one, other }];
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const parts = partsOf(pair);
    if (parts !== null) left.push(...parts.reverse());
    else if (pair.one === pair.other) continue;
    else if (differences.length >= MOST_LISTED) more += 1;
    else differences.push({ path: cut(pair.path), one: valueText(pair.one), other: valueText(pair.other) });
  }
  return { kind: "json", differences, more };
}

/** The pairs of members of two objects or two arrays; `null` for other pairs. */
function partsOf({ path, one, other }: Pair): Pair[] | null {
  if (Array.isArray(one) && Array.isArray(other)) {
    const parts: Pair[] = [];
    for (let index = 0; index < Math.max(one.length, other.length); index += 1)
      parts.push({
        path: `${path}[${index}]`,
        one: index < one.length ? one[index] : ABSENT,
        other: index < other.length ? other[index] : ABSENT,
      });
    return parts;
  }
  if (!isRecord(one) || !isRecord(other)) return null;
  const parts: Pair[] = [];
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)]))
    parts.push({
      path: path === "" ? name : `${path}.${name}`,
      one: Object.hasOwn(one, name) ? one[name] : ABSENT,
      other: Object.hasOwn(other, name) ? other[name] : ABSENT,
    });
  return parts;
}

function valueText(value: unknown): string | null {
  if (value === ABSENT) return null;
  if (Array.isArray(value)) return `[${value.length === 1 ? "1 item" : `${value.length} items`}]`;
  if (isRecord(value)) {
    const { length } = Object.keys(value);
    return `{${length === 1 ? "1 key" : `${length} keys`}}`;
  }
  return cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT - 1)}…` : text;
}

function textDifference(one: readonly string[], other: readonly string[]): BodyDifference {
  let begin = 0;
  while (begin < Math.min(one.length, other.length) && one[begin] === other[begin]) begin += 1;
  let end = 0;
  const most = Math.min(one.length, other.length) - begin;
  while (end < most && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  const [middle, otherMiddle] = [one.slice(begin, one.length - end), other.slice(begin, other.length - end)];
  const isMatched = middle.length * otherMiddle.length <= MOST_PAIRS;
  const kept = isMatched ? commonLines(middle, otherMiddle) : { one: new Set<number>(), other: new Set<number>() };
  const differences: LineDifference[] = [];
  let total = 0;
  const list = (side: LineDifference["side"], index: number, text: string): void => {
    total += 1;
    if (differences.length < MOST_LISTED) differences.push({ side, line: begin + index + 1, text: cut(text) });
  };
  for (let [index, otherIndex] = [0, 0]; index < middle.length || otherIndex < otherMiddle.length; ) {
    const isOwn = index < middle.length && !kept.one.has(index);
    const isOthers = otherIndex < otherMiddle.length && !kept.other.has(otherIndex);
    if (isOwn) list("one", index, middle[index] ?? "");
    else if (isOthers) list("other", otherIndex, otherMiddle[otherIndex] ?? "");
    if (isOwn || !isOthers) index += 1;
    if (!isOwn) otherIndex += 1;
  }
  return { kind: "text", differences, more: isMatched ? total - differences.length : null };
}

/** The indices of a longest common subsequence of lines, in both lists. */
function commonLines(
  one: readonly string[],
  other: readonly string[],
): { readonly one: ReadonlySet<number>; readonly other: ReadonlySet<number> } {
  const width = other.length + 1;
  const lengths = new Uint16Array((one.length + 1) * width);
  for (let row = one.length - 1; row >= 0; row -= 1)
    for (let index = other.length - 1; index >= 0; index -= 1)
      lengths[row * width + index] =
        one[row] === other[index]
          ? (lengths[(row + 1) * width + index + 1] ?? 0) + 1
          : Math.max(lengths[(row + 1) * width + index] ?? 0, lengths[row * width + index + 1] ?? 0);
  const kept = { one: new Set<number>(), other: new Set<number>() };
  for (let [row, index] = [0, 0]; row < one.length && index < other.length; ) {
    const isSame = one[row] === other[index];
    if (isSame) {
      kept.one.add(row);
      kept.other.add(index);
    }
    const isDown = (lengths[(row + 1) * width + index] ?? 0) >= (lengths[row * width + index + 1] ?? 0);
    if (isSame || isDown) row += 1;
    if (isSame || !isDown) index += 1;
  }
  return kept;
}
