/**
 * Browsers, each with the product that identifies it in a User-Agent. The order matters: Edge's User-Agent, for
 * example, also names Chrome and Safari.
 */
const BROWSERS: readonly (readonly [name: string, product: RegExp])[] = [
  ["Edge", /\bEdg(?:A|iOS)?\/(\d{1,5})/],
  ["Opera", /\bOPR\/(\d{1,5})/],
  ["Samsung Internet", /\bSamsungBrowser\/(\d{1,5})/],
  ["Firefox", /\b(?:Firefox|FxiOS)\/(\d{1,5})/],
  ["Chrome", /\b(?:(?:Headless)?Chrome|CriOS)\/(\d{1,5})/],
  ["Safari", /\bVersion\/(\d{1,5})[\d.]{0,20} (?:Mobile\/\w{1,20} )?Safari\//],
];

export const UNKNOWN_CLIENT = "an unknown client";

/** The most characters of a User-Agent that are shown as a name. */
const LONGEST_PRODUCT = 60;

/**
 * Returns the display name of a client ("ADDRESS USER-AGENT"): "Chrome 126 at 10.0.0.7", "curl/8.5.0 at 127.0.0.1",
 * "Firefox 128". The name contains captured text, which is hostile.
 */
export function clientNameOf(client: string): string {
  const space = client.indexOf(" ");
  const address = space < 0 ? client : client.slice(0, space);
  const program = space < 0 ? "" : programOf(client.slice(space + 1));
  const isKnown = address !== "" && address !== "unknown";
  if (program === "") return isKnown ? address : UNKNOWN_CLIENT;
  return isKnown ? `${program} at ${address}` : program;
}

/** The client's program by its User-Agent, without a version: "Chrome", "curl"; "" if unknown. It is captured text. */
export function clientProgramOf(client: string): string {
  const space = client.indexOf(" ");
  const [name = ""] = space < 0 ? [] : programOf(client.slice(space + 1)).split(/[ /]v?\d/, 1);
  return name;
}

/** Whether the client's User-Agent ("ADDRESS USER-AGENT") is a browser's. */
export function isBrowser(client: string): boolean {
  return BROWSERS.some(([, product]) => product.test(client));
}

function programOf(userAgent: string): string {
  for (const [name, product] of BROWSERS) {
    const version = product.exec(userAgent)?.[1];
    if (version !== undefined) return `${name} ${version}`;
  }
  const [first = ""] = userAgent.trim().split(" ", 1);
  return first === "unknown" ? "" : first.slice(0, LONGEST_PRODUCT);
}

/** The most characters of a program's name. */
const LONGEST = 64;

/**
 * Makes a program's name safe to show: shortens it and removes control characters, since its source may be hostile.
 * `null` if nothing is left.
 */
export function programNamed(text: string): string | null {
  const name = text
    .trim()
    .slice(0, LONGEST)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .trim();
  return name === "" ? null : name;
}
