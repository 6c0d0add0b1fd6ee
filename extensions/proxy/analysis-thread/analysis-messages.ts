import type { ChosenBy } from "../../../src/engine/insights/difference/set-difference.ts";
import type { MarkedChangeRecord } from "../../../src/engine/messages/compare-messages.ts";
import type { ExchangeComparison, SetDifference } from "../../../src/engine/messages/difference-messages.ts";
import type { WhereFound } from "../../../src/engine/messages/finding-messages.ts";
import type { FromEngine } from "../../../src/engine/messages/messages.ts";
import type { GainsFound } from "../../../src/engine/model/load-gain.ts";
import type { PathRule, SiblingFold } from "../../../src/engine/model/path-rule.ts";
import type { Repeat } from "../../../src/engine/model/repeat.ts";
import type { Problem, Result } from "../../../src/engine/model/result.ts";
import type { Settings } from "../../../src/engine/model/settings.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../../src/engine/model/units.ts";
import type { SessionName } from "../../../src/engine/report/export-source.ts";
import type { ChainRecords } from "../../../src/engine/session/evaluation/chain-records.ts";
import type { RankedRecords } from "../../../src/engine/session/evaluation/found-findings.ts";
import type { ChangedTime } from "../../../src/engine/session/evaluation/gain-records.ts";
import type { GroupRecords } from "../../../src/engine/session/evaluation/grouping.ts";
import type { Searched } from "../../../src/engine/session/evaluation/insights.ts";
import type { SlowCauseRecords } from "../../../src/engine/session/evaluation/slow-cause-search.ts";
import type { PastSession } from "../../../src/engine/session/lists/history.ts";
import type { PickedRanges } from "../../../src/engine/session/lists/matching-exchanges.ts";
import type { ExportForm } from "../export/export-text.ts";
import type { LogEnd } from "../export/followed-session.ts";
import type { ComparedIds } from "./exchange-comparison.ts";

/*
 * Messages between the engine thread and the analysis thread of a session. Rows and the numbers of endpoints differ
 * between the threads, so that messages name exchanges by id and endpoints by text.
 */

/** The `workerData` of an analysis thread. */
export interface AnalysisStart extends LogEnd {
  /** The folder of the session, beside those of other sessions. */
  readonly folder: string;
}

/** How similar paths are grouped: the user's rules, and what the session has learned; `null` if they are not. */
export type Grouping = { readonly rules: readonly PathRule[]; readonly folds: readonly SiblingFold[] } | null;

/** The results of an analysis, by the names of `Insights`. */
interface Records {
  readonly where: WhereFound;
  readonly chains: ChainRecords;
  readonly groups: GroupRecords;
  readonly repeats: readonly Repeat[];
  readonly slowCauses: SlowCauseRecords;
  /** The answer to `Question.changed`. */
  readonly gains: GainsFound;
  /** A and B, compared. */
  readonly marked: readonly MarkedChangeRecord[];
  /** The answer to `Question.compared`. */
  readonly comparison: Result<ExchangeComparison>;
  /** The answer to `Question.chosen`. */
  readonly difference: SetDifference;
  /** `null`: the same as the last result. */
  readonly ranked: RankedRecords | null;
}

export type Part = keyof Records;

/** The exchanges of a chosen set, by id. */
export interface ChosenIds {
  readonly ids: Float64Array;
  readonly by: ChosenBy;
}

export interface Question {
  readonly part: Part;
  readonly chainGap: Milliseconds;
  /** All events before this instant are in the log; infinite for a stored session. */
  readonly until: Instant;
  /** The exchanges and the row cap of the engine thread's session. */
  readonly exchanges: number;
  readonly rowCap: number;
  /** The ids of the sessions to compare with, the newest first. */
  readonly baseline: readonly string[];
  /** Absent if it is the same as in the last question to this thread. */
  readonly grouping?: Grouping;
  /** For `gains`: whose time changes, and to what. */
  readonly changed?: ChangedTime;
  /** For `comparison`. */
  readonly compared?: ComparedIds;
  /** For `difference`. */
  readonly chosen?: ChosenIds;
  /** Whether results about the exchanges read so far are wanted, before all are read. */
  readonly wantsPartial: boolean;
}

export interface NumberedQuestion extends Question {
  readonly number: number;
}

/** A result. `leftOut`: as in `Searched`; for `ranked` also the evicted exchanges and those that the log lacks. */
export type Reply = {
  [One in Part]: Searched & {
    readonly number: number;
    readonly part: One;
    readonly records: Records[One];
    /** Whether the question is answered. Otherwise the result is about the exchanges read so far. */
    readonly isFinal: boolean;
    /** Whether the latest exchanges were read, too. */
    readonly isSettled: boolean;
  };
}[Part];

export interface ExportScope {
  readonly filter: string;
  /** As in `exportText`; absent for all that match. */
  readonly picked?: PickedRanges | null | undefined;
  readonly redact: boolean;
}

/** An export or a search for a UI client, or the search of bodies for a filter. */
export type Work =
  | { readonly kind: "search"; readonly text: string }
  /** `known`: the number of matches that `BodyMatches` told last. */
  | { readonly kind: "bodies"; readonly text: string; readonly known: number }
  | (ExportScope & {
      readonly kind: "export";
      readonly form: ExportForm;
      readonly settings: Settings;
      /** The sessions that trends compare with. */
      readonly baseline: readonly PastSession[];
      readonly version: string;
      /** As in `ExportSource`. */
      readonly named?: SessionName | null;
      /** The latest findings, which the filter can name; `null` before the first. */
      readonly ranked: { readonly records: RankedRecords; readonly leftOut: number } | null;
    });

/** `number`: that of the export or search in messages to the UI client. */
export interface WorkOrder extends Pick<Question, "rowCap" | "grouping"> {
  readonly number: number;
  readonly work: Work;
}

export type ToAnalysis =
  | NumberedQuestion
  | WorkOrder
  | { readonly acknowledged: number }
  | { readonly cancelled: number };

/** A message for the UI client. */
export type WorkMessage = Extract<FromEngine, { readonly type: "export-piece" | "search-hits" }>;

/** Matches of a search of bodies. `count`: how many it has found since the thread began. */
export interface BodyMatches {
  readonly type: "body-matches";
  readonly ids: readonly ExchangeId[];
  readonly count: number;
  /** The share of the exchanges that were searched, 0 to 1. */
  readonly progress: number;
  readonly done: boolean;
}

/** `refusal`: why the work does not begin; `null` once it has begun. */
export type FromAnalysis =
  | Reply
  | { readonly work: number; readonly refusal: Problem | null }
  | { readonly work: number; readonly message: WorkMessage | BodyMatches };
