/*
 * Declares globals of browsers and Node.js that the engine's TypeScript `lib` lacks. Clocks are left out on purpose:
 * time is passed as an argument.
 */

declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean });
  /** Throws a TypeError for malformed text if `fatal`. */
  /** `stream`: more bytes follow, so an incomplete character is kept. */
  decode(bytes: Uint8Array, options?: { readonly stream?: boolean }): string;
}

declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
}

/** Decodes base64 to latin1 text. */
declare function atob(base64: string): string;
