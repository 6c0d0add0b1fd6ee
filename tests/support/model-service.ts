import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type Answer, errorOfModel, eventsOfModel, type ModelStream, streamTypeOf } from "./model-streams.ts";

/** How the service answers a call, as its client asks in the header `x-plan`. Times are in ms. */
export interface ModelPlan {
  readonly api: ModelStream;
  readonly answer: Answer;
  /** From the request to the first token. */
  readonly thinking: number;
  /** Between two batches of `batch` events. */
  readonly gap: number;
  readonly batch: number;
  /** A pause in the middle of the answer; 0 for none. */
  readonly stall: number;
  /** How often the call is refused with this status before it is answered. */
  readonly refusals: number;
  readonly status: number;
  /** The name of the error with which the answer ends after half of its words; `null` for a whole answer. */
  readonly error: string | null;
}

/** What the service did, by its own clock. */
export interface ServedCall {
  readonly plan: ModelPlan;
  /** From the received request to the first token that was sent. */
  readonly firstToken: number;
  /** The longest time between two sent events with tokens. */
  readonly longestPause: number;
}

/**
 * A service that streams answers of all shapes and logs what it did, by the call's id in `x-id`. Paths below `/held` go
 * through an intermediary that sends an answer on only once it is complete.
 */
export class ModelService {
  readonly served = new Map<string, ServedCall>();
  readonly #refused = new Map<string, number>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((asked, response) => void this.#handle(asked, response));
  }

  static async start(): Promise<ModelService> {
    const service = new ModelService();
    service.#server.listen(0, "127.0.0.1");
    await once(service.#server, "listening");
    return service;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #handle(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = performance.now();
    const body = await bodyOf(asked);
    if (asked.url?.startsWith("/held/")) return this.#buffer(asked, body, response);
    const id = String(asked.headers["x-id"]);
    const plan = JSON.parse(String(asked.headers["x-plan"])) as ModelPlan;
    const refused = this.#refused.get(id) ?? 0;
    if (refused < plan.refusals) {
      this.#refused.set(id, refused + 1);
      response.writeHead(plan.status, { "Content-Type": "application/json" }).end('{"error":{"message":"later"}}');
      return;
    }
    response.writeHead(200, { "Content-Type": streamTypeOf(plan.api) });
    await this.#stream(id, plan, received, response);
  }

  async #stream(id: string, plan: ModelPlan, received: number, response: ServerResponse): Promise<void> {
    const { api, answer, gap, batch, stall } = plan;
    const generation = Math.ceil(answer.words.length / batch) * gap;
    const sent: number[] = [];
    const half = Math.floor(answer.words.length / 2);
    for (const { text, isToken } of eventsOfModel(api, answer, generation)) {
      if (plan.error !== null && sent.length === half) {
        response.write(errorOfModel(api, plan.error, false));
        break;
      }
      if (isToken && sent.length === 0) await pause(Math.max(0, plan.thinking - (performance.now() - received)));
      else if (isToken && sent.length === half && stall > 0) await pause(stall);
      else if (isToken && sent.length % batch === 0) await pause(gap);
      response.write(text);
      if (isToken) sent.push(performance.now());
    }
    response.end();
    const pauses = sent.slice(1).map((at, index) => at - (sent[index] ?? at));
    this.served.set(id, { plan, firstToken: (sent[0] ?? received) - received, longestPause: Math.max(...pauses) });
  }

  /** The intermediary: asks the service itself, and sends the answer on in one piece. */
  async #buffer(asked: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
    const path = String(asked.url).slice("/held".length);
    const inner = request({ host: "127.0.0.1", port: this.port, method: "POST", path, headers: asked.headers });
    inner.end(body);
    const [answer] = (await once(inner, "response")) as [IncomingMessage];
    const whole = await bodyOf(answer);
    response.writeHead(200, { "Content-Type": answer.headers["content-type"] ?? "" }).end(whole);
  }
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}
