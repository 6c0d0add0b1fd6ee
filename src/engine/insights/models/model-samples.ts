import type { ExchangeFacts } from "../exchange-facts.ts";

/** The most different models that are told apart; further ones count together. */
const MOST_MODELS = 1_000;
const FURTHER = "other models";
const UNNAMED = "not named";

/** The calls of language models in a session, as arrays that cross between threads. */
export interface ModelSamples {
  readonly ids: Float64Array;
  /** Of each call the place of its model in `names`. */
  readonly models: Uint32Array;
  /** In ms; NaN if unknown. */
  readonly firstTokens: Float64Array;
  /** Tokens per second; NaN if unknown. */
  readonly rates: Float64Array;
  readonly names: readonly string[];
}

export function modelSamplesOf(facts: readonly ExchangeFacts[]): ModelSamples {
  const calls = facts.filter(({ model }) => model !== null);
  const indexes = new Map<string, number>();
  const indexOf = (wanted: string): number => {
    const name = indexes.size < MOST_MODELS || indexes.has(wanted) ? wanted : FURTHER;
    const index = indexes.get(name) ?? indexes.size;
    indexes.set(name, index);
    return index;
  };
  return Object.freeze({
    ids: Float64Array.from(calls, ({ exchange }) => exchange.id),
    models: Uint32Array.from(calls, ({ model }) => indexOf(model?.model ?? UNNAMED)),
    firstTokens: Float64Array.from(calls, ({ model }) => model?.firstToken ?? Number.NaN),
    rates: Float64Array.from(calls, ({ model }) => model?.rate?.perSecond ?? Number.NaN),
    names: Object.freeze([...indexes.keys()]),
  });
}
