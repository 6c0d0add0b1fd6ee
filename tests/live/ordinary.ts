import type { IncomingMessage, ServerResponse } from "node:http";
import { type ClientRun, pause, type ServiceRun } from "./contract.ts";
import type { Draw } from "./draw.ts";
import { segmentsOf, sendJson } from "./http.ts";

/*
 * Traffic beside a cause, in which nothing is wrong: other endpoints of the same service, asked by other people.
 */

/** Answers a request for one of the other endpoints; `false` if it is for none of them. */
export async function answersOrdinary(
  run: ServiceRun,
  others: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const [name = "", id = ""] = segmentsOf(request);
  const index = others.indexOf(name);
  if (index < 0) return false;
  await run.work(14 + 11 * index, 0.4);
  sendJson(response, { [name]: id, note: run.random.text(60 + 90 * index) });
  return true;
}

/** Somebody else asks other endpoints at random moments. */
export function browse(run: ClientRun, host: string, others: readonly string[], count: number, mean = 380) {
  const visitor = run.actor("visitor", { userAgent: "browser/5.0", address: "127.0.0.9" });
  const ids = run.random.shuffled(Array.from({ length: 900 }, (_, index) => index + 100));
  const names = ids.map(() => run.random.pick(others));
  return arrivals(run.random, count, mean, (index) => visitor.ask("GET", host, `/${names[index]}/${ids[index]}`));
}

/**
 * Calls at random moments with this mean gap in ms, whether or not earlier calls have ended. Resolves when all have.
 */
export async function arrivals(
  random: Draw,
  count: number,
  mean: number,
  ask: (index: number) => Promise<unknown>,
): Promise<void> {
  const gaps = Array.from({ length: count }, () => -Math.log(1 - random.real(0, 1)) * mean);
  const calls: Promise<unknown>[] = [];
  for (const [index, gap] of gaps.entries()) {
    await pause(gap);
    calls.push(ask(index));
  }
  await Promise.all(calls);
}

/** Whom a service counts an added wait for: the client's User-Agent, which is different for each client of a case. */
export const clientOf = (request: IncomingMessage): string => request.headers["user-agent"] ?? "";
