/** The marks that a user can give an exchange. Each is shown by its own shape and word. */
export const MARKS = ["star", "flag", "check", "cross"] as const;

export type Mark = (typeof MARKS)[number];

/** The most UTF-16 code units of a comment. */
export const LONGEST_COMMENT = 4_000;

/** A user's mark and comment on an exchange. No statistic or finding uses them. */
export interface Annotation {
  readonly mark: Mark | null;
  /** At most `LONGEST_COMMENT` UTF-16 code units; "" for no comment. */
  readonly comment: string;
}

export const NO_ANNOTATION: Annotation = Object.freeze({ mark: null, comment: "" });

/**
 * Returns the valid parts of an untrusted annotation. An unknown mark becomes `null`; a comment that is no text becomes
 * "", and a long comment is cut.
 */
export function annotationOf(mark: unknown, comment: unknown): Annotation {
  const known = MARKS.find((one) => one === mark) ?? null;
  const text = typeof comment === "string" ? comment.slice(0, LONGEST_COMMENT).replaceAll(/\p{Cs}/gu, "\ufffd") : "";
  return known === null && text === "" ? NO_ANNOTATION : Object.freeze({ mark: known, comment: text });
}

export function isBlank({ mark, comment }: Annotation): boolean {
  return mark === null && comment === "";
}
