import { isNamed } from "./code.ts";
import { REDACTED, type Redact } from "./nested.ts";

/**
 * Removes values of secret names from settings in lines, `name = value` or `name: value` (INI, properties, environment
 * files, simple YAML); `null` for text with any other line. A value ends with its line, or with the lines that continue
 * it.
 */
export function redactedSettingsBy(text: string, redact: Redact): string | null {
  const first = FIRST_LINE.exec(text)?.[0] ?? "";
  if (settingIn(first) === null && !OTHER.test(first)) return null;
  const pieces: string[] = [];
  let latest: Setting | null = null;
  let isTitled = false;
  for (const line of text.split(LINE_END)) {
    const content = line.replace(/[\r\n]{1,2}$/, "");
    const end = line.slice(content.length);
    const continued: Setting | null = latest === null ? null : continuedBy(latest, content);
    if (continued !== null) {
      pieces.push((continued.isSecret && content.trim() !== "" ? indentOf(content) + REDACTED : content) + end);
      latest = continued;
      continue;
    }
    const found: Setting | null = settingIn(content);
    if (found === null && !OTHER.test(content)) return null;
    if (found !== null) isTitled = titles(found) ?? (isTitled && !found.isItem);
    const next = found !== null && isTitled && VALUE.test(found.name) ? { ...found, isSecret: true } : found;
    latest = next ?? latest;
    pieces.push((next === null ? content : shownSetting(next, redact)) + end);
  }
  return latest === null ? null : pieces.join("");
}

interface Setting {
  readonly name: string;
  /** Whether the setting begins an item of a list. */
  readonly isItem: boolean;
  readonly indent: number;
  /** The text before the value. */
  readonly before: string;
  readonly value: string;
  readonly isSecret: boolean;
  /** Whether the next line continues the value: after a backslash, or up to closing quotes. */
  readonly isOpen: boolean;
  /** Three quotes around a value of several lines (TOML 1.0, String); "" around any other value. */
  readonly quotes: string;
}

const FIRST_LINE = /^[^\r\n]*/;
const LINE_END = /(?<=\n|\r(?!\n))/;

/** Comments, sections, separators of documents, and empty lines. */
const OTHER = /^[ \t\ufeff]*(?:$|[#;!]|\/\/|\[[^[\]]{1,200}\][ \t]*$|---|\.\.\.)/;

const SETTING =
  /^([ \t\ufeff]*(?:[#;!]{1,8}[ \t]*)?(?:-[ \t]+)?(?:(?:export|set|setx|env|arg)[ \t]+)?(?:\$env:)?["']?([A-Za-z_$][\w.$[\]/-]{0,255})["']?[ \t]*(?:=(?![=>])|:(?=[ \t]|$))[ \t]*)(|\S[\s\S]*)$/i;

const QUOTES = /^(?:"""|''')/;
const ITEM = /^[ \t]*-[ \t]/;

/**
 * Settings that give a name to the value beside them, as in a list of variables: `name: DB_PASSWORD`, and below it
 * `value: x`.
 */
const TITLE = /^(?:name|key)$/i;
const VALUE = /^value$/i;

/** Whether a setting gives a secret name to a value beside it; `null` if it gives no name. */
function titles({ name, value }: Setting): boolean | null {
  return TITLE.test(name) ? isNamed(value.replaceAll(/["']/g, "").trim()) : null;
}

/**
 * The text after a setting's name if its value follows on further lines: a YAML 1.2 block (8.1), a list or a mapping.
 */
const BLOCK = /^(?:[|>][-+\d]{0,3})?[ \t]*$/;

function settingIn(line: string): Setting | null {
  const [, before = "", name = "", value = ""] = SETTING.exec(line) ?? [];
  if (before === "") return null;
  const [quotes = ""] = QUOTES.exec(value) ?? [];
  const isOpen = quotes === "" ? value.endsWith("\\") : !value.includes(quotes, quotes.length);
  const indent = indentOf(line).length;
  return { name, isItem: ITEM.test(line), indent, before, value, isSecret: isNamed(name), isOpen, quotes };
}

/** The setting's new state if the line continues the setting's value; else `null`. */
function continuedBy(setting: Setting, line: string): Setting | null {
  const { isOpen, isSecret, value, indent, quotes } = setting;
  const isBelow = isSecret && BLOCK.test(value) && (line.trim() === "" || indentOf(line).length > indent);
  const goesOn = quotes === "" ? line.endsWith("\\") : !line.includes(quotes);
  return isOpen || isBelow ? { ...setting, isOpen: goesOn } : null;
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function shownSetting({ before, value, isSecret }: Setting, redact: Redact): string {
  if (!isSecret) return before + shownValue(value, redact);
  return before + (NOTHING.test(value) || BLOCK.test(value) ? value : REDACTED);
}

const NOTHING = /^(?:|""|''|true|false|null|~)[ \t]*$/i;

function shownValue(value: string, redact: Redact): string {
  const shown = redact(value);
  return /^[{[]/.test(shown) ? shown.replaceAll(ENTRY, redactedEntry) : shown;
}

/** Matches `name: value` without quotes, as an entry of a mapping in braces (YAML 1.2, 7.4). */
const ENTRY = /([{,][ \t]{0,8}([A-Za-z_$][\w.$-]{0,63})[ \t]{0,8}:[ \t]{1,8})[^\s,{}[\]"'][^,{}[\]]{0,4000}/g;

function redactedEntry(whole: string, before: string, name: string): string {
  return isNamed(name) ? before + REDACTED : whole;
}
