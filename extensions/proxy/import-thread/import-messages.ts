import type { ImportProgress } from "../../../src/engine/messages/session-messages.ts";
import type { Result } from "../../../src/engine/model/result.ts";
import type { Grouping } from "../analysis-thread/analysis-messages.ts";
import type { ImportTarget } from "../storage/imported-session.ts";

/** The `workerData` of an import thread. */
export interface ImportStart {
  readonly target: ImportTarget;
  /** The name of the file. */
  readonly name: string;
  /** Whether trends may compare with the session. */
  readonly baseline: boolean;
  readonly grouping: Grouping;
}

/** A piece of the file. The next one follows the reply to it. */
export interface ToImport {
  readonly bytes: Uint8Array;
  readonly last: boolean;
}

/** The reply to a piece. After a problem, a sentence for the user, nothing of the import is left. */
export type FromImport = Result<ImportProgress>;
