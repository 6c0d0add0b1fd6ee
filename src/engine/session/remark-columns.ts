import { NO_REMARK, type Remark } from "../model/remark.ts";
import { TextColumn, WholeColumn } from "./column.ts";
import { markCodeOf, markOf } from "./exchange-codes.ts";

/** What a person says of exchanges, by row; most rows have nothing. */
export class RemarkColumns {
  /** As `markCodeOf`. */
  readonly mark = new WholeColumn();
  /** Never empty. */
  readonly comment = new TextColumn();

  at(row: number): Remark {
    const mark = this.mark.at(row);
    const comment = this.comment.at(row);
    if (mark === 0 && comment === null) return NO_REMARK;
    return Object.freeze({ mark: markOf(mark), comment: comment ?? "" });
  }

  put(row: number, { mark, comment }: Remark): void {
    this.mark.put(row, markCodeOf(mark));
    this.comment.put(row, comment === "" ? null : comment);
  }

  forgetBefore(row: number): void {
    this.mark.forgetBefore(row);
    this.comment.forgetBefore(row);
  }
}
