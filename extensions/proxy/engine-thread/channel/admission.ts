import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import * as v from "valibot";
import { type Encounter, keyText, proofText, ticketText } from "../../../../src/engine/messages/window-key.ts";
import { jsonOf } from "../../../../src/engine/model/json.ts";
import type { Milliseconds } from "../../../../src/engine/model/units.ts";
import type { WindowKey, WindowKeys } from "../../storage/window-keys.ts";

/** The most tickets of pages for their reload; the oldest goes. */
const MOST_TICKETS = 64;

const short = v.pipe(v.string(), v.maxLength(200));
const nonce = v.pipe(v.string(), v.regex(/^[\w-]{22,64}$/));
const first = v.union([
  v.object({ type: v.literal("hello"), ticket: short, keyed: v.optional(v.boolean(), false) }),
  v.object({ type: v.literal("hello"), key: short, nonce }),
]);
const second = v.object({ type: v.literal("proof"), proof: short });

/** What follows from a message. `reply`: JSON to send first. */
export type Admitted =
  | { readonly kind: "admitted"; readonly reply: string | null }
  | { readonly kind: "asked"; readonly reply: string }
  | { readonly kind: "refused" };

const REFUSED: Admitted = Object.freeze({ kind: "refused" });

interface AdmissionOptions {
  readonly ticket: string;
  readonly keys: WindowKeys;
  readonly version: string;
  /** Epoch ms. */
  readonly now: () => number;
}

/** Decides which clients may use the channel: by a ticket of this start, or by the proof of a key (S1, S2). */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #tickets: string[] = [];
  readonly #codes: OneUseCodes;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#codes = new OneUseCodes(options.ticket);
  }

  /**
   * A new connection of a page at this origin. Returns what to do with each of its messages until it is admitted.
   * `isNumeric`: whether the origin is this server's own numeric address and port. At a name, or through a forwarded
   * port, another user's program may answer while Weir is not running, and pass a later start's challenge on. So keys
   * outlive a start only where `isNumeric` is true.
   */
  visitFrom(origin: string, isNumeric: boolean): (text: string) => Admitted {
    let challenge: { readonly key: WindowKey; readonly encounter: Encounter } | null = null;
    return (text) => {
      // Each challenge is good for the one message after it.
      const open = challenge;
      challenge = null;
      if (open !== null) return this.#prove(open, text);
      const message = v.safeParse(first, jsonOf(text));
      if (!message.success) return REFUSED;
      if ("ticket" in message.output) return this.#byTicket(origin, isNumeric, message.output);
      const key = this.#options.keys.find(message.output.key, origin, this.#options.now());
      if (key === null || (key.isLasting && !isNumeric)) return REFUSED;
      const encounter = { origin, key: key.id, pageNonce: message.output.nonce, engineNonce: drawn() };
      challenge = { key, encounter };
      const proof = hmac(key.secret, proofText("engine", encounter));
      return { kind: "asked", reply: JSON.stringify({ type: "challenge", nonce: encounter.engineNonce, proof }) };
    };
  }

  #byTicket(origin: string, isLasting: boolean, shown: { readonly ticket: string; readonly keyed: boolean }): Admitted {
    const { ticket, keys, now } = this.#options;
    const known =
      [ticket, ...this.#tickets].find((each) => isEqual(shown.ticket, each)) ??
      (this.#codes.use(shown.ticket, now()) ? shown.ticket : undefined);
    if (known === undefined) return REFUSED;
    if (!shown.keyed) return { kind: "admitted", reply: null };
    const salt = drawn();
    const secret = hmac(known, keyText(salt, origin));
    keys.put({ id: salt, secret, origin, isLasting, usedAt: now() });
    return this.#admitted(secret, salt);
  }

  #prove({ key, encounter }: { readonly key: WindowKey; readonly encounter: Encounter }, text: string): Admitted {
    const message = v.safeParse(second, jsonOf(text));
    if (!message.success) return REFUSED;
    if (!isEqual(message.output.proof, hmac(key.secret, proofText("page", encounter)))) return REFUSED;
    this.#options.keys.put({ ...key, usedAt: this.#options.now() });
    return this.#admitted(key.secret, drawn());
  }

  #admitted(secret: string, salt: string): Admitted {
    this.#tickets.push(hmac(secret, ticketText(salt)));
    this.#tickets.splice(0, Math.max(0, this.#tickets.length - MOST_TICKETS));
    return { kind: "admitted", reply: JSON.stringify({ type: "key", salt, version: this.#options.version }) };
  }
}

function drawn(): string {
  return randomBytes(32).toString("base64url");
}

export function hmac(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64url");
}

/** Compares in constant time (S1). */
function isEqual(shown: string, right: string): boolean {
  const [one, other] = [Buffer.from(shown), Buffer.from(right)];
  return right !== "" && one.length === other.length && timingSafeEqual(one, other);
}

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
