import type { CaptureEvent } from "../../../../src/engine/capture/event.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import type { Clock } from "../../process/clock.ts";
import type { SettingsFile } from "../../storage/settings-file.ts";
import type { CurrentSession } from "../recording/current-session.ts";
import type { Notices } from "./notices.ts";
import { PassThroughAdvice } from "./pass-through-advice.ts";
import type { SessionCommands } from "./session-commands.ts";
import { SessionFindings } from "./session-findings.ts";

interface CurrentAnalysisOptions {
  readonly recordings: CurrentSession;
  readonly settings: SettingsFile;
  readonly notices: Notices;
  readonly clock: Clock;
  readonly history: () => SessionCommands["history"];
}

/** The findings and the pass-through advice of the current session. Both begin again with a new session. */
export class CurrentAnalysis {
  readonly #options: CurrentAnalysisOptions;
  #advice: { readonly session: Session; readonly of: PassThroughAdvice };
  #findings: { readonly session: Session; readonly of: SessionFindings } | null = null;

  constructor(options: CurrentAnalysisOptions) {
    this.#options = options;
    this.#advice = { session: options.recordings.session, of: new PassThroughAdvice() };
  }

  get advice(): PassThroughAdvice {
    const { session } = this.#options.recordings;
    if (this.#advice.session !== session) {
      this.#advice = { session, of: new PassThroughAdvice() };
      this.#options.notices.advise([]);
    }
    return this.#advice.of;
  }

  get findings(): SessionFindings {
    const { recordings, settings, clock, history } = this.#options;
    const { session } = recordings;
    if (this.#findings?.session !== session) {
      void this.#findings?.of.endAnalysis();
      const of = new SessionFindings({
        session,
        reader: () => recordings.reader(),
        wasCutOff: false,
        chainGap: () => settings.settings.chainGap,
        until: () => clock.now(),
        captured: () => session.revision,
        baseline: () => history().baseline,
        onTrouble: (trouble) => this.onTrouble(trouble),
      });
      this.#findings = { session, of };
    }
    return this.#findings.of;
  }

  addEvents(events: readonly CaptureEvent[]): void {
    const { session } = this.#options.recordings;
    if (this.advice.addEvents(events, (id) => session.exchange(id))) this.advise();
  }

  /** Shows the advice that the settings leave. */
  advise(): void {
    const { recordings, settings, notices } = this.#options;
    const { passThrough } = settings.settings;
    notices.advise(this.advice.notices(passThrough, (id) => recordings.session.exchange(id)));
  }

  /** `trouble`: why the analysis failed; `null` once it answers again. */
  onTrouble(trouble: string | null): void {
    this.#options.notices.set(
      "analysis",
      trouble === null ? null : `The analysis failed and is started again: ${trouble}. Captured data is kept.`,
    );
  }

  /** Begins the findings of a new session, whose files the old one no longer reads. */
  tick(): void {
    void this.advice;
    void this.findings;
  }

  /** Ends the analysis, so that the session's files can be deleted. The next query starts it again. */
  async endAnalysis(): Promise<void> {
    const findings = this.#findings;
    this.#findings = null;
    await findings?.of.endAnalysis();
  }
}
