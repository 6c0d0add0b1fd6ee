import type { SessionRecord, Sessions, Shown } from "../../../engine/messages/session-messages.ts";
import type { Instant } from "../../../engine/model/units.ts";
import { bytesPhrase, bytesText } from "../../format/bytes.ts";
import { minuteText } from "../../format/clock.ts";
import { countPhrase, countText } from "../../format/count.ts";
import { durationText, elapsedText } from "../../format/duration.ts";
import { percentText } from "../../format/percent.ts";
import { nameOf } from "../../format/session-name.ts";

export type SessionRow = ReturnType<typeof sessionRowOf>;

const BASELINES: Readonly<Record<SessionRecord["baseline"], readonly [text: string, title: string]>> = {
  in: ["yes", "Trends compare with this session"],
  "left-out": ["left out", "You left this session out: trends do not compare with it"],
  "too-small": ["too small", "No endpoint of this session reached 5 requests, so trends cannot compare with it"],
  older: ["older", "Trends compare with the latest 10 sessions; this session is older"],
  "not-ended": ["", "This session has not ended yet"],
};

/** Shown for a session whose recording was killed, and that has not been opened since. */
const WITHOUT_FIGURES = [
  "once opened",
  "The figures of this session were not written. Open the session to compute them",
] as const;

/** The row of a session. `now` is used only for the current session's duration so far. */
export function sessionRowOf(record: SessionRecord, shown: Shown | null, now: Instant) {
  const { id, figures, baseline, startedAt, endedAt, state, kept } = record;
  const size = bytesText(record.size);
  const current = state === "current";
  const isShown =
    shown !== null && (current ? shown.kind === "current" : shown.kind === "stored" && shown.session === id);
  const isWithout = !current && figures === null;
  const [text, title] = isWithout ? WITHOUT_FIGURES : BASELINES[baseline];
  return Object.freeze({
    id,
    name: nameOf(record),
    /** The name given by the user; "" if there is none. */
    givenName: record.name,
    notes: record.notes,
    /** "recording", "recovered", "imported" or "figures only"; "" if none of these applies. */
    mark: markOf(record),
    started: minuteText(startedAt),
    length: elapsedText((endedAt ?? now) - startedAt),
    exchanges: countText(record.exchanges),
    p95: durationText(figures?.p95 ?? null),
    errors: percentText(figures?.errorRate ?? null),
    /** Why there are no figures; "" if they are present or awaited. */
    figuresTitle: isWithout ? title : "",
    size: size.value,
    sizeUnit: size.unit,
    baseline: text,
    baselineTitle: title,
    current,
    /** Whether the session can be shown now: its exchanges are stored, and it is not shown already. */
    openable: kept && !isShown,
    shown: isShown,
    /** Whether trends may compare with the session. */
    inBaseline: baseline === "in" || baseline === "older",
    /** Whether the user can change `inBaseline`. */
    baselineChoice: !current && baseline !== "too-small" && baseline !== "not-ended",
  });
}

/** "13 sessions, 1.4 GB on disk with the trash". */
export function sessionsText({ sessions, trash, size }: Sessions): string {
  const text = `${countPhrase(sessions.length, "session", "sessions")}, ${bytesPhrase(size)} on disk`;
  return trash.length === 0 ? text : `${text} with the trash`;
}

/** The texts above every view while a stored session is shown or being opened. */
export interface ShownTexts {
  readonly text: string;
  readonly problem: string;
  /** 0 to 1 while the session is loading, else `null`. */
  readonly progress: number | null;
}

export function shownTextsOf(shown: Shown, name: string): ShownTexts | null {
  switch (shown.kind) {
    case "current":
      return null;
    case "opening":
      return Object.freeze({ text: `Opening ${name}.`, problem: "", progress: shown.progress });
    case "stored":
      return Object.freeze({
        text: `Showing ${name}${shown.name === "" ? "" : `, recorded ${minuteText(shown.startedAt)}`}, read-only. New requests are recorded in another session.`,
        problem: shown.problem ?? "",
        progress: null,
      });
  }
}

/** "The session of 14:02 was cut off. 12,402 exchanges of this session are kept."; "" if no session is offered. */
export function recoveredText({ sessions, recovered }: Sessions): string {
  const found = sessions.find(({ id }) => id === recovered);
  if (found === undefined) return "";
  const kept = countPhrase(found.exchanges, "exchange of this session is", "exchanges of this session are");
  return `The session of ${minuteText(found.startedAt)} was cut off. ${kept} kept.`;
}

function markOf({ state, imported, kept }: SessionRecord): string {
  if (state === "current") return "recording";
  if (state === "recovered") return "recovered";
  if (imported) return "imported";
  return kept ? "" : "figures only";
}
