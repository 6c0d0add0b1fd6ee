import { readFileSync } from "node:fs";
import * as https from "node:https";
import { answerParent } from "../child.ts";

/*
 * Sends the same good request every 50 ms through Weir and directly to the server, over connections that are kept, and
 * every second over new ones.
 */

export interface ProbeJob {
  readonly host: string;
  /** The good server's port, and Weir's. */
  readonly port: number;
  readonly proxy: number;
  /** Weir's process. */
  readonly pid: number;
  readonly certificates: readonly string[];
}

/** A good request that failed. `at`: when, as `Date.now()`. */
export interface Failed {
  readonly at: number;
  readonly what: string;
}

/**
 * Milliseconds of each request since the last question; a failed one has the time until it failed. `work`: how long
 * Weir's data thread ran meanwhile, which other programs on the computer do not change. `queued`: how long it was ready
 * to run, but other threads had the processors.
 */
export interface Probed {
  readonly through: readonly number[];
  readonly work: readonly number[];
  readonly queued: readonly number[];
  readonly direct: readonly number[];
  readonly failed: readonly Failed[];
}

const INTERVAL = 50;
/** Of so many requests, one is sent over a new connection. */
const FRESH = 20;
/** A request that takes longer has failed. */
const LONGEST = 10_000;

const nothing = () => ({
  through: [] as number[],
  work: [] as number[],
  queued: [] as number[],
  direct: [] as number[],
  failed: [] as Failed[],
});
let taken = nothing();
const open = new Set<Promise<void>>();

answerParent<ProbeJob | { readonly take: true } | { readonly send: number }>({}, async (question) => {
  if ("take" in question) {
    await Promise.all(open);
    const result = taken;
    taken = nothing();
    return result;
  }
  if ("send" in question) {
    for (let index = 0; index < question.send; index += 1) await through(`/api/before/${index}`, false);
    return null;
  }
  start(question);
  return null;
});

let through: (path: string, isFresh: boolean) => Promise<void> = async () => {};

function start({ host, port, proxy, pid, certificates }: ProbeJob): void {
  const shared = { keepAlive: true, ca: [...certificates], servername: host };
  const proxyEnv = { https_proxy: `http://127.0.0.1:${proxy}` };
  const routes = {
    through: (keepAlive: boolean) => new https.Agent({ ...shared, keepAlive, proxyEnv }),
    direct: (keepAlive: boolean) =>
      new https.Agent({
        ...shared,
        keepAlive,
        lookup: (_name, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
      }),
  };
  const kept = { through: routes.through(true), direct: routes.direct(true) };
  const send = async (route: "through" | "direct", path: string, isFresh: boolean): Promise<void> => {
    const agent = isFresh ? routes[route](false) : kept[route];
    const [began, before] = [performance.now(), firstThreadOf(pid)];
    const problem = await answered(https.get({ host, port, path, agent, timeout: LONGEST }));
    taken[route].push(performance.now() - began);
    if (route === "through") {
      const after = firstThreadOf(pid);
      taken.work.push(after.ran - before.ran);
      taken.queued.push(after.queued - before.queued);
    }
    if (problem === null) return;
    const what = `${route} over a ${isFresh ? "new" : "kept"} connection, ${path}: ${problem}`;
    taken.failed.push({ at: Date.now(), what });
  };
  through = (path, isFresh) => send("through", path, isFresh);
  let count = 0;
  setInterval(() => {
    count += 1;
    const isFresh = count % FRESH === 0;
    for (const route of ["through", "direct"] as const) {
      const done = send(route, "/api/probe", isFresh).finally(() => open.delete(done));
      open.add(done);
    }
  }, INTERVAL);
}

/** The problem of a request; `null` if it got its whole response. */
function answered(request: ReturnType<typeof https.get>): Promise<string | null> {
  return new Promise((resolve) => {
    request.on("timeout", () => request.destroy(new Error("no answer")));
    request.on("error", (error) => resolve(error.message));
    request.on("response", (response) => {
      response.resume();
      response.on("error", (error) => resolve(error.message));
      response.on("end", () => resolve(response.statusCode === 200 ? null : `status ${response.statusCode}`));
    });
  });
}

/** Milliseconds for which the first thread of a process has run and waited to run, from schedstat (nanoseconds). */
function firstThreadOf(pid: number): { readonly ran: number; readonly queued: number } {
  const [ran = 0, queued = 0] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ").map(Number);
  return { ran: ran / 1e6, queued: queued / 1e6 };
}
