const GROUPED = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** What stands where there is no figure. */
export const NO_FIGURE = "–";

/** A whole number, thousands separated: "12,402". */
export function countText(count: number): string {
  return GROUPED.format(count);
}

/** "1 exchange", "12,402 exchanges". */
export function countPhrase(count: number, one: string, many: string): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}
