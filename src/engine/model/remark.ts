/** What an exchange can be marked with; each has a shape and a word of its own. */
export const MARKS = ["star", "flag", "check", "cross"] as const;

export type Mark = (typeof MARKS)[number];

/** Our choice: characters (UTF-16) of a comment. */
export const LONGEST_COMMENT = 4_000;

/** What a person says of an exchange. Nothing is ever concluded from it. */
export interface Remark {
  readonly mark: Mark | null;
  /** At most `LONGEST_COMMENT` characters; empty: none. */
  readonly comment: string;
}

export const NO_REMARK: Remark = Object.freeze({ mark: null, comment: "" });

/** What is sound of a remark from outside: a mark that there is, and a comment that is text, cut where it is too long. */
export function remarkOf(mark: unknown, comment: unknown): Remark {
  const known = MARKS.find((one) => one === mark) ?? null;
  const text = typeof comment === "string" ? comment.slice(0, LONGEST_COMMENT).replaceAll(/\p{Cs}/gu, "\ufffd") : "";
  return known === null && text === "" ? NO_REMARK : Object.freeze({ mark: known, comment: text });
}

/** Whether nothing is said. */
export function isBlank({ mark, comment }: Remark): boolean {
  return mark === null && comment === "";
}
