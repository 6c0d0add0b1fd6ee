/** The decoded pairs of a target's query, in order (WHATWG URL, application/x-www-form-urlencoded). */
export function queryPairsOf(target: string): readonly (readonly [name: string, value: string])[] {
  const at = target.indexOf("?");
  return at < 0 ? NONE : formPairsOf(target.slice(at + 1));
}

/** The decoded pairs of a form. */
export function formPairsOf(form: string): readonly (readonly [name: string, value: string])[] {
  const pairs = form.split("&").filter((pair) => pair !== "");
  return pairs.map((pair) => {
    const equals = pair.indexOf("=");
    const [name, value] = equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
    return [formDecoded(name), formDecoded(value)];
  });
}

const NONE: readonly never[] = Object.freeze([]);

/** Decodes a name or value of a form. Invalid percent-encoding stays as it is. */
export function formDecoded(text: string): string {
  return percentDecoded(text.replaceAll("+", " "));
}

/** Decodes percent-encoded text. Invalid text is returned unchanged. */
export function percentDecoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
