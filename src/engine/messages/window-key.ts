/*
 * How a page that was left open proves to a later start of Weir that it is a window of an earlier one (docs/security.md
 * S1). Page and engine derive the key from the ticket, so it never travels. All values are base64url; `hmac` is
 * HMAC-SHA256 with a secret's characters as its key.
 *
 *   page ── hello(ticket) ──────────▶ engine        page ── hello(key id, nonce) ──────────▶ engine
 *   page ◀── key(salt) ───────────── engine        page ◀── challenge(nonce, proof) ────── engine
 *   both: key = hmac(ticket, keyText)              page ── proof ────────────────────────▶ engine
 *         its id is the salt                       page ◀── key(salt) ──────────────────── engine
 *   both, each time: the page's next ticket of this start = hmac(key, ticketText)
 *
 * The page forgets the ticket that the key came from: a program that serves the page's address after Weir has ended
 * could ask for the ticket and the key's id, and derive the key.
 */

/** The values of one connection, which a proof is bound to. */
export interface Encounter {
  /** Origin of the page: a proof for one origin is none for another. */
  readonly origin: string;
  readonly key: string;
  /** Numbers that each side drew for this connection alone. */
  readonly pageNonce: string;
  readonly engineNonce: string;
}

export function proofText(by: "engine" | "page", { origin, key, pageNonce, engineNonce }: Encounter): string {
  return ["weir proof", by, origin, key, pageNonce, engineNonce].join("\n");
}

export function keyText(salt: string, origin: string): string {
  return ["weir window key", salt, origin].join("\n");
}

export function ticketText(salt: string): string {
  return ["weir window ticket", salt].join("\n");
}
