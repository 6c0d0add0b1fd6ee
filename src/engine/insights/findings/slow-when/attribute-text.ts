import type { Finding } from "../../../model/finding.ts";
import { clientOf, quoted } from "../text.ts";

/** What an attribute's requests have in common, as a predicate: "have `?sort=price`", and "so do 3 others". */
export interface AttributeText {
  readonly predicate: string;
  readonly again: "do" | "are" | "did";
}

/** A value that stands for many. Other values are quoted as received. */
const RANGE = /^(?:present|absent|(?:at least|at most|from|not) .*)$/s;

/** An attribute of `slow-when` in words; the text is captured, on one line. */
export function attributeText({ name, value }: NonNullable<Finding["attribute"]>): AttributeText {
  const at = name.indexOf(":");
  const [sort, of] = at < 0 ? [name, ""] : [name.slice(0, at), name.slice(at + 1)];
  const said = quoted(value);
  switch (sort) {
    case "query":
      return have(RANGE.test(value) ? `parameter \`${quoted(of)}\`: ${said}` : `\`?${quoted(`${of}=${value}`)}\``);
    case "body":
      return have(`body field \`${quoted(of)}\`${RANGE.test(value) ? `: ${said}` : ` = \`${said}\``}`);
    case "cookie":
      return have(`cookie \`${quoted(of)}\`: ${said}`);
    case "path":
      return have(`path segment ${of}${RANGE.test(value) ? `: ${said}` : ` = \`${said}\``}`);
    case "while":
      return { predicate: `ran while \`${quoted(of)}\` was in flight`, again: "did" };
    case "first-use":
      return { predicate: `are the first for their ${partText(value)}`, again: "are" };
    case "client":
      return have(`client: ${clientOf(value)}`);
    default:
      return have(`${name}: ${said}`);
  }
}

function have(text: string): AttributeText {
  return { predicate: `have ${text}`, again: "do" };
}

/** The part of the request whose value is used for the first time, in words. */
function partText(part: string): string {
  const at = part.indexOf(":");
  const name = quoted(part.slice(at + 1));
  if (part.startsWith("path:")) return `path segment ${name}`;
  if (part.startsWith("query:")) return `value of parameter \`${name}\``;
  return part.startsWith("body:") ? `value of body field \`${name}\`` : "URL";
}
