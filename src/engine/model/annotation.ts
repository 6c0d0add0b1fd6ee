/** The marks that a user can give an exchange. Each is shown by its own shape and word. */
export const MARKS = ["star", "flag", "check", "cross"] as const;

export type Mark = (typeof MARKS)[number];

/** Default; not from a specification: the most UTF-16 code units of a comment. */
export const LONGEST_COMMENT = 4_000;

/** A user's mark and comment on an exchange. No conclusion uses them. */
export interface Annotation {
  readonly mark: Mark | null;
  /** At most `LONGEST_COMMENT` characters; "" for no comment. */
  readonly comment: string;
}

export const NO_ANNOTATION: Annotation = Object.freeze({ mark: null, comment: "" });

/** The valid parts of an untrusted annotation: a known mark, and a comment that is text, cut to the longest allowed. */
export function annotationOf(mark: unknown, comment: unknown): Annotation {
  const known = MARKS.find((one) => one === mark) ?? null;
  const text = typeof comment === "string" ? comment.slice(0, LONGEST_COMMENT).replaceAll(/\p{Cs}/gu, "\ufffd") : "";
  return known === null && text === "" ? NO_ANNOTATION : Object.freeze({ mark: known, comment: text });
}

/** Whether the annotation is empty. */
export function isBlank({ mark, comment }: Annotation): boolean {
  return mark === null && comment === "";
}
