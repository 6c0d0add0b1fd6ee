import { setTimeout as pause } from "node:timers/promises";
import type { TrafficRecord } from "../../src/engine/messages/traffic-messages.ts";
import { quantile } from "../figures.ts";
import { type Http2Stage, onHttp2Stage } from "../http2-stage.ts";
import type { OpenPage } from "../page.ts";
import type { Part, Row } from "../part.ts";
import type { Route } from "../programs/job.ts";
import type { Stamps } from "../programs/stream-origin.ts";
import { figure } from "../rounds.ts";
import { atMost } from "../verdict.ts";

const STREAMS = 50;
/** Requests measured in a round. */
const REQUESTS = 500;
/** Requests before the measurement. */
const WARM_UP = 200;
/** Bounds of the server's delays in ms. One delay comes before a response starts, and one before it ends. */
const DELAYS = { least: 20, most: 120 };
const AIM = 5;
/** The number of rows that a query requests. */
const WINDOW = 500;

/** Compares the phases that Weir recorded for each stream with the timestamps of a server in another process. */
export const http2Times: Part = {
  name: "h2-times",
  title: `times against the server's own, ${STREAMS} streams at once on one connection`,
  measure: (field) =>
    onHttp2Stage(field, async (stage) => {
      // These requests come before the measurement.
      await sent(
        stage,
        stage.weir.secure,
        Array.from({ length: WARM_UP }, (_, number) => pathOf(number, "warm")),
      );
      const paths = Array.from({ length: REQUESTS * field.rounds }, (_, number) => pathOf(number));
      const through = await sent(stage, stage.weir.secure, paths);
      const records = await recorded(stage, paths.length);
      const direct = await sent(stage, stage.direct, paths);
      const spans = (phase: "ttfb" | "transfer") => (path: string) => lengthOf(records.get(path), phase);
      const rows = [
        apart(FIRST_BYTE, through, ({ received, begun }) => begun - received, spans("ttfb")),
        apart(TRANSFER, through, ({ begun, ended }) => ended - begun, spans("transfer")),
        apart("no proxy: whole, by the client's clock", direct, WHOLE, (path) => direct.times.get(path) ?? Number.NaN),
      ];
      const verdicts = [FIRST_BYTE, TRANSFER].map((name) => {
        const p95 = figure(rows, name, "p95 ms");
        return atMost(`${name}: p95 within ${AIM} ms`, AIM, p95, `${p95.toFixed(2)} ms`);
      });
      return { rows, verdicts };
    }),
};

const FIRST_BYTE = "recorded first byte";
const TRANSFER = "recorded transfer";
const WHOLE = ({ received, ended }: Stamps): number => ended - received;

interface Sent {
  readonly stamps: readonly Stamps[];
  /** For each path, the ms from the request to the end of the response, by the client's clock. */
  readonly times: ReadonlyMap<string, number>;
}

async function sent({ ask, origin, target }: Http2Stage, route: Route, paths: readonly string[]): Promise<Sent> {
  await ask({ do: "open", route, target, connections: 1 });
  const { times } = await ask({ do: "paths", paths, streams: STREAMS });
  await ask({ do: "close" });
  const stamps = await origin.ask<readonly Stamps[]>({});
  return { stamps, times: new Map(paths.map((path, index) => [path, times[index] ?? Number.NaN])) };
}

function apart(
  subject: string,
  { stamps }: Sent,
  lasted: (stamps: Stamps) => number,
  seen: (path: string) => number,
): Row {
  const differences = Float64Array.from(stamps, (each) => Math.abs(seen(each.path) - lasted(each)));
  if (differences.some(Number.isNaN)) throw new Error(`${subject}: one is missing`);
  const figures = {
    "apart, median ms": quantile(differences, 0.5),
    "p95 ms": quantile(differences, 0.95),
    "most ms": quantile(differences, 1),
    streams: differences.length,
  };
  return { subject, figures };
}

/** The path of a timed request. The delays in it are spread evenly and do not grow with `number`. */
function pathOf(number: number, name = "timed"): string {
  const delay = (step: number): number => DELAYS.least + ((number * step) % (DELAYS.most - DELAYS.least));
  return `/${name}/${number}/${delay(37)}/${delay(61)}`;
}

async function recorded({ weir: { page } }: Http2Stage, count: number): Promise<ReadonlyMap<string, TrafficRecord>> {
  const all = new Map<string, TrafficRecord>();
  for (let tries = 0; tries < 100 && all.size < count; tries += 1) {
    for (let from = 0; from < count; from += WINDOW) {
      for (const record of await window(page, from)) if (!record.inFlight) all.set(record.target, record);
    }
    if (all.size < count) await pause(100);
  }
  if (all.size < count) throw new Error(`${all.size} of ${count} were recorded`);
  return all;
}

async function window(page: OpenPage, from: number): Promise<readonly TrafficRecord[]> {
  const sort = { column: "id", descending: false } as const;
  const range = { from, count: WINDOW };
  const { answer } = await page.ask({ view: "traffic", filter: "/timed/", sort, range });
  if (answer.type !== "window") throw new Error("traffic is a list");
  return answer.records as unknown as readonly TrafficRecord[];
}

function lengthOf(record: TrafficRecord | undefined, phase: "ttfb" | "transfer"): number {
  const span = record?.spans.find((each) => each.phase === phase);
  return span === undefined ? Number.NaN : span.to - span.from;
}
