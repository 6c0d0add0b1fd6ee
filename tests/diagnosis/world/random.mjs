// Seeded random numbers: one seed gives one sequence.
import { createHash } from "node:crypto";

const TEXT =
  `account active area balance banner basket branch budget carrier center change channel client color comment country
  courier credit date default delivery detail device discount draft email entry event field group height history hotel image invoice
  label language level limit market member message method mobile model month notice number object office online option order
  owner package parcel partner payment person phone picture plan price product profile public quantity rating reason region
  return review route sample season sender service shelf shipment source state status stock store street summary supplier
  target ticket title total travel update user value vendor version weight window`.split(/\s+/);

/** A seeded generator (mulberry32). The seed is any text. */
export class Random {
  #state;
  constructor(seed) {
    this.#state = createHash("sha256").update(String(seed)).digest().readUInt32LE();
  }
  /** In [0, 1). */
  unit() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  between(low, high) {
    return low + this.unit() * (high - low);
  }
  /** Both ends included. */
  int(low, high) {
    return Math.floor(this.between(low, high + 1));
  }
  chance(share) {
    return this.unit() < share;
  }
  pick(list) {
    return list[Math.floor(this.unit() * list.length)];
  }
  lognormal(median, sigma) {
    const normal = Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit());
    return median * Math.exp(sigma * normal);
  }
  /** Text of `length` letters and digits. */
  token(length, alphabet = "abcdefghijkmnopqrstuvwxyzACDEFGHJKLMNPQRSTUVWXYZ23456789") {
    return Array.from({ length }, () => this.pick(alphabet)).join("");
  }
  hex(length) {
    return this.token(length, "0123456789abcdef");
  }
  digits(length) {
    return this.token(1, "123456789") + this.token(length - 1, "0123456789");
  }
  uuid() {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-a${this.hex(3)}-${this.hex(12)}`;
  }
  words(count) {
    return Array.from({ length: count }, () => this.pick(TEXT)).join(" ");
  }
  /** Records as an API returns them; `id` generates their ids. */
  records(count, id = () => this.hex(10)) {
    return Array.from({ length: count }, () => ({
      id: id(),
      title: this.words(3),
      amount: this.int(100, 99_999),
      note: this.words(6),
    }));
  }
}
