import { resolvedUrl } from "../links/resolved-url.ts";
import { responseField } from "./request.ts";
import type { Request } from "./traffic.ts";

/** What a redirect changes in every URL that it is for, such as "http to https" or "/shop/ to /store/"; else `null`. */
export function ruleOf(request: Request): string | null {
  const url = `${request.origin}${request.path}`;
  const from = partsOf(url);
  const to = partsOf(resolvedUrl(url, responseField(request, "location") ?? "") ?? "");
  const path = from === null || to === null ? null : pathChange(from.path, to.path);
  if (from === null || to === null || path === null) return null;
  const parts = [changeOf(from.scheme, to.scheme), changeOf(from.host, to.host), path].filter((part) => part !== "");
  return parts.length === 0 ? null : parts.join(", ");
}

interface Parts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
}

/** The parts of an absolute URL, the host without its port; `null` if it is none. */
function partsOf(url: string): Parts | null {
  const [, scheme, host, path] = /^([a-z]+):\/\/([^/?#]+?)(?::\d+)?(\/[^?#]*)?(?:[?#]|$)/i.exec(url) ?? [];
  return scheme === undefined || host === undefined ? null : { scheme, host, path: path ?? "/" };
}

function changeOf(from: string, to: string): string {
  return from === to ? "" : `${from} to ${to}`;
}

/** How the path changes in the same way for other paths: "" if not at all, `null` if it is another path. */
function pathChange(from: string, to: string): string | null {
  if (from === to) return "";
  if (`${from}/` === to) return "a slash added";
  if (from === `${to}/`) return "a slash removed";
  const [left, right] = [from.split("/"), to.split("/")];
  let same = 0;
  while (same < Math.min(left.length, right.length) - 1 && left.at(-1 - same) === right.at(-1 - same)) same += 1;
  const kept = left.slice(left.length - same).filter((segment) => segment !== "");
  if (kept.length === 0) return null;
  return `${startOf(left, same)} to ${startOf(right, same)}`;
}

/** The path without its last `count` segments. */
function startOf(segments: readonly string[], count: number): string {
  return `${segments.slice(0, segments.length - count).join("/")}/`;
}
