import { pathText, soonerText } from "../../../../engine/insights/what-if/gain-text.ts";
import type { GainsFound } from "../../../../engine/model/load-gain.ts";
import type { ExchangeId, Milliseconds } from "../../../../engine/model/units.ts";
import { durationText } from "../../../format/duration.ts";
import type { SubscriptionStore, ValueSubscription } from "../../../state/subscription-store.ts";
import type { ExperimentButton } from "../../experiment-wish.ts";
import type { LoadRow } from "./where-rows.ts";

/** insight-decode.ts, `what-if`: the longest time, an hour. */
const LONGEST: Milliseconds = 3_600_000;

/** The question when a load would end if a step, or each step of a run, took another time, and the answer. */
export interface WhatIfTexts {
  /** Of the row that the question is about. */
  readonly key: string;
  /** The step, or the first one of the run. */
  readonly exchange: ExchangeId;
  /** "10 ×" of a run; "" of a step. */
  readonly times: string;
  readonly method: string;
  readonly path: string;
  /** After the field: "ms instead of 720 ms", "ms each instead of 61 ms on average". */
  readonly took: string;
  /** What is in the field. */
  readonly time: string;
  /** Why there is no answer; "" if there is one or it is awaited. */
  readonly problem: string;
  /** "This load would end", or that the answer is awaited. */
  readonly lead: string;
  /** "at most 611 ms sooner" */
  readonly gain: string;
  /** "(of 1,412 ms)." */
  readonly of: string;
  /** In how many of all loads the endpoint is on the path, and what its new time saves there; "" for a single load. */
  readonly all: string;
  readonly experiment: ExperimentButton | null;
}

/** Asks what a page load gains if a step, or each step of a run, takes the time in the field. */
export class StepWhatIf {
  readonly #windows: SubscriptionStore;
  readonly #onChange: (texts: WhatIfTexts) => void;
  #subscription: ValueSubscription<"what-if"> | null = null;
  #step: LoadRow | null = null;
  #time = "";

  constructor(windows: SubscriptionStore, onChange: (texts: WhatIfTexts) => void) {
    this.#windows = windows;
    this.#onChange = onChange;
  }

  /** Asks about a step or a run; at first, what is saved if it takes half of its time. */
  choose(step: LoadRow): void {
    if (step.key === this.#step?.key) return;
    this.#step = step;
    this.setTime(String(Math.round(eachOf(step) / 2)));
  }

  setTime(text: string): void {
    this.#time = text;
    const to = timeFrom(text);
    const exchanges = this.#step?.exchanges ?? [];
    if (to !== null && exchanges.length > 0) {
      const query = { view: "what-if", exchanges, endpoint: null, to } as const;
      if (this.#subscription === null) this.#subscription = this.#windows.value(query, () => this.#draw());
      else this.#subscription.update(query);
    }
    this.#draw();
  }

  /** Asks no longer; a step can be chosen again. */
  close(): void {
    this.#subscription?.close();
    this.#subscription = null;
    this.#step = null;
  }

  #draw(): void {
    const [exchange] = this.#step?.exchanges ?? [];
    if (this.#step === null || exchange === undefined) return;
    const { key, times, method, path, experiment } = this.#step;
    const isValid = timeFrom(this.#time) !== null;
    this.#onChange(
      Object.freeze({
        key,
        exchange,
        times,
        method,
        path,
        experiment,
        took: tookText(this.#step),
        time: this.#time,
        problem: isValid ? "" : `Enter a time from 0 to ${durationText(LONGEST)} ms.`,
        ...(isValid ? answerOf(this.#subscription?.value ?? null) : NO_ANSWER),
      }),
    );
  }
}

/** How long a step took; of a run, on average. */
function eachOf({ length, exchanges }: LoadRow): Milliseconds {
  return length / Math.max(1, exchanges.length);
}

function tookText(step: LoadRow): string {
  const time = `${durationText(eachOf(step))} ms`;
  return step.exchanges.length > 1 ? `ms each instead of ${time} on average` : `ms instead of ${time}`;
}

const NO_ANSWER = { lead: "", gain: "", of: "", all: "" };

/** A time in ms; `null` if the text is none, or more than `LONGEST`. */
export function timeFrom(text: string): Milliseconds | null {
  const plain = text.trim().replaceAll(",", "");
  const time = /^\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : null;
  return time !== null && time <= LONGEST ? time : null;
}

/** `found`: `null` before the first answer. */
export function answerOf(found: GainsFound | null): Pick<WhatIfTexts, "lead" | "gain" | "of" | "all"> {
  if (found === null) return { ...NO_ANSWER, lead: "Calculating…" };
  const { step, loads } = found;
  if (step === null) return { ...NO_ANSWER, lead: "This request no longer belongs to a page load." };
  const all = loads !== null && loads.units > 1 ? `${pathText(loads)}.` : "";
  return {
    lead: `This ${step.unit} would end`,
    gain: soonerText(step.gain),
    of: `(of ${durationText(step.duration)} ms).`,
    all,
  };
}
