import * as fc from "fast-check";
import { seededRandom } from "../../src/engine/stats/seeded-random.ts";

/**
 * Bytes of a drawn length. The bytes follow from one drawn number: drawing each by itself takes a hundred times as
 * long.
 */
export function drawnBytes(minLength: number, maxLength: number): fc.Arbitrary<Buffer> {
  return fc.tuple(fc.integer({ min: minLength, max: maxLength }), fc.nat()).map(([length, seed]) => {
    const random = seededRandom(seed);
    return Buffer.from(Uint32Array.from({ length: Math.ceil(length / 4) }, () => 2 ** 32 * random()).buffer, 0, length);
  });
}
