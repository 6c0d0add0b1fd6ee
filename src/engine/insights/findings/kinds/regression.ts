import { isSizeSample, isTooUncertain } from "../../../model/exchange.ts";
import { DEFAULT_SETTINGS } from "../../../model/settings.ts";
import type { Bytes, Milliseconds } from "../../../model/units.ts";
import { MINIMUM_REQUESTS } from "../../../stats/endpoint-tally.ts";
import { latencySampleIn, medianOf, sizeSampleIn } from "../../../stats/percentile.ts";
import { errorVerdict, latencyVerdicts, SampleBaseline, SIGNIFICANT, sizeVerdict } from "../../figure-change.ts";
import { groupedBy } from "../../grouped.ts";
import { bandsOf, MINIMUM_SESSIONS } from "../../trends.ts";
import { atEndpoint, type BaselineSession, type Context, claimedBy, draftOf, figures, longestFirst } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { leftOutClause } from "../request.ts";
import { inBytes, inMs, inPercent, nameOf } from "../text.ts";
import { isAwaited, type Request } from "../traffic.ts";
import { waitingOf } from "../waiting.ts";

const BANDS = bandsOf(DEFAULT_SETTINGS);

/** One way in which an endpoint became worse, with its figures and its cost. */
interface Worse {
  readonly text: string;
  readonly figures: Readonly<Record<string, string>>;
  readonly telling: readonly Request[];
  readonly time: Milliseconds | null;
  readonly bytes: Bytes | null;
}

/** One endpoint's requests now, and its baseline. */
interface Compared {
  readonly own: readonly Request[];
  readonly sessions: readonly BaselineSession[];
  /** A change counts if its p is below this value. */
  readonly significant: number;
}

/** Endpoints that are slower or larger, or fail more often, than in the baseline sessions, by the rules of trends. */
export function regression({ traffic, found, options }: Context): readonly Draft[] {
  if (options.baseline.size === 0) return [];
  const awaited = traffic.requests.filter(isAwaited);
  const groups = groupedBy(awaited, ({ endpointKey }) => (options.baseline.has(endpointKey) ? endpointKey : null));
  const claimed = claimedBy(found, ["errors", "retries", "rate-limited"]);
  const drafts: Draft[] = [];
  for (const [key, own] of groups) {
    const sessions = (options.baseline.get(key)?.sessions ?? []).filter(({ requests }) => requests >= MINIMUM_REQUESTS);
    if (own.length < MINIMUM_REQUESTS || sessions.length < MINIMUM_SESSIONS) continue;
    const compared = { own, sessions, significant: SIGNIFICANT / groups.size };
    const isTold = own.some(({ id }) => claimed.has(id));
    const worse = [slower(compared), larger(compared), isTold ? null : failingMore(compared)].filter(
      (one) => one !== null,
    );
    const draft = draftFor(worse, compared);
    if (draft !== null) drafts.push(draft);
  }
  return drafts;
}

function draftFor(worse: readonly Worse[], { own, sessions }: Compared): Draft | null {
  const [request] = own;
  const [first] = worse;
  if (request === undefined || first === undefined) return null;
  return draftOf({
    kind: "regression",
    scope: atEndpoint(request),
    count: own.length,
    time: worse.find(({ time }) => time !== null)?.time ?? null,
    bytes: worse.find(({ bytes }) => bytes !== null)?.bytes ?? null,
    confidence: "likely",
    telling: first.telling,
    covers: own,
    summary: `${nameOf(request.facts.endpoint)} became ${worse.map(({ text }) => text).join("; ")}.`,
    advice: "Check what has changed since the baseline sessions: a release, the data or the load.",
    evidence: figures({
      ...Object.assign({}, ...worse.map((one) => one.figures)),
      requests: own.length,
      "baseline sessions": sessions.length,
    }),
    basis:
      "This session's figure is above the figure of each baseline session. Its values also differ from those of all baseline sessions together (p < 0.01, corrected for the number of endpoints compared).",
  });
}

function slower({ own, sessions, significant }: Compared): Worse | null {
  const whole = own.filter(({ latency }) => latency !== null);
  const timed = whole.filter((request) => !isTooUncertain(request));
  const before = sessions.flatMap(({ latencies }) => latencySampleIn(latencies) ?? []);
  const now = latencySampleIn(timed.map(({ latency }) => latency ?? 0));
  if (now === null || before.length < MINIMUM_SESSIONS) return null;
  const verdicts = latencyVerdicts(now, new SampleBaseline(before), BANDS.latency, significant);
  if (verdicts.p50.direction !== "up" && verdicts.p95.direction !== "up") return null;
  const [p50, p95] = [medianOf(before.map((one) => one.p50)), medianOf(before.map((one) => one.p95))];
  return {
    text: `slower: p50 ${inMs(now.p50)} (baseline ${inMs(p50)}), p95 ${inMs(now.p95)} (baseline ${inMs(p95)})${leftOutClause(whole.filter(isTooUncertain))}`,
    figures: {
      p50: `${inMs(now.p50)}, baseline ${inMs(p50)}`,
      p95: `${inMs(now.p95)}, baseline ${inMs(p95)}`,
    },
    telling: longestFirst(timed),
    time: waitingOf(timed.map(({ client, start, end }) => ({ client, start: Math.min(end, start + p50), end }))),
    bytes: null,
  };
}

function larger({ own, sessions, significant }: Compared): Worse | null {
  const whole = own.filter(({ facts }) => isSizeSample(facts.exchange.outcome));
  const before = sessions.flatMap(({ sizes }) => sizeSampleIn(sizes) ?? []);
  const now = sizeSampleIn(whole.map(sizeOf));
  if (now === null || before.length < MINIMUM_SESSIONS) return null;
  if (sizeVerdict(now, new SampleBaseline(before), BANDS.payload, significant).direction !== "up") return null;
  const mean = medianOf(before.map((one) => one.mean));
  return {
    text: `larger: ${inBytes(now.mean)} on average (baseline ${inBytes(mean)})`,
    figures: { "mean response": `${inBytes(now.mean)}, baseline ${inBytes(mean)}` },
    telling: whole.toSorted((left, right) => sizeOf(right) - sizeOf(left)),
    time: null,
    bytes: Math.round((now.mean - mean) * whole.length),
  };
}

function failingMore({ own, sessions, significant }: Compared): Worse | null {
  const failed = own.filter(({ isError }) => isError);
  const now = { errors: failed.length, requests: own.length };
  if (errorVerdict(now, sessions, BANDS.errorRate, significant).direction !== "up") return null;
  const usual = medianOf(sessions.map(({ errors, requests }) => errors / requests));
  const rate = inPercent(failed.length / own.length);
  return {
    text: `less reliable: ${failed.length} of ${own.length} requests failed (${rate}; baseline ${inPercent(usual)})`,
    figures: { "error rate": `${rate}, baseline ${inPercent(usual)}` },
    telling: failed,
    time: waitingOf(failed),
    bytes: null,
  };
}

function sizeOf({ facts }: Request): Bytes {
  return facts.exchange.encodedBodySize;
}
