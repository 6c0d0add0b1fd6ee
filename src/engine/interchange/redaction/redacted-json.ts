import { REDACTED } from "./known-secrets.ts";
import { isSecretName } from "./secret-name.ts";

/** `JSON` with the source text of numbers, which keeps the digits that a double cannot hold. */
const EXACT = JSON as unknown as {
  parse(text: string, revive: (name: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(source: string): { readonly rawJSON: string };
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/**
 * JSON (RFC 8259) without the values of secret names and without secrets in its names and strings, which `redact`
 * removes; the same text if there are none. Throws an error if the text is not JSON, is nested too deeply, or repeats a
 * name in an object, since parsing then keeps one value alone.
 */
export function redactedJson(text: string, redact: (text: string) => string): string {
  let isChanged = false;
  let memberCount = 0;
  const shown = <Value>(value: Value, redacted: Value): Value => {
    isChanged ||= value !== redacted;
    return redacted;
  };
  const value = EXACT.parse(text, (name, member, { source = "" }) => {
    if (typeof member === "string") return shown(member, redact(member));
    if (typeof member === "number") return EXACT.rawJSON(source);
    if (typeof member !== "object" || member === null || EXACT.isRawJSON(member)) return member;
    if (Array.isArray(member)) {
      const isItem = /^\d*$/.test(name);
      return member.map((item, index) => shown(item, isSecretItem(member, index, isItem) ? REDACTED : item));
    }
    const members = Object.entries(member);
    memberCount += members.length;
    const isSecret = secretMembersOf(members);
    return Object.fromEntries(
      members.map(([key, inner]) => [shown(key, redact(key)), shown(inner, isSecret(key, inner) ? REDACTED : inner)]),
    );
  });
  if (colonsIn(text) !== memberCount) throw new Error("a name is repeated");
  return isChanged ? JSON.stringify(value) + text.slice(text.trimEnd().length) : text;
}

/** The number of members that JSON text has: of the colons outside its strings. */
function colonsIn(text: string): number {
  let colons = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|:/gs)) if (token === ":") colons += 1;
  return colons;
}

/** The second string of a pair such as `["password", "x"]`, and each after the name of a header. */
function isSecretItem(list: readonly unknown[], index: number, isItem: boolean): boolean {
  const item = list[index];
  const before = list[index - 1];
  if (typeof before !== "string") return false;
  if (isItem && list.length === 2) return isSecretValue(before, item);
  // Some of these names are ordinary words outside a head, so that a text counts only if it can be nothing else.
  return typeof item === "string" && /^(?:authorization|cookie|\w*-[\w-]*)$/i.test(before) && isSecretName(before);
}

/** Tells secret members: by their names, by a member beside them that names them, and `code` of an OAuth grant. */
function secretMembersOf(members: readonly (readonly [string, unknown])[]): (name: string, value: unknown) => boolean {
  const titleIn = (names: RegExp) =>
    members.find(([name, value]) => typeof value === "string" && names.test(name) && isSecretName(value));
  const title = titleIn(/^(?:name|key|k|header|field|param|parameter|property|attribute|variable)$/i);
  // A label names no content, since it may be a caption.
  const label = title ?? titleIn(/^(?:id|label|type)$/i);
  const isGrant =
    members.some(([name, value]) => name === "code" && typeof value === "string") &&
    members.some(([name]) =>
      /^(?:client_?id|code_?verifier|grant_?type|redirect_?uri|session_?state|state)$/i.test(name),
    );
  return (name, value) =>
    isSecretValue(name, value) ||
    (/^(?:v|val|values|[a-z_]{0,32}value)$/i.test(name) && isSecretValue(String(label?.[1] ?? ""), value)) ||
    (/^(?:content|data|text)$/i.test(name) && isSecretValue(String(title?.[1] ?? ""), value)) ||
    (isGrant && typeof value === "string" && /^(?:code|state)$/.test(name));
}

/** Whether the value is a secret by that name. Empty values, booleans, counts and the number of a pin are none. */
function isSecretValue(name: string, value: unknown): boolean {
  if (value === "" || value === null || typeof value === "boolean" || !isSecretName(name)) return false;
  if (typeof value === "string") return true;
  if (EXACT.isRawJSON(value))
    return value.rawJSON.length > (/pin$/i.test(name) ? 3 : 7) || !/(?:pin|s|key)$/i.test(name);
  return !/pin$/i.test(name) && Object.keys(value as object).length > 0;
}
