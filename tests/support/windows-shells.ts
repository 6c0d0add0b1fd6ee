/* How the shells of Windows parse a line, according to their documentation. No such shell runs here. */

/**
 * A line typed into cmd, after cmd's changes: first `%name%` (an unknown name stays), then carets outside quotes. An
 * operator outside quotes throws.
 */
export function lineAfterCmd(line: string, variables: Readonly<Record<string, string>>): string {
  const expanded = line.replaceAll(/%([^%:\r\n]+)(:[^%\r\n]*)?%/g, (whole, name: string) => variables[name] ?? whole);
  let text = "";
  let inQuotes = false;
  for (let at = 0; at < expanded.length; at += 1) {
    const character = expanded[at] ?? "";
    if (character === '"') inQuotes = !inQuotes;
    if (character === "\n" || character === "\r") throw new Error("the line ends early");
    if (!inQuotes && character === "^") {
      at += 1;
      text += expanded[at] ?? "";
      continue;
    }
    if (!inQuotes && "&|<>()".includes(character)) throw new Error(`cmd would run ${character}`);
    text += character;
  }
  if (inQuotes) throw new Error("a quote stays open");
  return text;
}

/** How a program splits its command line into arguments, by the rules of Microsoft's C runtime. */
export function argumentsOf(line: string): string[] {
  const found: string[] = [];
  let current: string | null = null;
  let inQuotes = false;
  for (let at = 0; at < line.length; at += 1) {
    const slashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0;
    if (slashes > 0) {
      const beforeQuote = line[at + slashes] === '"';
      current = (current ?? "") + "\\".repeat(beforeQuote ? Math.floor(slashes / 2) : slashes);
      at += slashes - 1;
      if (!beforeQuote || slashes % 2 === 0) continue;
      current += '"';
      at += 1;
      continue;
    }
    const character = line[at] ?? "";
    if (character === '"') {
      inQuotes = !inQuotes;
      current ??= "";
    } else if (!inQuotes && /[ \t]/.test(character)) {
      if (current !== null) found.push(current);
      current = null;
    } else current = (current ?? "") + character;
  }
  if (current !== null) found.push(current);
  return found;
}

/**
 * The value of a PowerShell expression: a single-quoted string, or in parentheses a sum of such strings and
 * `[char]0x…`. A sum must start with a string, because a character plus a string is a number.
 */
export function valueInPowerShell(expression: string): string {
  const term =
    /^(?:\[char\]0x([0-9a-f]{1,4})|['\u2018-\u201b]((?:[^'\u2018-\u201b]|['\u2018-\u201b]{2})*)['\u2018-\u201b])/;
  const sum = expression.startsWith("(") && expression.endsWith(")");
  let rest = sum ? expression.slice(1, -1) : expression;
  let value = "";
  for (;;) {
    const [whole, code, text = ""] = term.exec(rest) ?? [];
    if (whole === undefined) throw new Error(`PowerShell cannot read: ${rest}`);
    if (code !== undefined && rest.length === expression.length - 2) throw new Error("PowerShell would add numbers");
    value += code === undefined ? text.replaceAll(/(['\u2018-\u201b])['\u2018-\u201b]/g, "$1") : unit(code);
    rest = rest.slice(whole.length);
    if (rest === "") return value;
    if (!sum || !rest.startsWith(" + ")) throw new Error(`PowerShell reads on: ${rest}`);
    rest = rest.slice(3);
  }
}

function unit(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}
