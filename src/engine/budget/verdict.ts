import type { Figure, Finding, FindingKind } from "../model/finding.ts";
import type { LIMITS, LOAD_LIMITS } from "./budget.ts";

/** A figure of page loads that a budget limits. */
export type LoadLimit = `load ${(typeof LOAD_LIMITS)[number]}`;

/** Names of fields and indexes of lists that lead to a value of a JSON file. */
export type BudgetPath = readonly (string | number)[];

/** A limit, and whether it was kept. */
export interface Verdict {
  readonly outcome: "kept" | "broken" | "too-few" | "accepted" | "known";
  /** The endpoint, for page loads their document's; the pattern if no endpoint matches it; or the kind of finding. */
  readonly subject: string;
  /**
   * The limited figure; "requests": the number that the session must have; "finding" for a kind of finding;
   * "regression" for a comparison with the baseline.
   */
  readonly what: (typeof LIMITS)[number] | LoadLimit | "requests" | "finding" | "regression";
  /** The names and indexes that lead to the limit in the budget file; `null` if it has none, as for a regression. */
  readonly place: BudgetPath | null;
  /** The limit's value, for a finding in ms; `null` for a finding that must not be, or a regression. */
  readonly limit: number | null;
  /** The measured value in the limit's unit; `null` without a verdict or limit. */
  readonly measured: number | null;
  /** The waiting that the finding cost, in ms; `null` if that is not known, and for a limit. */
  readonly time: number | null;
  /** The number of requests measured; of page loads; or of the finding's occurrences. */
  readonly n: number;
  /**
   * Why there is no verdict; the finding's summary; or how the endpoint's latency changed. "" if there is nothing to
   * add.
   */
  readonly detail: string;
  /** The figures behind a finding or a slower endpoint; empty for a limit. */
  readonly evidence: readonly Figure[];
  /** Of the finding, or of the slower endpoint as a finding of the kind "regression"; `null` for a limit. */
  readonly fingerprint: string | null;
  /** A broken verdict is new, worse than in the baseline by a test, or known; `null` without a baseline. */
  readonly change: "new" | "worse" | "known" | null;
  /** The entry of the accepted file; `null` without one. If the verdict is broken, it has expired or was outgrown. */
  readonly acceptance: Acceptance | null;
}

/** A finding's cost in words, before and now, as in "412 ms in 60 requests". */
export interface Grown {
  readonly from: string;
  readonly to: string;
}

export interface Acceptance {
  readonly reason: string;
  readonly until: string | null;
  /** Whether `until` is over. */
  readonly expired: boolean;
  /** How the finding became worse since it was accepted; without a known cost, since the baseline. */
  readonly grew: Grown | null;
}

/** A finding of the judged session, as a report tells it. */
export type Found = Pick<Finding, "kind" | "count" | "summary"> &
  Partial<Pick<Finding, "fingerprint" | "time" | "endpoint" | "evidence">>;

/** The verdicts on one session or file. */
export interface Verdicts {
  readonly verdicts: readonly Verdict[];
  /** The number of verdicts left out for lack of requests, because the limit was judged for other endpoints. */
  readonly unjudged: number;
}

/** What only findings have. */
export const NO_FINDING = { time: null, evidence: [], fingerprint: null, acceptance: null, change: null } as const;

/** The verdicts of one session or file. */
export interface Judged extends Verdicts {
  readonly source: string;
  /** The findings of the baseline that do not occur here; empty without a baseline. */
  readonly gone: readonly { readonly kind: FindingKind; readonly summary: string; readonly fingerprint: string }[];
  /** The endpoints that became slower or faster by the test of Compare; empty without a baseline. */
  readonly changed: readonly {
    readonly endpoint: string;
    readonly verdict: "slower" | "faster";
    readonly detail: string;
  }[];
}

/** A file of the check, for the lines that results point to. */
export interface CheckedFile {
  readonly file: string;
  readonly text: string;
}

/** What some formats need besides the verdicts. */
export interface VerdictContext {
  readonly version: string;
  /** `null` if there is no budget. */
  readonly budget: CheckedFile | null;
  /** The accepted file; `null` if there is none. */
  readonly accepted: CheckedFile | null;
  /** The baseline's file or session; `null` without one. */
  readonly baseline: string | null;
  /** Sentences about the check as a whole. */
  readonly notes: readonly string[];
}
