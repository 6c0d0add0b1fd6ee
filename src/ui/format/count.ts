/** Placeholder for a missing figure. */
export const NO_FIGURE = "–";

/** What no statistic counts (docs/specification.md), for the title of a count. */
export const NOT_COUNTED =
  "Left out: probes, resent requests, tunnels, malformed and refused requests, loads that an experiment held, and responses of a browser's cache or of a test";

/** A whole number, thousands separated: "12,402". */
export function countText(count: number): string {
  return grouped(String(Math.round(count)));
}

/**
 * Separates the thousands of a decimal number by commas, and writes a minus sign as U+2212. `Intl` is not used, because
 * its first use delays the page's start by 16 ms.
 */
export function grouped(digits: string): string {
  const [whole = "", ...decimals] = digits.replace("-", "−").split(".");
  return [whole.replaceAll(/\B(?=(?:\d{3})+(?!\d))/g, ","), ...decimals].join(".");
}

/** "1 exchange", "12,402 exchanges". */
export function countPhrase(count: number, one: string, many: string): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}
