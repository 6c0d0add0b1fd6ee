import type { ExchangeId } from "../engine/model/units.ts";
import type { Replays } from "./state/replays.ts";
import type { ComparisonWish, DifferenceWish, ViewDependencies } from "./views/dependencies.ts";
import type { ExperimentWish } from "./views/experiment-wish.ts";
import { annotationForm } from "./views/inspector/annotation.ts";
import { bodyView } from "./views/inspector/body.ts";
import { inspector } from "./views/inspector/inspector.ts";
import { messagesView } from "./views/inspector/messages.ts";
import { performanceView } from "./views/performance/performance.ts";
import { sessionsView } from "./views/sessions/sessions.ts";
import { settingsView } from "./views/settings/settings.ts";
import { comparisonDialog } from "./views/shell/comparison.ts";
import { conditionsDialog } from "./views/shell/conditions.ts";
import { differenceDialog } from "./views/shell/difference.ts";
import { editDialog } from "./views/shell/edit-request.ts";
import { experimentDialog } from "./views/shell/experiment.ts";
import { replayDialog } from "./views/shell/replay.ts";
import { timelineView } from "./views/timeline/timeline.ts";

/**
 * The views that are hidden when a page opens, by their names in the HTML. They are loaded after the first rows are
 * drawn.
 */
export function laterViews(
  deps: ViewDependencies,
  replays: Replays,
  onReplay: (listener: (exchange: ExchangeId) => void) => void,
  onExperiment: (listener: (wish: ExperimentWish) => void) => void,
  onComparison: (listener: (wish: ComparisonWish) => void) => void,
  onDifference: (listener: (wish: DifferenceWish) => void) => void,
  onEdit: (listener: (exchange: ExchangeId) => void) => void,
) {
  const counted = { session: null, filter: "", findings: "" };
  return {
    performanceView: () => performanceView(deps, counted),
    timelineView: () => timelineView(deps),
    sessionsView: () => sessionsView(deps),
    settingsView: () => settingsView(deps),
    inspector: () => inspector(deps),
    bodyView: (side: unknown) => bodyView(deps, side === "request" ? "request" : "response"),
    annotationForm: () => annotationForm(deps),
    messagesView: () => messagesView(deps),
    conditionsDialog: () => conditionsDialog(deps),
    replayDialog: () => replayDialog(deps, replays, onReplay),
    comparisonDialog: () => comparisonDialog(deps, onComparison),
    differenceDialog: () => differenceDialog(deps, onDifference),
    editDialog: () => editDialog(deps, onEdit),
    experimentDialog: () => experimentDialog(deps, onExperiment),
  };
}

export type LaterViews = ReturnType<typeof laterViews>;
