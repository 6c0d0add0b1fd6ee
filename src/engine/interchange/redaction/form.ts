import { REDACTED, type Redact, redactedWithin, withoutPercents } from "./nested.ts";
import { isSecretName } from "./secret-name.ts";

/** `name=value&…` text without values of secret names; everything else is unchanged byte by byte. */
export function redactedFormBy(form: string, redact: Redact): string {
  const pairs = form.split("&").map(pairOf);
  const isGrant = hasGrant(pairs.map(({ name }) => name));
  return pairs
    .map(({ raw, name, equals }) => {
      if (equals < 0) return redactedWithin(raw, redact);
      const value = raw.slice(equals + 1);
      // The name is redacted, too: if JSON is sent as a form, all of it may be a name without a value.
      const before = `${redactedValue(raw.slice(0, equals), redact)}=`;
      if (value === "") return before;
      const isSecret = isSecretName(name) || /^code$/i.test(name) || (isGrant && /^state$/i.test(name));
      return before + (isSecret ? REDACTED : redactedValue(value, redact));
    })
    .join("&");
}

/** Whether there is a name beside which `state` is a secret (RFC 6749, 4.1.2 and 4.2.2). */
function hasGrant(names: readonly string[]): boolean {
  return names.some((name) => /^(?:code|access_token|id_token)$/i.test(name));
}

interface Pair {
  readonly raw: string;
  /** The name, percent-decoded twice, without any part of a URL that precedes the name. */
  readonly name: string;
  /** The position of the `=` before the value; -1 if there is none. */
  readonly equals: number;
}

function pairOf(raw: string): Pair {
  const equals = raw.indexOf("=");
  const name = equals < 0 ? raw : raw.slice(0, equals);
  const plain = withoutPercents(withoutPercents(name.replaceAll("+", " ")));
  return { raw, name: plain.replace(BEFORE_NAME, ""), equals };
}

/** Matches the part of a URL that precedes a parameter's name. */
const BEFORE_NAME = /^.*[?#;/]/s;

/**
 * Redacts a value as it is, then with its pluses as spaces: forms write spaces as pluses, but base64 contains pluses of
 * its own.
 */
function redactedValue(value: string, redact: Redact): string {
  const redacted = redactedWithin(value, redact);
  const spaced = redacted.replaceAll("+", "%20");
  if (spaced === redacted || /^[\w+/ -]+={0,2}$/.test(redacted)) return redacted;
  const both = redactedWithin(spaced, redact);
  return both === spaced ? redacted : both;
}
