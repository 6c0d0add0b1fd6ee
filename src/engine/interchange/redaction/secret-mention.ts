import { REDACTED } from "./nested.ts";
import { isSecretName } from "./secret-name.ts";

/** Whether text that was not parsed still contains a secret name with a value, in any quotes. */
export function mentionsSecret(text: string): boolean {
  for (const [, name = "", value = ""] of text.matchAll(MENTION)) {
    if (!value.startsWith(REDACTED) && !NOTHING.test(value) && isSecretName(name)) return true;
  }
  return false;
}

/**
 * Matches a name of at most 64 characters, a limited number of quotes and backslashes, a separator, and the start of a
 * value. That start may be the next name.
 */
const MENTION =
  /([A-Za-z][\w$.-]{0,63})[\\"' \t]{0,16}(?:[:=]|%(?:25){0,16}3[ad])(?=[\s\\"'[{]{0,16}([^\s\\"'[{]{1,8}))/gi;

const NOTHING = /^(?:true|false|null|undefined|[,;}\])])/;
