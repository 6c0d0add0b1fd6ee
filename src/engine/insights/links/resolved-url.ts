/**
 * A URL in parts (RFC 3986, 3). The authority is in lower case, without user information, and without the scheme's
 * default port.
 */
interface Parts {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
}

/**
 * Resolves a reference in a document at `base` to an absolute URL without fragment (RFC 3986, 5.2). The scheme `ws`
 * becomes `http`, and `wss` becomes `https`. `null` for schemes other than these four.
 */
export function resolvedUrl(base: string, reference: string): string | null {
  return resolverAt(base)(reference);
}

/** The absolute URL in the form that `resolvedUrl` gives; unchanged if it has another scheme. */
export function normalizedUrl(url: string): string {
  const parts = partsOf(url);
  return parts === null ? url : textOf(parts);
}

/** `resolvedUrl` for many references in one document. */
export function resolverAt(base: string): (reference: string) => string | null {
  let from: Parts | null | undefined;
  return (reference) => {
    const text = reference.trim().replace(/#.*/s, "");
    const own = partsOf(text);
    if (own !== null) return textOf(own);
    if (/^[a-z][a-z\d+.-]*:/i.test(text)) return null;
    from ??= partsOf(base);
    return from === null ? null : relativeTo(from, text);
  };
}

function relativeTo(from: Parts, text: string): string | null {
  if (text.startsWith("//")) return resolvedUrl("", `${from.scheme}:${text}`);
  const at = text.indexOf("?");
  const path = at < 0 ? text : text.slice(0, at);
  const query = at < 0 ? "" : text.slice(at);
  if (path === "") return textOf({ ...from, query: at < 0 ? from.query : query });
  const whole = path.startsWith("/") ? path : from.path.slice(0, from.path.lastIndexOf("/") + 1) + path;
  return textOf({ ...from, path: withoutDots(whole), query });
}

const ABSOLUTE = /^(https?|wss?):\/\/([^/?#\s]+)(\/[^?#\s]*)?(\?[^#\s]*)?$/i;

function partsOf(url: string): Parts | null {
  const found = ABSOLUTE.exec(url);
  if (found === null) return null;
  const [, scheme = "", host = "", path = "/", query = ""] = found;
  const secure = /^(?:https|wss)$/i.test(scheme);
  const authority = host
    .toLowerCase()
    .replace(/^.*@/, "")
    .replace(secure ? /:443$/ : /:80$/, "");
  return { scheme: secure ? "https" : "http", authority, path: withoutDots(path), query };
}

function textOf({ scheme, authority, path, query }: Parts): string {
  return `${scheme}://${authority}${path}${query}`;
}

/** Removes dot segments from a path (RFC 3986, 5.2.4). */
function withoutDots(path: string): string {
  if (!path.includes("/.")) return path;
  const kept: string[] = [];
  const segments = path.split("/");
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === "..") {
      if (kept.length > 1) kept.pop();
    } else if (segment !== ".") kept.push(segment);
    if (isLast && (segment === "." || segment === "..")) kept.push("");
  }
  return kept.join("/");
}
