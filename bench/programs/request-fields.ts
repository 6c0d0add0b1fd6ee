import { CLIENT_FIELDS } from "./connection.ts";

/** RFC 7541, appendix A: the index of each name in the static table. */
const NAMES: Readonly<Record<string, number>> = {
  ":authority": 1,
  "accept-language": 17,
  accept: 19,
  cookie: 32,
  "user-agent": 58,
};
/** `:method: GET` and `:scheme: https` in the static table. */
const GET_HTTPS = [0x82, 0x87];
const PATH = 4;
/** Index of the newest entry in the dynamic table. */
const NEWEST = 62;

/**
 * Field blocks for the requests of a connection (RFC 7541), in sending order. The first block adds the constant fields
 * to the dynamic table; the others refer to them, as in browsers.
 */
export class RequestFields {
  readonly #same: readonly (readonly [name: string, value: string])[];
  #isFirst = true;

  constructor(authority: string) {
    this.#same = [[":authority", authority], ...CLIENT_FIELDS];
  }

  next(path: string): Buffer {
    const start = Buffer.concat([Buffer.from(GET_HTTPS), literal(PATH, path)]);
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    const { length } = this.#same;
    const rest = this.#same.map(([name, value], index) =>
      isFirst ? literal(0x40 | nameOf(name), value) : Buffer.from([0x80 | (NEWEST + length - 1 - index)]),
    );
    return Buffer.concat([start, ...rest]);
  }
}

function nameOf(name: string): number {
  const index = NAMES[name.toLowerCase()];
  if (index === undefined) throw new Error(`${name} has no place in the table`);
  return index;
}

/** Only for values shorter than 127 bytes, whose length fits in one byte. */
function literal(first: number, value: string): Buffer {
  if (value.length > 126) throw new Error(`too long: ${value}`);
  return Buffer.concat([Buffer.from([first, value.length]), Buffer.from(value, "latin1")]);
}
