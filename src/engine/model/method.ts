/** RFC 9110, 9.2.1: methods that ask for no change on the server. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);
