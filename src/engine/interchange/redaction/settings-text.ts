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
  for (const line of text.split(LINE_END)) {
    const content = line.replace(/[\r\n]{1,2}$/, "");
    const end = line.slice(content.length);
    const continued: Setting | null = latest === null ? null : continuedBy(latest, content);
    if (continued !== null) {
      pieces.push((continued.isSecret && content.trim() !== "" ? indentOf(content) + REDACTED : content) + end);
      latest = continued;
      continue;
    }
    const next: Setting | null = settingIn(content);
    if (next === null && !OTHER.test(content)) return null;
    latest = next ?? latest;
    pieces.push((next === null ? content : shownSetting(next, redact)) + end);
  }
  return latest === null ? null : pieces.join("");
}

interface Setting {
  readonly indent: number;
  /** The text before the value. */
  readonly before: string;
  readonly value: string;
  readonly isSecret: boolean;
  /** Whether the line ends with a backslash. */
  readonly isOpen: boolean;
}

const FIRST_LINE = /^[^\r\n]*/;
const LINE_END = /(?<=\n|\r(?!\n))/;

/** Comments, sections, separators of documents, and empty lines. */
const OTHER = /^[ \t\ufeff]*(?:$|[#;!]|\/\/|\[[^[\]]{1,200}\][ \t]*$|---|\.\.\.)/;

const SETTING =
  /^([ \t\ufeff]*(?:[#;!]{1,8}[ \t]*)?(?:-[ \t]+)?(?:(?:export|set|setx|env|arg)[ \t]+)?(?:\$env:)?["']?([A-Za-z_$][\w.$[\]/-]{0,255})["']?[ \t]*(?:=(?![=>])|:(?=[ \t]|$))[ \t]*)(|\S[\s\S]*)$/i;

/** A value over several lines (YAML 1.2, 8.1), or a list or mapping in the next lines. */
const BLOCK = /^(?:[|>][-+\d]{0,3})?[ \t]*$/;

function settingIn(line: string): Setting | null {
  const [, before = "", name = "", value = ""] = SETTING.exec(line) ?? [];
  if (before === "") return null;
  return { indent: indentOf(line).length, before, value, isSecret: isNamed(name), isOpen: value.endsWith("\\") };
}

/** The setting, if the line continues its value. */
function continuedBy(setting: Setting, line: string): Setting | null {
  const { isOpen, isSecret, value, indent } = setting;
  const isBelow = isSecret && BLOCK.test(value) && (line.trim() === "" || indentOf(line).length > indent);
  return isOpen || isBelow ? { ...setting, isOpen: line.endsWith("\\") } : null;
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

/** An entry of a mapping between braces, whose name and value have no quotes (YAML 1.2, 7.4). */
const ENTRY = /([{,][ \t]{0,8}([A-Za-z_$][\w.$-]{0,63})[ \t]{0,8}:[ \t]{1,8})[^\s,{}[\]"'][^,{}[\]]{0,4000}/g;

function redactedEntry(whole: string, before: string, name: string): string {
  return isNamed(name) ? before + REDACTED : whole;
}
