/* Pure globals of browsers and Node.js that the language's library does not declare. No clock: time is an argument. */

declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean });
  /** Throws a TypeError if `fatal` and malformed. */
  decode(bytes: Uint8Array): string;
}

declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
}

/** The bytes of base64 text as latin1 text. */
declare function atob(base64: string): string;
