import asn1 from "node-forge/lib/asn1.js";

/**
 * One DER element (X.690). `value`: the elements of a constructed element, or the bytes of a primitive one as latin1
 * text, as forge stores them.
 */
export interface Der {
  readonly tagClass: number;
  readonly type: number;
  readonly value: string | readonly Der[];
}

const { UNIVERSAL, CONTEXT_SPECIFIC } = asn1.Class;
const { Type } = asn1;

export function sequence(...elements: Der[]): Der {
  return asn1.create(UNIVERSAL, Type.SEQUENCE, true, elements);
}

export function set(...elements: Der[]): Der {
  return asn1.create(UNIVERSAL, Type.SET, true, elements);
}

/** An object identifier. `dotted`: its dotted form, such as "2.5.29.17". */
export function objectIdentifier(dotted: string): Der {
  return asn1.create(UNIVERSAL, Type.OID, false, asn1.oidToDer(dotted).getBytes());
}

/** An integer from big-endian two's complement: the top bit of the first byte is the sign. */
export function integer(bytes: Uint8Array): Der {
  return asn1.create(UNIVERSAL, Type.INTEGER, false, latin1(bytes));
}

/** The BOOLEAN TRUE, which is 0xff in DER. FALSE is never written, because DER omits default values. */
export function yes(): Der {
  return asn1.create(UNIVERSAL, Type.BOOLEAN, false, "\xff");
}

export function nothing(): Der {
  return asn1.create(UNIVERSAL, Type.NULL, false, "");
}

export function utf8(text: string): Der {
  return asn1.create(UNIVERSAL, Type.UTF8, false, latin1(Buffer.from(text, "utf8")));
}

export function octets(bytes: Uint8Array): Der {
  return asn1.create(UNIVERSAL, Type.OCTETSTRING, false, latin1(bytes));
}

/** A bit string. `unused`: how many low bits of the last byte do not count. */
export function bits(bytes: Uint8Array, unused = 0): Der {
  return asn1.create(UNIVERSAL, Type.BITSTRING, false, String.fromCharCode(unused) + latin1(bytes));
}

/** A time (RFC 5280, 4.1.2.5): years have two digits until 2049, four from 2050 on. */
export function time(at: Date): Der {
  return at.getUTCFullYear() < 2050
    ? asn1.create(UNIVERSAL, Type.UTCTIME, false, asn1.dateToUtcTime(at))
    : asn1.create(UNIVERSAL, Type.GENERALIZEDTIME, false, asn1.dateToGeneralizedTime(at));
}

/** `[tag] EXPLICIT`: an element with this tag that contains `element`. */
export function explicit(tag: number, element: Der): Der {
  return asn1.create(CONTEXT_SPECIFIC, tag, true, [element]);
}

/** `[tag] IMPLICIT`: a primitive element with these bytes and this tag. The tag replaces that of the element's type. */
export function implicit(tag: number, bytes: Uint8Array): Der {
  return asn1.create(CONTEXT_SPECIFIC, tag, false, latin1(bytes));
}

export function encoded(element: Der): Buffer {
  return Buffer.from(asn1.toDer(element).getBytes(), "latin1");
}

/** Decodes DER; throws on invalid bytes. Pass only bytes that a parser of certificates or keys has accepted. */
export function decoded(bytes: Uint8Array): Der {
  return asn1.fromDer(latin1(bytes), { decodeBitStrings: false });
}

/** The elements of a constructed element; none for a primitive one. */
export function elementsOf(element: Der): readonly Der[] {
  return typeof element.value === "string" ? [] : element.value;
}

/**
 * The bytes of a primitive element, without tag and length. The first byte of a bit string is the number of unused
 * bits.
 */
export function bytesOf(element: Der): Buffer {
  return Buffer.from(typeof element.value === "string" ? element.value : "", "latin1");
}

export function dottedOf(element: Der): string {
  return asn1.derToOid(bytesOf(element).toString("latin1"));
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
