/*
 * Declares pure globals of browsers and Node.js that are missing in the engine's TypeScript libraries. A clock is not
 * among them: time is passed as an argument.
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
