import type { Instant } from "../../../../../src/engine/model/units.ts";
import type { Clock } from "../../../process/clock.ts";
import type { RequestHead } from "../http1/message.ts";
import { type Failure, STOPPED, statusFor } from "../sockets/error-type.ts";
import type { Client, ClientExchange } from "./client-exchange.ts";
import type { ExchangeEmitter } from "./exchange-emitter.ts";
import { bodyOf, errorResponse, type GeneratedResponse, headOf, writeResponse } from "./generated-response.ts";

/** An exchange without a server: reads the request to its end, then sends a local response. */
export class LocalExchange implements ClientExchange {
  readonly answering = false;
  readonly #head: RequestHead;
  readonly #response: GeneratedResponse;
  readonly #failure: Failure | null;
  readonly #client: Client;
  readonly #emitter: ExchangeEmitter;
  readonly #clock: Clock;
  #over = false;

  /** If `response` is a failure, the row fails, too. */
  constructor(
    head: RequestHead,
    response: GeneratedResponse | Failure,
    client: Client,
    emitter: ExchangeEmitter,
    clock: Clock,
  ) {
    this.#head = head;
    this.#failure = "errorType" in response ? response : null;
    this.#response = "errorType" in response ? failureResponse(response) : response;
    this.#client = client;
    this.#emitter = emitter;
    this.#clock = clock;
  }

  requestBody(_wire: Buffer, data: readonly Buffer[]): void {
    for (const piece of data) this.#emitter.body("request", piece);
  }

  requestEnd(): void {
    this.#reply(this.#head.keepAlive && this.#failure === null);
  }

  inputRead(): void {
    // A client that expects 100 Continue gets the final response at once.
    if (this.#head.expectContinue) this.#reply(false);
  }

  requestBroken(errorType: "request-malformed" | "client-aborted", status: number, detail: string): void {
    const failure = { errorType, detail };
    writeResponse(this.#client.out, failureResponse(failure, status), this.#head.method, false);
    this.#fail(failure, status);
    this.#client.finished(false);
  }

  clientDrained(): void {}

  clientGone(_code: number | null, failure: Failure, leftAt: Instant | null): void {
    if (this.#over) return;
    this.#over = true;
    this.#emitter.clientLeft(leftAt ?? this.#clock.now(), failure, null);
  }

  expire(): void {}

  stop(): void {
    this.#fail(STOPPED, null);
  }

  #reply(mayKeep: boolean): void {
    if (this.#over) return;
    this.#over = true;
    const keepAlive = mayKeep && !this.#client.peer.draining;
    const at = this.#clock.now();
    const head = headOf(this.#response, keepAlive);
    const body = bodyOf(this.#response);
    this.#emitter.responseBegan(at);
    this.#client.out.add(head);
    if (this.#head.method !== "HEAD") this.#client.out.add(body);
    this.#client.out.flush();
    const end = this.#clock.now();
    this.#emitter.responseForwarded(end);
    this.#emitter.responseEnded(end);
    if (this.#failure === null) {
      this.#emitter.responseStarted(at, this.#response.status, head);
      if (this.#head.method !== "HEAD") this.#emitter.body("response", body);
      this.#emitter.ended(end, { kind: "responded", status: this.#response.status });
    } else {
      this.#emitter.ended(end, { kind: "failed", ...this.#failure, status: this.#response.status });
    }
    this.#client.finished(keepAlive);
  }

  #fail(failure: Failure, status: number | null): void {
    if (this.#over) return;
    this.#over = true;
    this.#emitter.ended(this.#clock.now(), { kind: "failed", ...failure, status });
  }
}

export function failureResponse({ errorType, detail }: Failure, status = statusFor(errorType)): GeneratedResponse {
  return errorResponse(status, detail, errorType);
}
