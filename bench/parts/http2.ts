import { type Cost, costAfter, costBefore } from "../cost.ts";
import { type Http2Stage, onHttp2Stage } from "../http2-stage.ts";
import { ask, type Field, type Figures, type Part } from "../part.ts";
import type { Outcome, Route, Target } from "../programs/job.ts";
import { SMALL_BODY } from "../programs/small-answer.ts";
import { figure, inTurns } from "../rounds.ts";
import { atMost, type Verdict } from "../verdict.ts";
import { secureTarget } from "./requests.ts";

/** Requests in flight. With HTTP/2 they share one connection, as in browsers; with HTTP/1.1 each has its own. */
const PARALLEL = 64;
const SECONDS = 2;

/** A route over which the small responses are requested. */
interface Course {
  readonly name: string;
  /** The processes whose CPU time counts; may be empty. */
  readonly pids: readonly number[];
  readonly client: "h1" | "h2";
  readonly route: Route;
  readonly target: Target;
}

export const http2: Part = {
  name: "h2",
  title: `small answers over TLS, ${PARALLEL} at once: HTTP/2 on one connection, HTTP/1.1 on ${PARALLEL}`,
  measure: (field) =>
    onHttp2Stage(field, async (stage) => {
      const rows = await inTurns(field.rounds, coursesOf(field, stage), (course) =>
        course.client === "h2" ? byStreams(stage, course) : byConnections(field, course),
      );
      return { rows, verdicts: verdictsOf(rows) };
    }),
};

function coursesOf(field: Field, { weir, reference, target, direct }: Http2Stage): readonly Course[] {
  const old = { pids: field.weir.pids, route: field.weir.secure, target: secureTarget(field) };
  const own = { pids: weir.pids, route: weir.secure, target };
  return [
    { name: "Weir, h2", client: "h2", ...own },
    { name: "Weir, h1", client: "h1", ...old },
    { name: "Weir, h2 to h1", client: "h2", ...old },
    { name: "Weir, h1 to h2", client: "h1", ...own },
    { name: reference.name, client: "h2", pids: reference.pids, route: reference.secure, target },
    { name: "direct, h2", client: "h2", pids: [], route: direct, target },
  ];
}

async function byStreams({ ask: asked }: Http2Stage, { pids, route, target }: Course): Promise<Figures> {
  const run = { do: "run", streams: PARALLEL, size: SMALL_BODY.length } as const;
  await asked({ do: "open", route, target, connections: 1 });
  await asked({ ...run, seconds: 0.4 });
  const before = await costBefore(pids);
  const { operations, seconds, busy } = await asked({ ...run, seconds: SECONDS });
  const after = await costAfter(pids);
  await asked({ do: "close" });
  return figuresOf(pids, { operations, seconds }, before, after, { "generator busy %": busy * 100 });
}

async function byConnections(field: Field, { pids, route, target }: Course): Promise<Figures> {
  await ask(field, { do: "prepare", route, target, connections: PARALLEL });
  const before = await costBefore(pids);
  const done = await ask<Outcome>(field, { do: "run", seconds: SECONDS, rate: null });
  const after = await costAfter(pids);
  await ask(field, { do: "release" });
  return figuresOf(pids, done, before, after, {});
}

function figuresOf(
  pids: readonly number[],
  { operations, seconds }: Pick<Outcome, "operations" | "seconds">,
  before: Cost,
  after: Cost,
  more: Figures,
): Figures {
  const each = (ms: number): number => (pids.length === 0 ? Number.NaN : (ms * 1_000) / operations);
  return {
    "req/s": operations / seconds,
    "CPU µs": each(after.cpu - before.cpu),
    "of it first thread": each(after.firstThread - before.firstThread),
    ...more,
  };
}

function verdictsOf(rows: Parameters<typeof figure>[0]): readonly Verdict[] {
  const cpu = (subject: string): number => figure(rows, subject, "CPU µs");
  const ratio = cpu("Weir, h2") / cpu("node:http2");
  const measured = `${cpu("Weir, h2").toFixed(1)} µs, ${ratio.toFixed(2)}x`;
  return [atMost("aim: CPU ≤ that of the reference, which records nothing", 1, ratio, measured)];
}
