import { isRecord, jsonOf } from "../../model/json.ts";

/** The claims of a signed JSON Web Token, which anyone can decode (RFC 7519, 4); `null` if the value is none. */
export function claimsOf(value: string): Readonly<Record<string, unknown>> | null {
  const [, payload] = /^eyJ[\w-]*\.([\w-]+)\.[\w-]*$/.exec(value) ?? [];
  const claims = payload === undefined ? null : jsonOf(textOfBase64Url(payload));
  return isRecord(claims) ? claims : null;
}

/** Decodes base64url text (RFC 4648, 5); "" if it is invalid. */
function textOfBase64Url(text: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(text, { alphabet: "base64url" }));
  } catch {
    return "";
  }
}
