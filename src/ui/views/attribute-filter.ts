import { endpointAt } from "../../engine/model/endpoint.ts";
import type { Finding } from "../../engine/model/finding.ts";

/** Names that the filter language takes without quotes. */
const PLAIN_NAME = /^[\w.-]{1,80}$/;

/** A value that stands for many, such as a range. */
const MANY = /^(?:at least|at most|from|not) /;

/** The filter's key for each kind of part that has a name. */
const KEYS: Readonly<Record<string, string>> = { query: "q", "request-header": "req", "response-header": "resp" };

/** A filter by a finding's endpoint and attribute, for Traffic; "" if the filter language cannot say it. */
export function attributeFilterOf({ endpoint, attribute }: Pick<Finding, "endpoint" | "attribute">): string {
  if (endpoint === null || attribute === null) return "";
  const { method, origin, path, operation } = endpoint;
  const term = termOf(attribute, path);
  const name = endpointAt(method, origin, path, attribute.name === "operation" ? null : operation);
  return term === "" || name.includes('"') ? "" : `endpoint:"${name}" ${term}`;
}

function termOf({ name, value }: NonNullable<Finding["attribute"]>, path: string): string {
  const at = name.indexOf(":");
  const [sort, of] = at < 0 ? [name, ""] : [name.slice(0, at), name.slice(at + 1)];
  if (value.includes('"') || MANY.test(value)) return "";
  const key = KEYS[sort];
  if (key !== undefined) {
    if (!PLAIN_NAME.test(of)) return "";
    if (value === "absent") return `-${key}.${of}:`;
    return value === "present" ? `${key}.${of}:` : `${key}.${of}:"${value}"`;
  }
  switch (sort) {
    case "cookie":
      return PLAIN_NAME.test(of) ? `${value === "absent" ? "-" : ""}req.cookie:"${of}="` : "";
    case "path":
      return `path:"${aroundSegment(path, Number(of), value)}"`;
    case "status":
    case "protocol":
      return `${sort}:${value}`;
    default:
      return "";
  }
}

/** The value between its neighbours, as far as these are literals: "/t/acme/". */
function aroundSegment(path: string, index: number, value: string): string {
  const segments = path.split("/");
  const before = segments[index - 1];
  const start = before === undefined || before === "" || before === "{id}" ? "/" : `/${before}/`;
  return `${start}${value}${index === segments.length - 1 ? "" : "/"}`;
}
