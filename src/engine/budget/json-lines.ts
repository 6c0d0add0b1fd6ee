/**
 * The line, from 1, at which the value at `path` begins in a valid JSON text (RFC 8259). If `path` leads to no value,
 * the line of the last value that was found on the way.
 */
export function lineOf(text: string, path: readonly (string | number)[]): number {
  let at = skipped(text, 0);
  for (const step of path) {
    const next = childAt(text, at, step);
    if (next === null) break;
    at = next;
  }
  return lineAt(text, at);
}

/**
 * The first name that an object of a valid JSON text has twice, and the line of its second value; `null` if there is
 * none.
 */
export function repeatedNameIn(
  text: string,
): { readonly path: readonly (string | number)[]; readonly line: number } | null {
  /** The open objects with their names, and lists with `null`; `step` leads to the value that is being read. */
  const open: { readonly names: Set<string> | null; step: string | number }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const inner = open.at(-1);
    const sign = text[at];
    if (sign === "{") open.push({ names: new Set(), step: "" });
    else if (sign === "[") open.push({ names: null, step: 0 });
    else if (sign === "}" || sign === "]") open.pop();
    else if (sign === "," && typeof inner?.step === "number") inner.step += 1;
    else if (sign === '"') {
      const end = stringEnd(text, at);
      const colon = skipped(text, end);
      if (text[colon] === ":" && inner?.names != null) {
        inner.step = JSON.parse(text.slice(at, end)) as string;
        if (inner.names.has(inner.step))
          return { path: open.map(({ step }) => step), line: lineAt(text, skipped(text, colon + 1)) };
        inner.names.add(inner.step);
      }
      at = end - 1;
    }
  }
  return null;
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

/**
 * The offset of the value that `step` (a name or an index) selects in the object or array that begins at `at`; `null`
 * if there is none.
 */
function childAt(text: string, at: number, step: string | number): number | null {
  const isObject = text[at] === "{";
  if (!isObject && text[at] !== "[") return null;
  let next = skipped(text, at + 1);
  for (let index = 0; text[next] !== "}" && text[next] !== "]"; index += 1) {
    let name: string | number = index;
    if (isObject) {
      const end = stringEnd(text, next);
      name = JSON.parse(text.slice(next, end)) as string;
      next = skipped(text, skipped(text, end) + 1);
    }
    if (name === step) return next;
    next = skipped(text, valueEnd(text, next));
    if (text[next] === ",") next = skipped(text, next + 1);
  }
  return null;
}

function valueEnd(text: string, at: number): number {
  if (text[at] === '"') return stringEnd(text, at);
  let depth = 0;
  let end = at;
  do {
    const sign = text[end] as string;
    if (sign === '"') end = stringEnd(text, end) - 1;
    else if (sign === "{" || sign === "[") depth += 1;
    else if (sign === "}" || sign === "]") depth -= 1;
    end += 1;
  } while (end < text.length && (depth > 0 || !/[,}\]\s]/.test(text[end] as string)));
  return end;
}

function stringEnd(text: string, at: number): number {
  let end = at + 1;
  while (text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  return end + 1;
}

function skipped(text: string, at: number): number {
  let next = at;
  while (/\s/.test(text[next] ?? "")) next += 1;
  return next;
}
