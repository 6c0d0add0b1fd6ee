/** An attribute of a tag. */
export interface Attribute {
  /** The name without its namespace prefix. */
  readonly name: string;
  /** The range of the value inside the quotes. */
  readonly from: number;
  readonly to: number;
  /** "" if the value has no quotes. */
  readonly quote: string;
  readonly value: string;
}

/** The attributes of a tag from the offset `from` on, and the offset at which the tag ends. */
export function attributesAt(
  text: string,
  from: number,
): { readonly end: number; readonly attributes: readonly Attribute[] } {
  const attributes: Attribute[] = [];
  let at = from;
  while (at < text.length && text[at] !== ">" && text[at] !== "<") {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(text);
    if (found === null) {
      at += 1;
      continue;
    }
    const [whole, name = "", , raw = ""] = found;
    at += whole.length;
    const quote = raw.startsWith('"') || raw.startsWith("'") ? (raw[0] ?? "") : "";
    const isCut = quote !== "" && (raw.length === 1 || !raw.endsWith(quote));
    const value = quote === "" ? raw : raw.slice(1, isCut ? undefined : -1);
    const to = isCut ? at : at - quote.length;
    if (raw !== "") attributes.push({ name: localName(name), from: to - value.length, to, quote, value });
  }
  return { end: at, attributes };
}

const ATTRIBUTE = /([^\s=/>"'<]+)(?:([\s]*=[\s]*)("[^"]*"?|'[^']*'?|[^\s"'<>]+))?/y;

/** The name without its namespace prefix. */
export function localName(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1);
}

/**
 * The value with its quotes escaped. A value without quotes gets quotes if it now contains characters that need them.
 */
export function quoted(shown: string, quote: string): string {
  if (quote === "") return /[\s"'<>`]/.test(shown) ? `"${shown.replaceAll('"', "&quot;")}"` : shown;
  return shown.replaceAll(quote, quote === '"' ? "&quot;" : "&#39;");
}
