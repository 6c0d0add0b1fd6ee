import { answerParent } from "../child.ts";
import { PATHS, trust } from "./connection.ts";
import { type OnBytes, StreamConnection } from "./stream-connection.ts";
import type { StreamJob, StreamOutcome } from "./stream-job.ts";

/** The HTTP/2 load generator: makes its own frames, runs one job at a time, and counts the bytes of each body. */

let connections: readonly StreamConnection[] = [];
/** Callbacks for the current job. */
let onBytes: (connection: number, ...what: Parameters<OnBytes>) => void = () => {};
let broken: (error: Error) => void = () => {};

answerParent<StreamJob>({}, async (job) => {
  switch (job.do) {
    case "trust":
      return trust(job.certificates);
    case "open":
      return open(job);
    case "run":
      return run(job);
    case "paths":
      return loop(job.streams, (count) => job.paths[count] ?? null, null);
    case "download":
      return loop(1, (count) => (count === 0 ? `/bytes/${job.bytes}` : null), job.bytes);
    case "hold":
      return hold(job.streams);
    case "close":
      for (const connection of connections) connection.close();
      connections = [];
  }
});

async function open({ route, target, connections: count }: StreamJob & { do: "open" }): Promise<void> {
  connections = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      StreamConnection.open(
        route,
        target,
        (...what) => onBytes(index, ...what),
        (error) => broken(error),
      ),
    ),
  );
}

function run({ seconds, streams, size }: StreamJob & { do: "run" }): Promise<StreamOutcome> {
  const until = performance.now() + seconds * 1_000;
  return loop(streams, (count) => (performance.now() < until ? (PATHS[count % PATHS.length] ?? null) : null), size);
}

/**
 * Keeps `streams` streams open, spread over the connections, until no path is left. `size`: bytes of each body; `null`:
 * any size. The times are in the order of the requests.
 */
async function loop(
  streams: number,
  path: (count: number) => string | null,
  size: number | null,
): Promise<StreamOutcome> {
  const sent = connections.map(() => new Map<number, { readonly number: number; readonly at: number }>());
  const times: number[] = [];
  let made = 0;
  let inFlight = 0;
  const [began, used] = [performance.now(), process.cpuUsage()];
  await new Promise<void>((resolve, reject) => {
    const send = (index: number): void => {
      const next = path(made);
      const stream = next === null ? null : connections[index]?.ask(next);
      if (stream === null || stream === undefined) return;
      sent[index]?.set(stream, { number: made, at: performance.now() });
      made += 1;
      inFlight += 1;
    };
    broken = reject;
    onBytes = (index, stream, bytes, isOver) => {
      if (!isOver) return;
      if (size !== null && bytes !== size) reject(new Error(`${bytes} bytes came where ${size} were sent`));
      const { number, at } = sent[index]?.get(stream) ?? { number: 0, at: Number.NaN };
      times[number] = performance.now() - at;
      sent[index]?.delete(stream);
      inFlight -= 1;
      send(index);
      if (inFlight === 0) resolve();
    };
    for (let stream = 0; stream < streams; stream += 1) send(stream % connections.length);
  });
  return outcome(times, began, used);
}

async function hold(streams: number): Promise<StreamOutcome> {
  const [began, used] = [performance.now(), process.cpuUsage()];
  let here = 0;
  await new Promise<void>((resolve, reject) => {
    broken = reject;
    onBytes = (_connection, _stream, bytes, isOver) => {
      if (isOver) reject(new Error("an answer ended that should stay"));
      if (bytes > 0) here += 1;
      if (here === streams) resolve();
    };
    for (let stream = 0; stream < streams; stream += 1) connections[stream % connections.length]?.ask("/open");
  });
  return outcome([], began, used);
}

function outcome(times: readonly number[], began: number, used: NodeJS.CpuUsage): StreamOutcome {
  const { user, system } = process.cpuUsage(used);
  const seconds = (performance.now() - began) / 1_000;
  const busy = (user + system) / 1e6 / seconds;
  return { operations: times.length, seconds, times: Float64Array.from(times), busy };
}
