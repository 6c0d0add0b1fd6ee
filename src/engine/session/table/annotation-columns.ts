import { type Annotation, NO_ANNOTATION } from "../../model/annotation.ts";
import { TextColumn, WholeColumn } from "./column.ts";
import { markCodeOf, markOf } from "./exchange-codes.ts";

/** Annotations by row. Most rows have none. */
export class AnnotationColumns {
  /** Marks, encoded by `markCodeOf`. */
  readonly mark = new WholeColumn();
  /** Comments; `null` instead of an empty one. */
  readonly comment = new TextColumn();

  at(row: number): Annotation {
    const mark = this.mark.at(row);
    const comment = this.comment.at(row);
    if (mark === 0 && comment === null) return NO_ANNOTATION;
    return Object.freeze({ mark: markOf(mark), comment: comment ?? "" });
  }

  put(row: number, { mark, comment }: Annotation): void {
    this.mark.put(row, markCodeOf(mark));
    this.comment.put(row, comment === "" ? null : comment);
  }

  forgetBefore(row: number): void {
    this.mark.forgetBefore(row);
    this.comment.forgetBefore(row);
  }
}
