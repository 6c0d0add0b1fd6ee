import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Milliseconds } from "../../../../src/engine/model/units.ts";

/** docs/security.md S1: a code is good for so long. */
const GOOD_FOR: Milliseconds = 60_000;

/** When it ends (epoch ms), a nonce of 16 bytes, and the HMAC of both under the ticket. */
const CODE = /^open(\d{13})([\w-]{22})([\w-]{43})$/;

/** A code in place of the ticket, for an address that other users of the computer could read. `now`: epoch ms. */
export function oneUseCode(ticket: string, now: number): string {
  const content = `${Math.floor(now) + GOOD_FOR}${randomBytes(16).toString("base64url")}`;
  return `open${content}${macOf(ticket, content)}`;
}

/** Accepts each code of a ticket once, until it ends. */
export class OneUseCodes {
  readonly #ticket: string;
  readonly #used = new Map<string, number>();

  constructor(ticket: string) {
    this.#ticket = ticket;
  }

  /** Whether the code is good; it is used from then on. `now`: epoch ms. */
  use(code: string, now: number): boolean {
    for (const [used, end] of this.#used) if (end < now) this.#used.delete(used);
    const [, end = "", nonce = "", mac = ""] = CODE.exec(code) ?? [];
    const right = macOf(this.#ticket, `${end}${nonce}`);
    if (mac.length !== right.length || !timingSafeEqual(Buffer.from(mac), Buffer.from(right))) return false;
    if (now > Number(end) || this.#used.has(code)) return false;
    this.#used.set(code, Number(end));
    return true;
  }
}

function macOf(ticket: string, content: string): string {
  return createHmac("sha256", ticket).update(`weir one-use code ${content}`).digest("base64url");
}
