import type { Target } from "../../../engine/hub/target.ts";
import {
  isSeenLate,
  lastSighting,
  SIGHTING_VERDICTS,
  validationVerdictOf,
} from "../../../engine/hub/validation-verdict.ts";
import type { Sighting, Watch } from "../../../engine/hub/watcher.ts";
import type { SeenRequest, TargetState } from "../../../engine/messages/hub-messages.ts";
import type { Instant } from "../../../engine/model/units.ts";
import { clockText, exactClockText } from "../../format/clock.ts";
import type { MarkName } from "./status-panel.ts";

export type TestLine = ReturnType<typeof line>;

/** The content of Validate's box; `null` before the first test. */
export type TestBox = NonNullable<ReturnType<typeof testBoxOf>>;

/** Length of the ring, a circle with a radius of 32. */
export const RING_LENGTH = 2 * Math.PI * 32;

/** Seconds between announcements. */
const SPOKEN_EVERY = 10;

export function testBoxOf(state: TargetState, target: Target) {
  const { watch, secondsLeft, unanswered, seen } = state;
  if (watch.state === "idle") return null;
  const verdict = validationVerdictOf(watch, target, seen?.at);
  const waiting = watch.state === "watching";
  const last = lastSighting(watch.sightings);
  const fix = waiting && last !== null ? SIGHTING_VERDICTS[last.kind].fix : verdict.fix;
  const more = [
    ...(unanswered === null ? [] : [`${UNANSWERED} ${unanswered}`]),
    ...(isSeenBefore(watch, seen) ? [`Probe seen at ${clockText(seen.at)}, before this test.`] : []),
  ];
  const text = [verdict.text, ...more].join(" ");
  const length = waiting ? Math.max(watch.until - watch.startedAt, 1) : 1;
  const share = Math.min(1, (secondsLeft * 1_000) / length);
  return Object.freeze({
    waiting,
    mark: waiting ? "waiting" : MARKS[verdict.tone],
    title: verdict.title,
    request: `${watch.probe.method} ${watch.probe.url}`,
    text: waiting ? `${verdict.text} A capture confirms the request, but not which program sent it.` : text,
    /** The seconds left, "21". `ringOffset`: the dash offset with which the ring shows the share of time left. */
    seconds: String(secondsLeft),
    ringOffset: String(RING_LENGTH * (1 - share)),
    /** For assistive technology; changes only every ten seconds. */
    announcement: waiting ? announcementOf(verdict.title, secondsLeft) : `${verdict.title}. ${text}`,
    lines: Object.freeze(linesOf(watch, seen)),
    /** What the user must do; empty if nothing. */
    fix: fix ?? "",
  });
}

/** A captured request passes the test, whether or not an upstream answers (docs/specification.md, Probe URL). */
const UNANSWERED = "The test passed because Weir captured the request, although the probe host did not respond:";

const MARKS = { quiet: "info", waiting: "waiting", good: "check", bad: "error" } as const;

type Tested = Exclude<Watch, { state: "idle" }>;

function isSeenBefore(watch: Tested, seen: SeenRequest | null): seen is SeenRequest {
  return watch.state === "timed-out" && seen !== null && seen.at < watch.startedAt;
}

/** The events of a test, in the order of their time. */
function linesOf(watch: Tested, seen: SeenRequest | null): readonly TestLine[] {
  const began = line("began", watch.startedAt, "info", "Test started");
  const observed = watch.sightings.map(sightingLine);
  if (watch.state === "watching") return [began, ...observed];
  const end = line("end", watch.at, END_MARKS[watch.state], END_TEXTS[watch.state]);
  const late = seen !== null && isSeenLate(watch, seen.at) ? [line("seen", seen.at, "check", "Probe seen")] : [];
  return [began, ...observed, end, ...late];
}

const END_MARKS = { confirmed: "check", cancelled: "info", "timed-out": "error" } as const;
const END_TEXTS = {
  confirmed: "Request captured",
  cancelled: "Test stopped",
  "timed-out": "Time is up",
} as const;

function sightingLine({ kind, at, count, detail }: Sighting): TestLine {
  const also = count > 1 ? ` (${count} times)` : "";
  const { tone, title } = SIGHTING_VERDICTS[kind];
  return line(kind, at, MARKS[tone], title + also, detail ?? "");
}

function line(key: string, at: Instant, mark: MarkName, text: string, detail = "") {
  return Object.freeze({ key, time: exactClockText(at), mark, text, detail });
}

function announcementOf(title: string, secondsLeft: number): string {
  return `${title}, at most ${Math.ceil(secondsLeft / SPOKEN_EVERY) * SPOKEN_EVERY} seconds left.`;
}
