import type { Instant, Milliseconds } from "../../../src/engine/model/units.ts";
import type { WaitedFor } from "../../../src/engine/model/wait.ts";
import { writeAnswer } from "./answer.ts";
import type { Client, ClientExchange } from "./client-exchange.ts";
import type { ConnectResult } from "./connect-result.ts";
import { beginConversation } from "./conversation.ts";
import type { Destination } from "./destination.ts";
import { Download } from "./download.ts";
import { errorTypeOf, type Failure, statusFor } from "./error-type.ts";
import { endsConnection, type RequestEdits } from "./http1/forwarded-head.ts";
import type { RequestHead, ResponseHead } from "./http1/message.ts";
import { fitsHttp2 } from "./http2/message-text.ts";
import type { Network } from "./network.ts";
import { CLIENT_GONE, failureAnswer, STOPPED } from "./own-exchange.ts";
import type { Recording } from "./recording.ts";
import type { ConnectionUser, ServerConnection } from "./server-connection.ts";
import { authenticatesConnection, ServerLease } from "./server-lease.ts";
import { Upload } from "./upload.ts";
import type { Http2Use, Way } from "./way.ts";

type Forward = Extract<Destination, { kind: "forward" }>;

/** One exchange between a client and a server: bytes go through as they come, both ways at once, at the slower side's pace. */
export class Relay implements ClientExchange, ConnectionUser {
  readonly #head: RequestHead;
  readonly #client: Client;
  readonly #recording: Recording;
  readonly #network: Network;
  readonly #lease: ServerLease;
  readonly #upload: Upload;
  readonly #download: Download;
  /** Since when nothing is taken of a request that has its answer. */
  #stuckSince: Instant | null = null;
  /** When it last asked for a connection that was not there. */
  #askedAt: Instant = NEVER;
  #retried = false;
  #over = false;

  constructor(head: RequestHead, destination: Forward, client: Client, recording: Recording, network: Network) {
    this.#head = head;
    this.#client = client;
    this.#recording = recording;
    this.#network = network;
    const way = network.upstream.wayTo(
      destination.origin,
      head.upgrade !== null,
      http2UseOf(head, destination, client),
    );
    this.#lease = new ServerLease(way, client, network);
    const { clock } = network.options;
    this.#upload = new Upload(head, editsFor(destination, way), client, recording, clock, way.http2 !== "never");
    this.#download = new Download(head, client, recording, clock, way.fetches);
    this.#begin(true);
  }

  get answering(): boolean {
    return this.#download.head !== null;
  }

  requestBody(wire: Buffer, data: readonly Buffer[]): void {
    if (!this.#over) this.#upload.body(wire, data);
  }

  requestEnd(wire: Buffer): void {
    if (this.#over) return;
    this.#upload.end(wire);
    if (this.#download.done) this.#complete();
  }

  inputRead(): void {
    if (!this.#over) this.#upload.send();
  }

  requestBroken(errorType: "request-malformed" | "request-truncated", status: number, detail: string): void {
    if (this.#download.done) this.#complete();
    else this.#fail({ errorType, detail }, status);
  }

  clientDrained(): void {
    this.#lease.connection?.socket.resume();
  }

  clientGone(code: number | null): void {
    if (this.#download.done) return this.#complete();
    this.#lease.drop(code);
    this.#fail(CLIENT_GONE);
  }

  expire(now: Instant): void {
    const { requestEnd } = this.#recording.instants;
    const { response, halfClosed } = this.#network.limits;
    // To reach a server takes far less: it is there, and lets none of those in who wait (RFC 9113, 5.1.2).
    if (this.#lease.connection === null && now - this.#askedAt >= response) return this.#fail(notLetIn(response));
    if (this.#download.done) {
      // Nobody reads the rest of the request, so nobody would see that the client has gone.
      const isStuck = this.#client.stream === null && this.#client.socket.isPaused();
      this.#stuckSince = isStuck ? (this.#stuckSince ?? now) : null;
      if (this.#stuckSince !== null && now - this.#stuckSince > halfClosed) this.#complete();
      return;
    }
    if (requestEnd === null || this.#download.head !== null) return;
    if (now - Math.max(requestEnd, this.#download.heardAt ?? requestEnd) < response) return;
    const what = this.#download.hasBegun ? "no whole head of an answer" : "nothing";
    this.#fail({
      errorType: "response-timeout",
      detail: `The server took the request and sent ${what} for ${response} ms.`,
    });
  }

  stop(): void {
    this.#fail(STOPPED);
  }

  sent(at: Instant): void {
    this.#upload.sent(at);
  }

  received(bytes: Buffer, at: Instant | null = null): void {
    const server = this.#lease.connection;
    if (server === null) return;
    this.#download.came(at);
    server.reader.feed(bytes);
    this.#readResponse(server);
    this.#network.memory.read(bytes.length);
  }

  serverDrained(): void {
    this.#client.resume();
  }

  serverEnded(error: Error | null): void {
    const server = this.#lease.connection;
    if (server === null) return;
    if (this.#download.head !== null) return this.#responseCut(server, error);
    const mayRepeat = server.refused ? this.#upload.isHere : server.used && this.#upload.isRepeatable;
    if (mayRepeat && !this.#retried && !this.#download.hasBegun) {
      this.#retried = true;
      this.#recording.waited("retry");
      this.#upload.restart();
      this.#lease.drop();
      return this.#begin(false);
    }
    this.#fail(error === null ? NO_ANSWER : errorTypeOf(error));
  }

  /** A second time nothing is left to chance. */
  #begin(isFirst: boolean): void {
    const isRepeatable = isFirst && this.#upload.mayBeSentTwice;
    const known = isFirst ? this.#lease.takeKnown(isRepeatable) : null;
    if (known !== null) return this.#attach(known);
    this.#askedAt = this.#now();
    this.#lease.connect(isRepeatable, (result, waitedFor) => this.#dialled(result, waitedFor));
  }

  #dialled(result: ConnectResult, waitedFor: WaitedFor | null): void {
    if (waitedFor !== null && !this.#retried) this.#recording.waited(waitedFor);
    if (result.kind === "failed") {
      this.#recording.dialled(result.times);
      return this.#fail(result.failure);
    }
    this.#attach(result.connection);
    this.#client.resume();
    this.#upload.send();
  }

  #attach(connection: ServerConnection): void {
    connection.user = this;
    connection.reader.expect(this.#head.method);
    if (this.#head.framing.kind !== "none") connection.outliveSending();
    this.#lease.saw(this.#head.text);
    this.#recording.carriedBy(connection);
    this.#upload.attach(connection);
  }

  #readResponse(server: ServerConnection): void {
    const step = this.#download.read(server, this.#upload.done);
    if (step === "more") {
      if (!this.#download.send()) server.socket.pause();
    } else if (step === "ended") this.#responseEnded();
    else if (step.kind === "switched") this.#switchProtocols(server, step.head);
    else this.#fail(step.failure);
  }

  /** RFC 9110, 15.2.2: only what was asked for may be switched to. */
  #switchProtocols(server: ServerConnection, head: ResponseHead): void {
    const { upgrade } = this.#head;
    if (upgrade === null || !this.#upload.done) return this.#fail(UNASKED_SWITCH);
    this.#over = true;
    this.#upload.flushWaiting();
    this.#download.sendSwitch(head);
    beginConversation(this.#head, head, this.#client, server, this.#recording, this.#network);
  }

  #responseEnded(): void {
    if (this.#upload.done) return this.#complete();
    // The answer came before the question was over. The rest of it goes to a server that still listens, else nowhere.
    if (this.#download.head?.keepAlive === true && this.#head.keepAlive) return;
    this.#complete();
  }

  #responseCut(server: ServerConnection, error: Error | null): void {
    if (this.#download.done) return this.#complete();
    if (error === null && server.reader.finish() === "complete") return this.#readResponse(server);
    this.#download.send();
    const cause = error === null ? "The server closed the connection." : errorTypeOf(error).detail;
    const framing = this.#download.head?.framing;
    const whole = framing?.kind === "length" ? ` of ${framing.length}` : "";
    this.#fail({
      errorType: "response-truncated",
      detail: `The answer is cut off after ${this.#recording.responseSize}${whole} bytes of its body. ${cause}`,
    });
  }

  #complete(): void {
    const server = this.#lease.connection;
    const { head: response, keepsClient } = this.#download;
    if (this.#over || server === null || response === null) return;
    this.#over = true;
    this.#upload.flushWaiting();
    this.#lease.saw(response.text);
    // What came behind the answer would be taken for the next one.
    const isClean = response.keepAlive && this.#upload.done && server.isOpen && !server.reader.hasRest;
    if (isClean) this.#lease.giveBack();
    else this.#lease.drop();
    const outcome = { kind: "responded", status: response.status } as const;
    this.#client.out.atFlush(() => this.#recording.ended(this.#now(), outcome));
    this.#client.finished(keepsClient && this.#upload.done);
  }

  #fail(failure: Failure, status = statusFor(failure.errorType)): void {
    if (this.#over) return;
    this.#over = true;
    this.#client.out.flushWaiting();
    const code = this.#lease.connection?.resetCode ?? null;
    this.#lease.drop();
    const { head: response } = this.#download;
    const isGone = failure.errorType === "client-aborted" || failure.errorType === "proxy-stopped";
    // A stream's end by a code of the server's own is told by that code: clients act on it (gRPC).
    const isReset = code !== null && this.#client.stream !== null;
    if (response !== null || isGone || isReset) {
      this.#recording.ended(this.#now(), { kind: "failed", ...failure, status: response?.status ?? null });
      this.#client.destroy(response !== null && endsConnection(response, this.#head.version), code);
      return;
    }
    const keepAlive = this.#upload.done && this.#head.keepAlive && !this.#client.draining;
    writeAnswer(this.#client.out, failureAnswer(failure, status), this.#head.method, keepAlive);
    this.#recording.ended(this.#now(), { kind: "failed", ...failure, status });
    this.#client.finished(keepAlive);
  }

  #now(): Instant {
    return this.#network.options.clock.now();
  }
}

/**
 * Other protocols begin, users are known by their connection, and fields may be of any length, in HTTP/1.1 only; HTTP/2 in
 * clear is never asked for.
 */
function http2UseOf(head: RequestHead, { origin }: Forward, client: Client): Http2Use {
  if (head.upgrade !== null || authenticatesConnection(head.text) || !fitsHttp2(head)) return "never";
  if (origin.scheme === "https") return "offered";
  return client.stream === null ? "never" : "known";
}

/** A further proxy is told the whole target, and who we are. */
function editsFor(destination: Forward, { proxy, fetches }: Way): RequestEdits {
  const { origin, target, host } = destination;
  if (!fetches) return { target, host, authorization: null };
  // RFC 9112, 3.2.4: the target of OPTIONS for the whole server has no path.
  const path = target === "*" ? "" : target;
  return { target: origin.text + path, host, authorization: proxy?.authorization ?? null };
}

const NEVER = 0 as Instant;

function notLetIn(limit: Milliseconds): Failure {
  const detail = `The server takes no more requests at once, and has not let this one in for ${limit} ms.`;
  return { errorType: "response-timeout", detail };
}

const NO_ANSWER: Failure = Object.freeze({
  errorType: "server-closed",
  detail: "The server closed the connection without an answer.",
});

const UNASKED_SWITCH: Failure = Object.freeze({
  errorType: "response-malformed",
  detail: "The server switched to another protocol without being asked.",
});
