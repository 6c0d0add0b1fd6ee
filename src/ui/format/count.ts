/** Placeholder for a missing figure. */
export const NO_FIGURE = "–";

/** A whole number, thousands separated: "12,402". */
export function countText(count: number): string {
  return grouped(String(Math.round(count)));
}

/**
 * Digits with separated thousands, before a decimal point, and a minus sign (U+2212). Not by `Intl`, since its first
 * use adds 16 ms to the page's start.
 */
export function grouped(digits: string): string {
  const [whole = "", ...decimals] = digits.replace("-", "−").split(".");
  return [whole.replaceAll(/\B(?=(?:\d{3})+(?!\d))/g, ","), ...decimals].join(".");
}

/** "1 exchange", "12,402 exchanges". */
export function countPhrase(count: number, one: string, many: string): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}
