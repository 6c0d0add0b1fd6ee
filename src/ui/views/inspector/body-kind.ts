import type { LanguageName } from "./body-language.ts";

export type BodyMode = "pretty" | "parts" | "raw" | "hex" | "image";

/** The most bytes of a body that is shown as an image, pretty-printed or in parts: these modes need the whole body. */
export const WHOLE_BYTES = 8 * 1024 * 1024;

/** docs/security.md S4: only raster types are shown as images; SVG is a document. */
const RASTER = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"]);

/** The modes for a body of this type, the most readable first. */
export function modesOf(contentType: string | null): readonly BodyMode[] {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (RASTER.has(type)) return ["image", "hex"];
  if (/[/+]json$/.test(type)) return ["pretty", "raw", "hex"];
  if (type.startsWith("multipart/")) return ["parts", "raw", "hex"];
  if (type === "" || type === "application/octet-stream" || /^(image|audio|video|font)\/(?!svg)/.test(type)) {
    return ["hex", "raw"];
  }
  return ["raw", "hex"];
}

export const MODE_NAMES: Readonly<Record<BodyMode, string>> = {
  pretty: "Pretty",
  parts: "Parts",
  raw: "Raw",
  hex: "Hex",
  image: "Image",
};

export function isWhole(mode: BodyMode): boolean {
  return mode === "pretty" || mode === "parts" || mode === "image";
}

/** The language for highlighting a body of this type; `null`: none. */
export function languageNameOf(contentType: string | null): LanguageName | null {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (/[/+]json$/.test(type)) return "json";
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (/[/+]xml$/.test(type)) return "xml";
  if (type === "text/css") return "css";
  return /^(text|application)\/(x-)?(java|ecma)script$/.test(type) ? "javascript" : null;
}

/** The decoder for the charset in a Content-Type; UTF-8 if it names no known charset. */
export function decoderFor(contentType: string | null): TextDecoder {
  const label = /charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? "")?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
