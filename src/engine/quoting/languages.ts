export const LANGUAGES = ["python", "javascript", "ruby", "go", "rust", "java", "php", "csharp", "json"] as const;

export type Language = (typeof LANGUAGES)[number];

/**
 * `value` as a double-quoted string literal that `language` reads back unchanged. Everything except printable ASCII is
 * escaped, so that the file's encoding does not matter. Lone surrogates become U+FFFD in Go, Rust, Ruby and PHP, which
 * have none.
 */
export function literal(value: string, language: Language): string {
  const spell = SPELLINGS[language];
  let text = '"';
  for (const character of value) {
    const point = character.codePointAt(0) ?? 0;
    if (character === '"' || character === "\\") text += `\\${character}`;
    else if (point >= 0x20 && point <= 0x7e) text += plain(character, language);
    else text += SHORT[character] ?? spell(point);
  }
  return `${text}"`;
}

/** The escapes that all nine languages know. */
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

const SPELLINGS: Readonly<Record<Language, (point: number) => string>> = {
  python: longOrShort,
  javascript: utf16,
  ruby: braced,
  go: (point) => longOrShort(real(point)),
  rust: braced,
  java: (point) => (point < 0x80 ? `\\${point.toString(8).padStart(3, "0")}` : utf16(point)),
  php: braced,
  csharp: utf16,
  json: utf16,
};

/** Escapes the characters with which Ruby and PHP interpolate variables within double quotes. */
function plain(character: string, language: Language): string {
  const interpolates = (language === "ruby" && character === "#") || (language === "php" && character === "$");
  return interpolates ? `\\${character}` : character;
}

function braced(point: number): string {
  return `\\u{${real(point).toString(16)}}`;
}

function longOrShort(point: number): string {
  return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
}

/**
 * Escapes a code point as one or two UTF-16 units. Not used for ASCII in Java, which translates `\uXXXX` before it
 * parses strings: `\u000a` would break the line.
 */
function utf16(point: number): string {
  if (point <= 0xffff) return `\\u${hex(point, 4)}`;
  return `\\u${hex(0xd7c0 + (point >> 10), 4)}\\u${hex(0xdc00 + (point & 0x3ff), 4)}`;
}

function real(point: number): number {
  return point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
