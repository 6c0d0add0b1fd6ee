import { type ReplayEvidence, replayVerdictOf, slowFrom } from "../../../../src/engine/insights/replay-verdict.ts";
import { slowLimitOf } from "../../../../src/engine/insights/slow-requests.ts";
import type { ResentRequest } from "../../../../src/engine/interchange/resend.ts";
import type { Command, FromEngine } from "../../../../src/engine/messages/messages.ts";
import type { ReplayFigures, ReplayProgress, ReplayStarted } from "../../../../src/engine/messages/replay-messages.ts";
import { type Exchange, isLasting, statusOf, timedLatencyOf } from "../../../../src/engine/model/exchange.ts";
import { SAFE_METHODS } from "../../../../src/engine/model/method.ts";
import type { ExchangeId, Milliseconds } from "../../../../src/engine/model/units.ts";
import { distributionsOf } from "../../../../src/engine/session/lists/distributions.ts";
import { type RecordedBeside, recordedBeside } from "../../../../src/engine/session/lists/recorded-beside.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { MOST_VALUES, percentileOf, type Sample, sampleOf } from "../../../../src/engine/stats/percentile.ts";
import type { FromWorker } from "../../threads.ts";

type ReplayRequest = Extract<Command, { readonly type: "replay" }>;

type Send = (message: FromEngine) => void;

interface ReplaysOptions {
  readonly tell: (message: FromWorker) => void;
  readonly current: () => Session;
  readonly fixedThreshold: () => Milliseconds | null;
}

/** The recorded exchange that a run replays, with its request and its session. */
interface ReplaySource {
  readonly exchange: Exchange;
  /** Returns the request to replay. Throws a sentence if the request cannot be sent again. */
  readonly request: () => ResentRequest;
  /** The session that the UI client shows and that contains the recorded request. */
  readonly shown: () => Session;
}

/** The latencies of the endpoint's recorded requests, or those of the replays. */
interface ReplaySide {
  readonly figures: ReplayFigures;
  readonly sample: Sample;
}

interface Run {
  readonly send: Send;
  readonly request: ReplayRequest;
  readonly origin: Pick<AloneRun, "session" | "exchange">;
  readonly evidence: Omit<ReplayEvidence, "replays" | "otherwise" | "uncertain" | "atOnce" | "before">;
  readonly status: number | null;
  readonly recorded: ReplaySide | null;
  /** Whether the shown session, or the session being recorded, has changed. */
  readonly isStale: () => boolean;
  /** Ended replays whose end event has not been processed yet. */
  readonly awaited: Set<ExchangeId>;
  /** Latencies by exchange, in the order of the exchanges' ends. */
  readonly latencies: Map<ExchangeId, Milliseconds>;
  readonly before: readonly Milliseconds[] | null;
  otherwise: number;
  uncertain: number;
  /** Set when the data thread has ended the run; before that `null`. */
  over: { readonly problem: string | null } | null;
  hasNews: boolean;
}

/** A UI client's last run in which the replays were sent one after another. */
interface AloneRun {
  readonly session: Session;
  readonly exchange: ExchangeId;
  readonly latencies: readonly Milliseconds[];
}

/**
 * Runs of replays. The data thread sends the replays, which are recorded like other traffic. Each run is reported to
 * its UI client.
 */
export class Replays {
  readonly #options: ReplaysOptions;
  readonly #running = new Map<number, Run>();
  readonly #alone = new Map<Send, AloneRun>();
  #count = 0;

  constructor(options: ReplaysOptions) {
    this.#options = options;
  }

  /** Starts a run and ends the UI client's previous run. Throws a sentence if the request cannot be replayed. */
  start(request: ReplayRequest, { exchange, request: resent, shown }: ReplaySource, send: Send): ReplayStarted {
    const { method, outcome, tags } = exchange;
    if (outcome === null) throw new Error("This request has not ended yet. Repeat the request after it has ended.");
    if (isLasting(tags, outcome.status))
      throw new Error("This is a stream or a WebSocket. Streams have no latency, so this exchange cannot be repeated.");
    if (!SAFE_METHODS.has(method) && !request.confirmed)
      throw new Error(`${method} may change data on the server, so repeating it must be confirmed.`);
    const prepared = resent();
    const [session, current] = [shown(), this.#options.current()];
    this.#cancelAllOf(send);
    this.#count += 1;
    const alone = this.#alone.get(send);
    const isSame = alone?.session === session && alone.exchange === exchange.id;
    this.#running.set(this.#count, {
      send,
      request,
      origin: { session, exchange: exchange.id },
      status: statusOf(outcome),
      ...this.#recordedOf(exchange, session),
      isStale: () => shown() !== session || this.#options.current() !== current,
      awaited: new Set(),
      latencies: new Map(),
      before: request.atOnce > 1 && isSame ? alone.latencies : null,
      otherwise: 0,
      uncertain: 0,
      over: null,
      hasNews: true,
    });
    const { times, atOnce } = request;
    this.#options.tell({ type: "replay", run: this.#count, request: prepared, times, atOnce: Math.min(atOnce, times) });
    return { replayNumber: this.#count };
  }

  /** Called when a replay has ended. The events of its exchange may come later. */
  replayed(run: number, id: ExchangeId): void {
    this.#running.get(run)?.awaited.add(id);
  }

  /** Handles the data thread's last message about a run. */
  sent(run: number, problem: string | null): void {
    const found = this.#running.get(run);
    if (found !== undefined) found.over = { problem };
  }

  /** Reports changes; to be called a few times a second. */
  tick(): void {
    for (const [number, run] of [...this.#running]) {
      if (run.isStale()) this.#end(number, run, "The repeats ended: another session is shown or recorded now.");
      else this.#report(number, run);
    }
  }

  /** Ends a run of this UI client. Throws a sentence if the run belongs to another UI client. */
  cancel(replayNumber: number, send: Send): void {
    const run = this.#running.get(replayNumber);
    if (run !== undefined && run.send !== send)
      throw new Error("Another window started these repeats. Stop them there.");
    if (run !== undefined) this.#end(replayNumber, run, null);
  }

  /** Ends the run of a UI client that has disconnected. */
  cancelFor(send: Send): void {
    this.#alone.delete(send);
    this.#cancelAllOf(send);
  }

  #cancelAllOf(send: Send): void {
    for (const [number, run] of [...this.#running]) if (run.send === send) this.cancel(number, send);
  }

  /** Facts of the recorded request and its endpoint, as they were at the start of the run. */
  #recordedOf(exchange: Exchange, session: Session): Pick<Run, "evidence" | "recorded"> {
    const row = session.table.rowOf(exchange.id);
    const tally = row === null ? null : session.tallyAt(row);
    const latency = timedLatencyOf(exchange);
    const limit = tally === null ? null : slowLimitOf(tally, this.#options.fixedThreshold());
    const { beside, latencies } = row === null ? UNKNOWN_OTHERS : recordedBeside(session.table, row);
    const isSlow = latency !== null && limit !== null && latency > limit;
    return {
      evidence: { latency, isSlow, beside, recorded: latencies },
      recorded: tally === null ? null : sideIn(tally.latencies.ascending()),
    };
  }

  #report(number: number, run: Run): void {
    this.#collect(run);
    const isDone = run.over !== null && run.awaited.size === 0;
    if (isDone) this.#finish(number, run, run.over?.problem ?? null);
    else if (run.hasNews) run.send(progressOf(number, run, null));
    run.hasNews = false;
  }

  /** Counts the replays whose end event has been processed. */
  #collect(run: Run): void {
    const { table } = this.#options.current();
    for (const id of run.awaited) {
      const row = table.rowOf(id);
      const isEvicted = row === null && table.nextRow > table.firstRow && id < table.ids.at(table.firstRow);
      const exchange = row === null ? null : table.exchangeAt(row);
      if (isEvicted) run.awaited.delete(id);
      if (exchange === null || exchange.outcome === null) continue;
      run.awaited.delete(id);
      run.hasNews = true;
      const latency = timedLatencyOf(exchange);
      if (latency === null || statusOf(exchange.outcome) !== run.status) run.otherwise += 1;
      else this.#add(run, exchange, latency);
    }
  }

  #add(run: Run, { id, uncertainty }: Exchange, latency: Milliseconds): void {
    run.latencies.set(id, latency);
    const cut = slowFrom(run.evidence.latency ?? 0);
    if (Math.abs(latency - cut) < uncertainty) run.uncertain += 1;
  }

  /** Ends a run early, and tells the data thread to stop if it still sends replays. */
  #end(number: number, run: Run, problem: string | null): void {
    if (run.over === null) this.#options.tell({ type: "stop-replays", run: number });
    if (problem === null) this.#collect(run);
    this.#finish(number, run, problem);
  }

  #finish(number: number, run: Run, problem: string | null): void {
    this.#running.delete(number);
    if (run.request.atOnce === 1) this.#alone.set(run.send, { ...run.origin, latencies: latenciesOf(run) });
    run.send(progressOf(number, run, { problem }));
  }
}

const UNKNOWN_OTHERS: RecordedBeside = Object.freeze({
  beside: null,
  latencies: Object.freeze({ alone: [], beside: [] }),
});

/** The figures and the sample of these ascending latencies; `null` if there are none. */
function sideIn(ascending: Float64Array): ReplaySide | null {
  const [least, most] = [ascending.at(0), ascending.at(-1)];
  if (least === undefined || most === undefined) return null;
  const [p50, p95] = [percentileOf(ascending, 0.5), percentileOf(ascending, 0.95)];
  return {
    figures: Object.freeze({ count: ascending.length, p50, p95, least, most }),
    sample: sampleOf(ascending, MOST_VALUES),
  };
}

/** The latencies in the order of the replays' starts. */
function latenciesOf({ latencies }: Run): readonly Milliseconds[] {
  return [...latencies].sort(([one], [other]) => one - other).map(([, latency]) => latency);
}

/**
 * The message about a run's progress. `end`: `null` while the run continues; `end.problem`: why the run ended early, or
 * `null`.
 */
function progressOf(replayNumber: number, run: Run, end: { readonly problem: string | null } | null): ReplayProgress {
  const { request, otherwise, uncertain, recorded, before, evidence } = run;
  const replays = latenciesOf(run);
  const { times, atOnce } = request;
  const side = sideIn(Float64Array.from(replays).sort());
  return {
    type: "replay-progress",
    replayNumber,
    result: {
      times,
      atOnce,
      otherwise,
      ended: replays.length + otherwise,
      latency: evidence.latency,
      slowFrom: evidence.latency === null ? null : slowFrom(evidence.latency),
      recorded: recorded?.figures ?? null,
      replays: side?.figures ?? null,
      distributions: recorded === null || side === null ? null : distributionsOf(recorded.sample, side.sample),
      verdict: end === null ? null : replayVerdictOf({ ...evidence, replays, otherwise, uncertain, atOnce, before }),
    },
    done: end !== null,
    problem: end?.problem ?? null,
  };
}
