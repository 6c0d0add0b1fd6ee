import type { Socket } from "node:net";
import { AnswerEnd, headFor, openConnection, PATHS } from "./connection.ts";
import type { Outcome, Route, Target } from "./job.ts";

/** Seconds for which connections are used before a measurement. */
const WARM_UP = 0.4;

/** A keep-alive connection with at most one request in flight. */
interface Line {
  readonly socket: Socket;
  readonly end: AnswerEnd;
  sentAt: number;
  busy: boolean;
}

/** Sends small requests over keep-alive connections. */
export class RequestLoad {
  readonly #lines: readonly Line[];
  readonly #requests: readonly Buffer[];
  #sent = 0;
  #times: number[] = [];
  #answered: (line: Line) => void = () => {};
  #broken: (error: Error) => void = () => {};

  private constructor(lines: readonly Line[], requests: readonly Buffer[]) {
    this.#lines = lines;
    this.#requests = requests;
    for (const line of lines) {
      line.socket.on("data", (bytes: Buffer) => this.#received(line, bytes));
      line.socket.on("close", () => this.#broken(new Error("a connection was closed")));
      line.socket.on("error", (error) => this.#broken(error));
      line.socket.resume();
    }
  }

  static async prepare(route: Route, target: Target, connections: number): Promise<RequestLoad> {
    const open = async (): Promise<Line> => {
      return { socket: await openConnection(route, target), end: new AnswerEnd(), sentAt: 0, busy: false };
    };
    // One connection is opened before the others. Otherwise, a slow proxy would make 64 certificates for a new host.
    const first = await open();
    const others = await Promise.all(Array.from({ length: connections - 1 }, open));
    const load = new RequestLoad(
      [first, ...others],
      PATHS.map((path) => Buffer.from(headFor("GET", path, route, target))),
    );
    await load.closedLoop(WARM_UP);
    return load;
  }

  /** Each connection sends the next request after the response to the last. */
  async closedLoop(seconds: number): Promise<Outcome> {
    const until = performance.now() + seconds * 1_000;
    return this.#measured((finish) => {
      this.#answered = (line) => {
        if (performance.now() < until) this.#send(line);
        else if (this.#isQuiet()) finish();
      };
      for (const line of this.#lines) this.#send(line);
    });
  }

  async exactly(count: number): Promise<Outcome> {
    let left = count;
    return this.#measured((finish) => {
      this.#answered = (line) => {
        if (left > 0) {
          left -= 1;
          this.#send(line);
        } else if (this.#isQuiet()) finish();
      };
      for (const line of this.#lines) {
        if (left === 0) return;
        left -= 1;
        this.#send(line);
      }
    });
  }

  /**
   * Sends requests at a fixed rate, whether or not earlier requests were answered. A request's time includes the wait
   * for a free connection.
   */
  async openLoop(seconds: number, rate: number): Promise<Outcome> {
    const waiting: number[] = [];
    const free: Line[] = [...this.#lines];
    const began = performance.now();
    const whole = seconds * rate;
    let made = 0;
    return this.#measured((finish) => {
      const start = (line: Line, due: number): void => {
        this.#send(line);
        line.sentAt = due;
      };
      this.#answered = (line) => {
        const due = waiting.shift();
        if (due !== undefined) start(line, due);
        else free.push(line);
        if (made === whole && waiting.length === 0 && this.#isQuiet()) finish();
      };
      const tick = (): void => {
        // A request's time starts when this timer runs, so that the timer's own delay is not counted for the proxy.
        const now = performance.now();
        for (; made < whole && made < ((now - began) / 1_000) * rate; made += 1) {
          const line = free.shift();
          if (line === undefined) waiting.push(now);
          else start(line, now);
        }
        if (made < whole) setTimeout(tick, 1);
      };
      tick();
    });
  }

  release(): void {
    this.#broken = () => {};
    for (const { socket } of this.#lines) socket.destroy();
  }

  async #measured(go: (finish: () => void) => void): Promise<Outcome> {
    this.#times = [];
    const began = performance.now();
    await new Promise<void>((resolve, reject) => {
      this.#broken = reject;
      go(resolve);
    });
    const times = Float64Array.from(this.#times);
    return { operations: times.length, seconds: (performance.now() - began) / 1_000, times };
  }

  #send(line: Line): void {
    line.sentAt = performance.now();
    line.busy = true;
    this.#sent += 1;
    line.socket.write(this.#requests[this.#sent % this.#requests.length] as Buffer);
  }

  #received(line: Line, bytes: Buffer): void {
    if (!line.end.isIn(bytes)) return;
    line.busy = false;
    this.#times.push(performance.now() - line.sentAt);
    this.#answered(line);
  }

  #isQuiet(): boolean {
    return this.#lines.every(({ busy }) => !busy);
  }
}
