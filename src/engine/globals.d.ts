/*
 * Pure globals of browsers and Node.js that TypeScript's libraries do not declare here. No clock: time is an argument.
 */

declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean });
  /** Throws a TypeError for malformed text if `fatal`. */
  decode(bytes: Uint8Array): string;
}

declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
}

/** Decodes base64 to latin1 text. */
declare function atob(base64: string): string;
