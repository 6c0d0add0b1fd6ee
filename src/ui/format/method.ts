/** RFC 9110, section 9.2.1: methods that request no change on the server. */
const SAFE = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

export function isSafeMethod(method: string): boolean {
  return SAFE.has(method);
}
