import type { ErrorType } from "../../../src/engine/model/exchange.ts";
import type { Clock } from "../clock.ts";
import { type Answer, bodyOf, headOf, troubleAnswer, writeAnswer } from "./answer.ts";
import type { Client, ClientExchange } from "./client-exchange.ts";
import { type Failure, statusFor } from "./error-type.ts";
import type { RequestHead } from "./http1/message.ts";
import type { Recording } from "./recording.ts";

/** An exchange that no server takes part in: the request is read to its end, then answered. */
export class OwnExchange implements ClientExchange {
  readonly answering = false;
  readonly #head: RequestHead;
  readonly #answer: Answer;
  readonly #failure: Failure | null;
  readonly #client: Client;
  readonly #recording: Recording;
  readonly #clock: Clock;
  #over = false;

  /** `failure`: the answer is about trouble, and so is the row. */
  constructor(head: RequestHead, answer: Answer | Failure, client: Client, recording: Recording, clock: Clock) {
    this.#head = head;
    this.#failure = "errorType" in answer ? answer : null;
    this.#answer = "errorType" in answer ? failureAnswer(answer) : answer;
    this.#client = client;
    this.#recording = recording;
    this.#clock = clock;
  }

  requestBody(_wire: Buffer, data: readonly Buffer[]): void {
    for (const piece of data) this.#recording.body("request", piece);
  }

  requestEnd(): void {
    this.#reply(this.#head.keepAlive && this.#failure === null);
  }

  inputRead(): void {
    // A client that waits to be asked for its body is told the end of the story at once.
    if (this.#head.expectContinue) this.#reply(false);
  }

  requestBroken(errorType: "request-malformed" | "request-truncated", status: number, detail: string): void {
    const failure = { errorType, detail };
    writeAnswer(this.#client.out, failureAnswer(failure, status), this.#head.method, false);
    this.#fail(failure, status);
    this.#client.finished(false);
  }

  clientDrained(): void {}

  clientGone(): void {
    this.#fail(CLIENT_GONE, null);
  }

  expire(): void {}

  stop(): void {
    this.#fail(STOPPED, null);
  }

  #reply(mayKeep: boolean): void {
    if (this.#over) return;
    this.#over = true;
    const keepAlive = mayKeep && !this.#client.draining;
    const { instants } = this.#recording;
    const at = this.#clock.now();
    const head = headOf(this.#answer, keepAlive);
    const body = bodyOf(this.#answer);
    instants.responseStart = at;
    this.#client.out.add(head);
    if (this.#head.method !== "HEAD") this.#client.out.add(body);
    this.#client.out.flush();
    const end = this.#clock.now();
    instants.responseForwarded = end;
    instants.responseEnd = end;
    if (this.#failure === null) {
      this.#recording.responseStarted(at, this.#answer.status, head);
      if (this.#head.method !== "HEAD") this.#recording.body("response", body);
      this.#recording.ended(end, { kind: "responded", status: this.#answer.status });
    } else {
      this.#recording.ended(end, { kind: "failed", ...this.#failure, status: this.#answer.status });
    }
    this.#client.finished(keepAlive);
  }

  #fail(failure: Failure, status: number | null): void {
    if (this.#over) return;
    this.#over = true;
    this.#recording.ended(this.#clock.now(), { kind: "failed", ...failure, status });
  }
}

/** What the client reads about a failure. */
export function failureAnswer({ errorType, detail }: Failure, status = statusFor(errorType)): Answer {
  return troubleAnswer(status, detail, errorType);
}

export const CLIENT_GONE: Failure = Object.freeze({
  errorType: "client-aborted" satisfies ErrorType,
  detail: "The client closed the connection before it had the whole answer.",
});

export const STOPPED: Failure = Object.freeze({
  errorType: "proxy-stopped" satisfies ErrorType,
  detail: "Weir was stopped while the exchange was in flight.",
});
