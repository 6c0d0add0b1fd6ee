import { type Encounter, keyText, proofText, ticketText } from "../../engine/messages/window-key.ts";

/** A key of this page, in memory only: what a tab stores could be read by another program at the same address later. */
export interface PageKey {
  readonly id: string;
  readonly secret: string;
}

/** Whether this page can compute with keys. Browsers allow that over https and at loopback addresses alone. */
export function canHoldKey(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

export async function keyFrom(ticket: string, salt: string, origin: string): Promise<PageKey> {
  return Object.freeze({ id: salt, secret: await hmac(ticket, keyText(salt, origin)) });
}

/** The ticket that the running Weir accepts from this page after a reload. */
export function ticketFrom(key: PageKey, salt: string): Promise<string> {
  return hmac(key.secret, ticketText(salt));
}

/** The page's proof; `null` if the engine did not prove that it knows the key. */
export async function proofFor(key: PageKey, encounter: Encounter, engineProof: string): Promise<string | null> {
  if ((await hmac(key.secret, proofText("engine", encounter))) !== engineProof) return null;
  return hmac(key.secret, proofText("page", encounter));
}

export function drawnNonce(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

async function hmac(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  return base64url(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text))));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
