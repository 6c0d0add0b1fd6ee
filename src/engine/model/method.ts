/** RFC 9110, 9.2.1: the methods that request no change on the server. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);
