import type { Finding } from "../../../model/finding.ts";
import { clientOf, inBytes, inTime, quoted } from "../text.ts";

/** What an attribute's requests have in common, as a predicate: "have `?sort=price`", and "so do 3 others". */
export interface AttributeText {
  readonly predicate: string;
  readonly again: "do" | "are" | "did";
}

/** A value that stands for many. Other values are quoted as received. */
const RANGE = /^(?:present|absent|(?:at least|at most|from|not) .*)$/s;

/** Words for the names of attributes. Other names are shown unchanged. */
const WORDS: Readonly<Record<string, string>> = {
  "request-header": "request header",
  "response-header": "response header",
  "server-address": "server address",
  "after-idle": "after idling",
  "request-size": "request size",
  "response-size": "response size",
  "in-flight": "requests in flight",
};

/** The numbers of a range with their units: "at least 169389 ms" becomes "at least 2 min 49 s". */
function rangeText(range: string): string {
  return range.replace(/\b(\d{1,15}) (ms|bytes)\b/g, (_, count: string, unit: string) =>
    unit === "ms" ? inTime(Number(count)) : inBytes(Number(count)),
  );
}

/** An attribute of `slow-when` in words; the text is captured, on one line. */
export function attributeText(attribute: NonNullable<Finding["attribute"]>): AttributeText {
  return textOf(attribute, (text) => `\`${text}\``);
}

/** An attribute's name for a title or a list, one form in all views: "?sort=price", "response header x-cache: MISS". */
export function attributeName(attribute: NonNullable<Finding["attribute"]>): string {
  return textOf(attribute, (text) => text).predicate.replace(/^(?:have|are|ran|came) /, "");
}

/** `code`: marks captured text as such. */
function textOf({ name, value }: NonNullable<Finding["attribute"]>, code: (text: string) => string): AttributeText {
  const at = name.indexOf(":");
  const [sort, of] = at < 0 ? [name, ""] : [name.slice(0, at), name.slice(at + 1)];
  const [said, isRange] = [quoted(value), RANGE.test(value)];
  switch (sort) {
    case "query":
      return have(isRange ? `parameter ${code(quoted(of))}: ${said}` : code(`?${quoted(`${of}=${value}`)}`));
    case "body":
      return have(`body field ${code(quoted(of))}${isRange ? `: ${said}` : ` = ${code(said)}`}`);
    case "cookie":
      return have(`cookie ${code(quoted(of))}: ${said}`);
    case "path":
      return have(`path segment ${of}${isRange ? `: ${said}` : ` = ${code(said)}`}`);
    case "request-header":
    case "response-header":
      return have(`${WORDS[sort]} ${isRange ? `${code(quoted(of))}: ${said}` : code(`${quoted(of)}: ${said}`)}`);
    case "while":
      return { predicate: `ran while ${code(quoted(of))} was in flight`, again: "did" };
    case "first-use":
      return { predicate: `are the first for their ${partText(value, code)}`, again: "are" };
    case "client":
      return have(`client: ${clientOf(value)}`);
    case "time-in-session":
      return { predicate: `came ${rangeText(said)} after the session's first request`, again: "did" };
    default:
      return have(`${WORDS[sort] ?? name}: ${isRange ? rangeText(said) : said}`);
  }
}

function have(text: string): AttributeText {
  return { predicate: `have ${text}`, again: "do" };
}

/** The part of the request whose value is used for the first time, in words. */
function partText(part: string, code: (text: string) => string): string {
  const at = part.indexOf(":");
  const name = quoted(part.slice(at + 1));
  if (part.startsWith("path:")) return `path segment ${name}`;
  if (part.startsWith("query:")) return `value of parameter ${code(name)}`;
  return part.startsWith("body:") ? `value of body field ${code(name)}` : "URL";
}
