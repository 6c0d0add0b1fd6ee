import { changeListsOf } from "../../../src/engine/interchange/comparison-report.ts";
import type { ChangeList } from "../../../src/engine/messages/compare-messages.ts";
import { NO_ALIASES } from "../../../src/engine/model/host-alias.ts";
import { failure, type Result, success } from "../../../src/engine/model/result.ts";
import { openSource } from "../export/opened-source.ts";
import { type ComparisonSide, comparisonSideOf, sourceComparisonOf } from "../export/source-comparison.ts";

/** Two stored sessions, as `chosenSession` takes them, the earlier one at the left. */
export interface SessionPair {
  readonly dataDir: string;
  readonly left: string;
  readonly right: string;
}

/** How the page loads and findings of two sessions differ, as `weir compare` says it. Fails with a sentence. */
export async function sessionChangesOf({ dataDir, left, right }: SessionPair): Promise<Result<readonly ChangeList[]>> {
  const sides: ComparisonSide[] = [];
  for (const session of [left, right]) {
    const source = await openSource({ session, dataDir });
    if (!source.ok) return source;
    try {
      const side = await comparisonSideOf(source.value, NO_ALIASES);
      if (side === null) return failure("A session was deleted while it was read.");
      sides.push(side);
    } finally {
      source.value.close();
    }
  }
  const [before, now] = sides as [ComparisonSide, ComparisonSide];
  return success(changeListsOf(sourceComparisonOf(before, now, false, NO_ALIASES)));
}
