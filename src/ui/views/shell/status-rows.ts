import type { CertificateAdvice, Status, Summary } from "../../../engine/messages/status-messages.ts";
import type { Instant } from "../../../engine/model/units.ts";
import { bytesPhrase } from "../../format/bytes.ts";
import { sinceText } from "../../format/clock.ts";
import { countPhrase, countText } from "../../format/count.ts";
import { durationText, elapsedText } from "../../format/duration.ts";
import { percentText } from "../../format/percent.ts";

/** The bar over every view while the proxy is stopped or recording is paused. `passed`: "" if the proxy is stopped. */
export type IdleBar = NonNullable<ReturnType<typeof idleBarOf>>;

/** `null` while the proxy runs and records. */
export function idleBarOf({ proxy, recording, pause }: Status, now: Instant) {
  if (!proxy.running) {
    const text = proxy.problem ?? "The proxy is stopped. Programs that use it cannot connect.";
    return Object.freeze({ text, passed: "", action: "Start", isError: proxy.problem !== null });
  }
  if (recording) return null;
  const text = pause === null ? "Paused." : `Paused since ${sinceText(pause.since, now)}.`;
  const passed = countPhrase(pause?.passed ?? 0, "request", "requests");
  return Object.freeze({ text, passed: `${passed} passed unrecorded.`, action: "Resume", isError: false });
}

/** A figure of the status bar, with the words beside it. */
export interface StatusItem {
  readonly before: string;
  readonly figure: string;
  readonly after: string;
}

export function statusItemsOf(summary: Summary, now: Instant): readonly StatusItem[] {
  const items: StatusItem[] = [
    { before: "", figure: countText(summary.exchanges), after: summary.exchanges === 1 ? " exchange" : " exchanges" },
  ];
  if (summary.sessionStart === null)
    items.push({ before: "session begins with the first request", figure: "", after: "" });
  else {
    items.push(
      { before: "", figure: durationText(summary.ratePerMinute / 60), after: "/s" },
      { before: "errors ", figure: percentText(summary.errorRate), after: "" },
      { before: "session ", figure: elapsedText(now - summary.sessionStart), after: "" },
    );
  }
  items.push({ before: "bodies ", figure: bytesPhrase(summary.bytes), after: "" });
  if (summary.overheadP95 !== null) {
    items.push({ before: "proxy overhead p95 ", figure: `${durationText(summary.overheadP95)} ms`, after: "" });
  }
  return Object.freeze(items.map((item) => Object.freeze(item)));
}

export interface NoticeLine {
  readonly id: string;
  /**
   * A dismissed notice stays hidden until its key changes. The keys of the notices `dropped` and `forgotten` change
   * with the session; any other key changes with the text.
   */
  readonly key: string;
  readonly error: boolean;
  readonly text: string;
  readonly advice: CertificateAdvice | null;
}

/**
 * Lasting problems: the engine's notices, and data that the engine had to leave out. Advice is about clients of the
 * current session, so it is omitted while a stored session is shown.
 */
export function noticesOf(status: Status | null, summary: Summary | null, isStored: boolean): readonly NoticeLine[] {
  const lines: NoticeLine[] = (status?.notices ?? [])
    .filter(({ advice }) => advice === null || !isStored)
    .map(({ id, severity, text, advice }) => ({ ...noticeOf(id, text, text), error: severity === "error", advice }));
  const { running = false, wantedPort = null, port = 0, problem = null } = status?.proxy ?? {};
  // Why a proxy does not run is in the bar with the button that starts it.
  if (problem !== null && running) lines.push({ ...noticeOf("proxy", problem, problem), error: true });
  if (wantedPort !== null) {
    const text = `Port ${wantedPort} was taken, so the proxy listens on ${port}. Set this port in your programs.`;
    lines.push(noticeOf("port", text, text));
  }
  const { dropped = 0, forgotten = 0, sessionStart = null } = summary ?? {};
  if (dropped > 0) {
    const text = `${countText(dropped)} requests or messages came too fast to record. They were proxied, but have no row.`;
    lines.push(noticeOf("dropped", text, sessionStart));
  }
  if (forgotten > 0) {
    const text = `The oldest ${countText(forgotten)} rows left the list to make room. Statistics still count them.`;
    lines.push(noticeOf("forgotten", text, sessionStart));
  }
  return Object.freeze(lines.map((line) => Object.freeze(line)));
}

/** `per`: what changes the key. */
function noticeOf(id: string, text: string, per: string | Instant | null): NoticeLine {
  return { id, key: `${id}: ${per}`, error: false, text, advice: null };
}
