/**
 * The values that each client has sent, kept as 32-bit hashes, since a session may send millions. If two values share a
 * hash, the second one counts as sent before, and its link is missed.
 */
export class SentValues {
  #slots = new Uint32Array(1 << 12);
  #count = 0;

  add(client: number, value: string): void {
    if (2 * this.#count >= this.#slots.length) this.#grow();
    if (put(this.#slots, hashOf(client, value))) this.#count += 1;
  }

  has(client: number, value: string): boolean {
    const hash = hashOf(client, value);
    return this.#slots[placeOf(this.#slots, hash)] === hash;
  }

  #grow(): void {
    const larger = new Uint32Array(2 * this.#slots.length);
    for (const hash of this.#slots) if (hash !== 0) put(larger, hash);
    this.#slots = larger;
  }
}

function put(slots: Uint32Array, hash: number): boolean {
  const place = placeOf(slots, hash);
  if (slots[place] === hash) return false;
  slots[place] = hash;
  return true;
}

/** The hash's slot in the table, or the free slot where it belongs (open addressing). */
function placeOf(slots: Uint32Array, hash: number): number {
  const mask = slots.length - 1;
  let place = (Math.imul(hash, 0x9e3779b1) >>> 8) & mask;
  while (slots[place] !== 0 && slots[place] !== hash) place = (place + 1) & mask;
  return place;
}

/** A hash of client and value (FNV-1a over the characters), never 0. */
function hashOf(client: number, value: string): number {
  let hash = Math.imul(0x811c9dc5 ^ client, 0x01000193);
  for (let at = 0; at < value.length; at += 1) hash = Math.imul(hash ^ value.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0 || 1;
}
