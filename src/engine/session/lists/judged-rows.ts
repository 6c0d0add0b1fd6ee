import type { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import { slowAmong } from "../evaluation/slow-rows.ts";
import { isJudged, Matcher } from "../filter/matcher.ts";
import type { Term } from "../filter/term.ts";
import type { Session } from "../session.ts";
import { joinedRows, otherRows, sharedRows } from "../table/row-sets.ts";
import { MatchedRows } from "./matched-rows.ts";

const NO_ROWS: Uint32Array = new Uint32Array(0);

/** Returns the rows among `rows` (ascending) that match a term now, in their order. */
type Selects = (rows: Uint32Array, evaluator: InsightEvaluator) => Uint32Array;

/**
 * The rows that match terms which depend on statistics, findings or bodies, such as `slow: OR status:404`. Conditions within
 * them that do not depend on any are scanned once, as for a list of their own; then whole sets of rows are joined, since
 * a test of each row would hold the engine thread for a quarter of a second at a million rows.
 */
export class JudgedRows {
  readonly #session: Session;
  /** The conditions that are scanned. */
  readonly #own: MatchedRows[] = [];
  readonly #selections: readonly Selects[];

  constructor(session: Session, terms: readonly Term[]) {
    this.#session = session;
    this.#selections = terms.map((term) => this.#selectionOf(term));
  }

  /** Does one slice of the scans, or `most` rows of one; returns `false` if there is more. */
  advance(most?: number): boolean {
    return this.#own.every((rows) => rows.advance(most));
  }

  /** The rows among `rows` (ascending) that match all terms now. */
  among(rows: Uint32Array, evaluator: InsightEvaluator): Uint32Array {
    return this.#selections.reduce((left, selects) => selects(left, evaluator), rows);
  }

  #selectionOf(term: Term): Selects {
    if (!isJudged(term)) {
      const own = new MatchedRows(this.#session, new Matcher(this.#session.table, [term]));
      this.#own.push(own);
      return (rows) => sharedRows(rows, own.rows().view());
    }
    switch (term.kind) {
      case "not": {
        const excluded = this.#selectionOf(term.of);
        return (rows, evaluator) => otherRows(rows, excluded(rows, evaluator));
      }
      case "all": {
        const all = term.of.map((one) => this.#selectionOf(one));
        return (rows, evaluator) => all.reduce((left, selects) => selects(left, evaluator), rows);
      }
      case "any": {
        const any = term.of.map((one) => this.#selectionOf(one));
        return (rows, evaluator) =>
          any.reduce((joined, selects) => joinedRows(joined, selects(rows, evaluator)), NO_ROWS);
      }
      case "flag":
        if (term.flag === "slow") return (rows, evaluator) => slowAmong(this.#session, rows, evaluator);
        return (rows, evaluator) => rows.filter((row) => evaluator.isOversized(row));
      case "finding":
        return (rows, evaluator) => rows.filter((row) => evaluator.isInFinding(row, term.finding));
      case "body":
        return (rows, evaluator) => rows.filter((row) => evaluator.hasInBody(row, term.text));
      default:
        throw new Error(`a ${term.kind} condition is no judged one`);
    }
  }
}
