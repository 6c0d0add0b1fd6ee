/**
 * Decodes base64 text (RFC 4648, 4), ignoring white space and missing padding; `null` if it has any other character.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    return null;
  }
}
