import type { ExchangeFacts } from "../../src/engine/insights/exchange-facts.ts";
import { FactsMaker } from "../../src/engine/insights/facts/facts-maker.ts";
import { type FoundLinks, LinkFinder } from "../../src/engine/insights/links/link-finder.ts";
import { PathTemplates } from "../../src/engine/insights/path-templates.ts";
import { pathOf } from "../../src/engine/model/endpoint.ts";
import type { Exchange, Outcome, Tag } from "../../src/engine/model/exchange.ts";
import type { Link } from "../../src/engine/model/link.ts";
import { exchange } from "./exchange.ts";

/** An exchange with its content; by default a GET to api.test that takes 50 ms. */
export interface Talk {
  readonly id?: number;
  readonly client?: string;
  readonly method?: string;
  readonly origin?: string;
  readonly target?: string;
  readonly at: number;
  readonly lasts?: number;
  /** Milliseconds from the start to the first byte of the response; by default the whole time except 1 ms. */
  readonly ttfb?: number;
  readonly status?: number;
  /** Header lines of the request. */
  readonly sends?: readonly string[];
  readonly body?: string;
  /** Header lines of the response. */
  readonly gives?: readonly string[];
  readonly answer?: string;
  readonly initiators?: readonly string[];
  readonly outcome?: Outcome;
  readonly tags?: readonly Tag[];
}

/** The facts of the exchanges, in the order of their starts. */
export function factsOf(talks: readonly Talk[]): readonly { readonly facts: ExchangeFacts; readonly talk: Talk }[] {
  const made = talks.map((talk, index) => ({ talk, exchange: exchangeOf(talk, index + 1) }));
  made.sort(
    (one, other) =>
      one.exchange.instants.startTime - other.exchange.instants.startTime || one.exchange.id - other.exchange.id,
  );
  const paths = made.map(({ exchange: { origin, target } }) => ({ origin, path: pathOf(target), requests: 1 }));
  const templates = new PathTemplates();
  templates.learn(paths);
  const maker = new FactsMaker(templates);
  return made.map(({ talk, exchange: own }) => ({ talk, facts: maker.factsOf(own, contentOf(talk)) }));
}

/** The links of the exchanges, which may be given in any order. */
export function foundIn(talks: readonly Talk[], window = 300): FoundLinks {
  const finder = new LinkFinder(window);
  for (const { facts, talk } of factsOf(talks))
    finder.add(facts, {
      requestText: talk.body ?? "",
      responseText: talk.answer ?? "",
      initiators: talk.initiators ?? [],
    });
  return finder.links(new Set());
}

/** The links as texts, "1>2 value"; an id is the place in the list, from 1. */
export function linksIn(talks: readonly Talk[], window = 300): readonly string[] {
  return foundIn(talks, window).links.map(named);
}

export function named({ from, to, basis }: Link): string {
  return `${from}>${to} ${basis}`;
}

function exchangeOf(talk: Talk, id: number): Exchange {
  const { at, lasts = 50, gives = [] } = talk;
  const end = at + lasts;
  const type = gives.find((line) => /^content-type:/i.test(line))?.replace(/^[^:]*:\s*([^;]*).*$/, "$1") ?? null;
  return exchange({
    id: talk.id ?? id,
    ...(talk.client === undefined ? {} : { client: talk.client }),
    method: talk.method ?? "GET",
    origin: talk.origin ?? "https://api.test",
    target: talk.target ?? "/",
    start: at,
    end,
    instants: { responseStart: at + (talk.ttfb ?? Math.max(0, lasts - 1)) },
    status: talk.status ?? 200,
    ...(talk.outcome === undefined ? {} : { outcome: talk.outcome }),
    contentType: type,
    tags: talk.tags ?? [],
  });
}

function contentOf({ sends = [], gives = [], body = "", answer = "" }: Talk): Parameters<FactsMaker["factsOf"]>[1] {
  const of = (text: string) => ({ size: text.length, hash: text, compressed: null });
  return {
    requestHead: headOf("GET / HTTP/1.1", sends),
    responseHead: headOf("HTTP/1.1 200 OK", gives),
    requestText: body,
    responseText: answer,
    requestBody: of(body),
    responseBody: of(answer),
    serverAddress: null,
    events: null,
    model: null,
  };
}

function headOf(line: string, fields: readonly string[]): string {
  return `${[line, ...fields].join("\r\n")}\r\n\r\n`;
}
