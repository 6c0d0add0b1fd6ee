import type { CaptureEvent } from "../../../../src/engine/capture/event.ts";
import { endedExperimentOf } from "../../../../src/engine/insights/experiment/ended-experiment.ts";
import { verdictOf } from "../../../../src/engine/insights/experiment/verdict.ts";
import { verdictText } from "../../../../src/engine/insights/experiment/verdict-text.ts";
import type { ExperimentState } from "../../../../src/engine/messages/experiment-messages.ts";
import type { Command, FromEngine } from "../../../../src/engine/messages/messages.ts";
import { type EndpointParts, operationIn, partsOf } from "../../../../src/engine/model/endpoint.ts";
import type {
  EndedExperiment,
  ExperimentEnd,
  ExperimentUnit,
  ExperimentVerdict,
} from "../../../../src/engine/model/experiment.ts";
import { SAFE_METHODS } from "../../../../src/engine/model/method.ts";
import { failure, type Result, success, unwrap } from "../../../../src/engine/model/result.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import type { Clock } from "../../process/clock.ts";
import type { FromWorker } from "../../threads.ts";
import { ExperimentUnits } from "./experiment-units.ts";

type StartExperiment = Extract<Command, { readonly type: "start-experiment" }>;

type Send = (message: FromEngine) => void;

interface ExperimentsOptions {
  /** Sends a message to the data thread, which holds the responses. */
  readonly tell: (message: FromWorker) => void;
  readonly clock: Clock;
  readonly current: () => Session;
  /** Called with each experiment that has ended and has a whole block, to keep it with the session. */
  readonly onEnd: (ended: EndedExperiment) => void;
}

interface Running {
  readonly session: Session;
  /** Who started it. */
  readonly send: Send;
  readonly units: ExperimentUnits;
  readonly counted: ExperimentUnit[];
  loads: number;
  state: ExperimentState;
}

/**
 * The experiment that runs, and the last one. The data thread draws levels and holds responses; this times the units
 * and asks for the verdict. Pause, Clear, New session and Stop end the experiment.
 */
export class Experiments {
  readonly #options: ExperimentsOptions;
  #running: Running | null = null;
  #state: ExperimentState | null = null;
  #count = 0;

  constructor(options: ExperimentsOptions) {
    this.#options = options;
  }

  /** The experiment that runs, else the last one; `null` if there was none. */
  get state(): ExperimentState | null {
    return this.#running?.state ?? this.#state;
  }

  /** Starts an experiment. Throws a sentence if it cannot be started. */
  start({ target, client, levels, units, confirmed }: StartExperiment, send: Send): void {
    if (this.#running !== null) throw new Error("An experiment is running. Stop it, then start another one.");
    const session = this.#options.current();
    const parts: EndpointParts = unwrap(experimentTargetOf(target, session));
    if (client !== null && session.table.texts.find(client) === 0)
      throw new Error(`No client of this session is called “${client}”. Traffic shows the names in its column Client.`);
    if (new Set(levels).size < 2) throw new Error("The levels are equal. An experiment compares at least two.");
    if (!SAFE_METHODS.has(parts.method) && !confirmed)
      throw new Error(
        `${parts.method} may change data on the server, and a client may send it again if it waits. Confirm the experiment.`,
      );
    this.#count += 1;
    const planned = Math.ceil(units / levels.length) * levels.length;
    this.#running = {
      session,
      send,
      loads: 0,
      counted: [],
      units: new ExperimentUnits((id) => session.exchange(id)?.endpoint ?? null),
      state: {
        number: this.#count,
        target: parts,
        client,
        levels,
        unit: "walk",
        planned,
        counted: 0,
        leftOut: 0,
        result: null,
      },
    };
    this.#options.tell({ type: "start-experiment", target: parts, client, levels });
  }

  addEvents(events: readonly CaptureEvent[]): void {
    this.#running?.units.add(events);
  }

  /** Times the units that are over, and ends an experiment that has its verdict; to be called a few times a second. */
  tick(): void {
    const running = this.#running;
    if (running === null) return;
    if (this.#options.current() !== running.session) return this.endBy("session");
    this.#options.tell({ type: "experiment-watched" });
    // A verdict takes a tenth of a second, so it is asked for once per unit.
    if (!this.#take(running)) return;
    const plan = { levels: running.state.levels, units: running.state.planned };
    const verdict = verdictOf(running.counted, plan, false);
    if (verdict === null) return;
    this.#stop();
    this.#keep(running, "enough", verdict);
  }

  endBy(end: ExperimentEnd): void {
    const running = this.#running;
    if (running === null) return;
    this.#stop();
    this.#take(running);
    const { levels, planned } = running.state;
    const verdict = verdictOf(running.counted, { levels, units: planned }, true);
    if (verdict === null) throw new Error("an experiment that is over has a verdict");
    this.#keep(running, end, verdict);
  }

  /** Ends the experiment that this UI client started, because it has disconnected. */
  endFor(send: Send): void {
    if (this.#running?.send === send) this.endBy("window-gone");
  }

  /** Holds no response any more. */
  #stop(): void {
    this.#running = null;
    this.#options.tell({ type: "end-experiment" });
  }

  #keep(running: Running, end: ExperimentEnd, verdict: ExperimentVerdict): void {
    const text = verdictText(verdict, running.state.unit);
    const state = { ...running.state, result: { end, verdict, text } };
    this.#state = state;
    // Another session has no request that this could be about.
    if (verdict.units === 0 || this.#options.current() !== running.session) return;
    const { target, client, levels, unit, planned } = state;
    const facts = { target, client, levels, unit, planned, end, verdict };
    this.#options.onEnd(endedExperimentOf(facts, running.counted));
  }

  /** Adds the units that are over; returns whether there were any. */
  #take(running: Running): boolean {
    const before = running.counted.length;
    for (const { unit, isLoad } of running.units.takeEnded(this.#options.clock.now())) {
      running.counted.push(unit);
      if (isLoad) running.loads += 1;
      if (unit.leftOut !== null)
        this.#options.tell({ type: "draw-again", draw: { block: unit.block, level: unit.level } });
    }
    const leftOut = running.counted.filter((unit) => unit.leftOut !== null).length;
    const counted = running.counted.length - leftOut;
    const unit = 2 * running.loads > running.counted.length ? "load" : "walk";
    running.state = { ...running.state, counted, leftOut, unit };
    return running.counted.length > before;
  }
}

/**
 * The endpoint that "METHOD PATH" or "METHOD URL" names, among those recorded. The problem of a failure is a sentence
 * that says what to do.
 */
export function experimentTargetOf(text: string, session: Session): Result<EndpointParts> {
  const [, method = "", address = ""] = /^([\w-]{1,64}) (\S+)$/.exec(text.trim()) ?? [];
  if (method === "") return failure(`“${text}” is no endpoint. Write its method and path, such as "GET /v1/prices".`);
  const found = session.tallies.counted().filter(({ endpoint }) => {
    const parts = partsOf(endpoint);
    const isAddress = address === parts.path || address === parts.origin + parts.path;
    return operationIn(endpoint) === null && parts.method === method && isAddress;
  });
  const [first, second] = found;
  if (first === undefined) return failure(unknownText(text, method, address, session));
  const parts = partsOf(first.endpoint);
  if (second !== undefined)
    return failure(
      `${found.length} servers have ${text}. Name one by its URL, such as "${method} ${parts.origin}${parts.path}".`,
    );
  if (first.latencies.count === 0)
    return failure(`${text} had no whole response in this session. Only whole responses can be held back.`);
  return success(parts);
}

function unknownText(text: string, method: string, address: string, session: Session): string {
  const hasOperations = session.tallies.counted().some(({ endpoint }) => {
    const parts = partsOf(endpoint);
    return parts.method === method && (address === parts.path || address === parts.origin + parts.path);
  });
  if (hasOperations)
    return `${text} carries operations (GraphQL, JSON-RPC, SOAP). Weir cannot hold back one of them yet.`;
  return `This session has no request to ${text}. Send one through Weir, then start the experiment again.`;
}
