/** Decodes base64 text (RFC 4648, 4). White space and missing padding are allowed. `null` for any other text. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    return null;
  }
}
