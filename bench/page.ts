import { once } from "node:events";
import { WebSocket } from "ws";
import type { Command, FromEngine, Query, ToEngine, ValueOf } from "../src/engine/messages/messages.ts";
import type { Summary } from "../src/engine/messages/status-messages.ts";

/** The three queries of an open main window. */
const QUERIES: readonly Query[] = [
  {
    view: "traffic",
    filter: "",
    sort: { column: "id", descending: true },
    range: { from: 0, count: 60 },
  },
  { view: "latency", filter: "", sort: { column: "p95", descending: true }, range: { from: 0, count: 60 } },
  { view: "summary" },
];
const TRAFFIC = 1;
const SUMMARY = 3;
const FURTHER = 4;

/** The first response to a query. */
type Answer = Extract<FromEngine, { readonly type: "window" | "value" | "refused" }>;

/** A UI client without a window: subscribes like the main window, reads every message and acknowledges it. */
export class OpenPage {
  readonly #socket: WebSocket;
  summary: Summary | null = null;
  #isClosing = false;
  #trafficAsked = 0;
  #trafficAnswered: (took: number) => void = () => {};
  #replied: (problem: string | null) => void = () => {};
  #furtherAnswered: (answer: Answer) => void = () => {};

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => this.#hear(String(data)));
    socket.on("close", () => {
      if (!this.#isClosing) throw new Error("Weir closed the page's socket: see its log");
    });
  }

  /** `ui`: the UI's address with the ticket, as in the ready line. */
  static async open(ui: string): Promise<OpenPage> {
    const { origin, host, hash } = new URL(ui);
    const socket = new WebSocket(`ws://${host}/channel`, { origin });
    await once(socket, "open");
    const page = new OpenPage(socket);
    const welcomed = once(socket, "message");
    socket.send(JSON.stringify({ type: "hello", ticket: new URLSearchParams(hash.slice(1)).get("ticket") }));
    await welcomed;
    for (const [index, query] of QUERIES.entries()) page.#say({ type: "subscribe", subscription: index + 1, query });
    return page;
  }

  /** Changes the filter. Resolves with the milliseconds until the filtered rows arrive. */
  async filter(text: string): Promise<number> {
    const [traffic] = QUERIES;
    if (traffic?.view !== "traffic") throw new Error("the first question is the traffic list");
    const answered = new Promise<number>((resolve) => {
      this.#trafficAnswered = resolve;
    });
    this.#trafficAsked = performance.now();
    this.#say({ type: "subscribe", subscription: TRAFFIC, query: { ...traffic, filter: text } });
    return answered;
  }

  /**
   * Runs a query in addition to `QUERIES`. Resolves with the first response, and with the milliseconds until it
   * arrived.
   */
  async ask(query: Query): Promise<{ readonly took: number; readonly answer: Answer }> {
    const answered = new Promise<Answer>((resolve) => {
      this.#furtherAnswered = resolve;
    });
    const began = performance.now();
    this.#say({ type: "subscribe", subscription: FURTHER, query });
    const answer = await answered;
    const took = performance.now() - began;
    this.#say({ type: "unsubscribe", subscription: FURTHER });
    if (answer.type === "refused") throw new Error(answer.problem);
    return { took, answer };
  }

  async value<View extends "sessions" | "chains" | "findings">(view: View): Promise<ValueOf[View]> {
    const { answer } = await this.ask(view === "sessions" ? { view } : { view, filter: "" });
    if (answer.type !== "value") throw new Error(`${view} is a value`);
    return answer.value as ValueOf[View];
  }

  async command(command: Command): Promise<void> {
    const replied = new Promise<string | null>((resolve) => {
      this.#replied = resolve;
    });
    this.#say({ type: "command", number: 1, command });
    const problem = await replied;
    if (problem !== null) throw new Error(problem);
  }

  close(): void {
    this.#isClosing = true;
    this.#socket.terminate();
  }

  #hear(text: string): void {
    const message = JSON.parse(text) as FromEngine;
    if (message.type === "reply") return this.#replied(message.ok ? null : message.problem);
    if (!("revision" in message)) return;
    const { subscription, revision } = message;
    if (subscription === FURTHER && message.type !== "delta") this.#furtherAnswered(message);
    this.#say({ type: "ack", subscription, revision });
    if (message.type === "value" && subscription === SUMMARY) this.summary = message.value as Summary;
    // The answer to a changed query is a whole window, never a delta.
    if (message.type === "window" && subscription === TRAFFIC)
      this.#trafficAnswered(performance.now() - this.#trafficAsked);
    if (message.type === "refused") throw new Error(message.problem);
  }

  #say(message: ToEngine): void {
    this.#socket.send(JSON.stringify(message));
  }
}
