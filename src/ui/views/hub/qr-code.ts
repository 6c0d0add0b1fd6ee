/** A QR code as a path in a square of 100 units, with the quiet zone that the standard requires. */
export interface QrCode {
  readonly path: string;
  /** The SVG transform that scales the path from modules to the square of 100 units. */
  readonly transform: string;
}

/** ISO/IEC 18004: a quiet zone of four modules on each side. */
const QUIET = 4;

/** Returns a function that calls `show` with the QR code of each new text; `null` for the empty text. */
export function shownQrCode(show: (code: QrCode | null) => void): (text: string) => void {
  let current = "";
  return (text) => {
    if (text === current) return;
    current = text;
    if (text === "") return show(null);
    void qrCodeOf(text).then((code) => {
      if (text === current) show(code);
    });
  };
}

/** The QR code of a short text. The library is loaded when first used. */
async function qrCodeOf(text: string): Promise<QrCode> {
  const { default: qrcode } = await import("qrcode-generator");
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const modules: string[] = [];
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      if (code.isDark(row, column)) modules.push(`M${column + QUIET} ${row + QUIET}h1v1h-1z`);
    }
  }
  return Object.freeze({ path: modules.join(""), transform: `scale(${100 / (count + 2 * QUIET)})` });
}
