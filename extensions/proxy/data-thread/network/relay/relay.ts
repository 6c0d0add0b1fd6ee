// The steps of an exchange through a relay, each with its file:
//
// 1. `client/exchange-start.ts` creates the relay when the request's head has been read; `start` asks for a connection.
// 2. `server-lease.ts` gives an open connection (the client's own, else an idle one), or
//    `upstream/connection-pool.ts` opens one.
// 3. `upload.ts` holds the request until there is a connection, then sends it (`http1/forwarded-head.ts`).
// 4. The server's bytes become events, which `received` announces: over HTTP/1.1, of `http1/response-reader.ts`; over
//    HTTP/2, of `upstream/http2-stream.ts`.
// 5. `download.ts` takes the response from these events and sends it to the client.
// 6. After a 101, `upgraded-connection.ts` takes over both sockets, and the relay ends.
// 7. `#complete` returns the connection if it can carry another exchange (`server-lease.ts`), else closes it. `#fail`
//    closes it, and sends a response of ours (`generated-response.ts`) unless the client already has a head, has
//    disconnected, or gets the server's own reset code. Both emit the end (`exchange-emitter.ts`).

import type { Outcome } from "../../../../../src/engine/model/exchange.ts";
import type { WaitedFor } from "../../../../../src/engine/model/phases.ts";
import type { Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import { endsConnection } from "../http1/forwarded-head.ts";
import type { RequestHead, ResponseHead } from "../http1/message.ts";
import { CLIENT_GONE, errorTypeOf, type Failure, STOPPED, statusFor } from "../sockets/error-type.ts";
import { READ_TURN } from "../sockets/read-turn.ts";
import type { ConnectResult } from "../upstream/connect-result.ts";
import type { ConnectionUser, ServerConnection } from "../upstream/server-connection.ts";
import type { Client, ClientExchange, RelayNetwork } from "./client-exchange.ts";
import { Download } from "./download.ts";
import type { ExchangeEmitter } from "./exchange-emitter.ts";
import { writeResponse } from "./generated-response.ts";
import { failureResponse } from "./local-exchange.ts";
import { editsFor, type Forward, http2UseOf, ServerLease } from "./server-lease.ts";
import { startUpgradedConnection } from "./upgraded-connection.ts";
import { Upload } from "./upload.ts";

/**
 * One exchange between a client and a server. Both directions stream at the same time, each at the speed of its slower
 * side.
 */
export class Relay implements ClientExchange, ConnectionUser {
  readonly #head: RequestHead;
  readonly #client: Client;
  readonly #emitter: ExchangeEmitter;
  readonly #network: RelayNetwork;
  readonly #lease: ServerLease;
  readonly #upload: Upload;
  readonly #download: Download;
  /** When this exchange began to wait for a connection. */
  #waitsSince: Instant = NEVER;
  #retried = false;
  /** Whether the server's bytes will be read on in a later turn of the event loop, or once the response is released. */
  #isReadDue = false;
  /** How the server's side has ended while its bytes were still being read; `null` if it has not. */
  #serverEnd: { readonly error: Error | null } | null = null;
  #over = false;

  constructor(
    head: RequestHead,
    destination: Forward,
    client: Client,
    emitter: ExchangeEmitter,
    network: RelayNetwork,
  ) {
    this.#head = head;
    this.#client = client;
    this.#emitter = emitter;
    this.#network = network;
    const route = network.upstream.routeTo(
      destination.origin,
      destination.at,
      head.upgrade !== null,
      http2UseOf(head, destination, client),
    );
    this.#lease = new ServerLease(route, client, network);
    const { clock } = network;
    this.#upload = new Upload(head, editsFor(destination, route), client, emitter, clock, route.http2 !== "never");
    this.#download = new Download(head, client, emitter, clock, route.fetches, destination.relocation);
  }

  start(): void {
    this.#begin(true);
  }

  get answering(): boolean {
    return this.#download.head !== null;
  }

  get speaksHttp2(): boolean {
    return this.#client.stream !== null;
  }

  requestBody(wire: Buffer, data: readonly Buffer[]): void {
    if (!this.#over) this.#upload.body(wire, data);
  }

  requestEnd(wire: Buffer): void {
    if (this.#over) return;
    this.#upload.finish(wire);
    if (this.#download.done) this.#complete();
  }

  inputRead(): void {
    if (!this.#over) this.#upload.send();
  }

  requestBroken(errorType: "request-malformed" | "client-aborted", status: number, detail: string): void {
    if (this.#download.done) this.#complete();
    else this.#fail({ errorType, detail }, status);
  }

  clientDrained(): void {
    if (!this.#isReadDue) this.#lease.connection?.socket.resume();
  }

  clientGone(code: number | null, failure: Failure, leftAt: Instant | null): void {
    const { connection: server } = this.#lease;
    // The client may have received the whole response, although its end has not been handled yet.
    if (this.#isReadDue && !this.#download.isHeld && server !== null && !this.#over)
      this.#download.read(server, this.#upload.done);
    if (this.#download.done) return this.#complete();
    if (this.#over) return;
    this.#over = true;
    this.#lease.drop(code);
    this.#client.out.flushWaiting();
    const { head } = this.#download;
    this.#emitter.clientLeft(leftAt ?? this.#now(), failure, head?.status ?? null);
    this.#client.destroy(false);
  }

  expire(now: Instant): void {
    const { requestEnd } = this.#emitter;
    const { response, stall } = this.#network.limits;
    // Any dial would have ended by now, so the server was reached but accepts no more streams (RFC 9113, 5.1.2).
    if (this.#lease.connection === null && now - this.#waitsSince >= response)
      return this.#fail(noFreeStream(response));
    const isStalled = this.#lease.isStalled(now);
    if (this.#download.done) return isStalled ? this.#complete() : undefined;
    if (this.#download.hasHead) return;
    if (isStalled) return this.#fail(requestStalled(stall));
    if (requestEnd === null) return;
    if (now - Math.max(requestEnd, this.#download.lastProgressAt ?? requestEnd) < response) return;
    const what = this.#download.hasBegun ? "no complete response head" : "nothing";
    this.#fail({
      errorType: "response-timeout",
      detail: `Weir sent the request, and the server sent ${what} for ${response} ms.`,
    });
  }

  stop(): void {
    this.#fail(STOPPED, null);
  }

  sent(at: Instant): void {
    this.#emitter.requestDelayed(at);
  }

  received(at: Instant | null = null): void {
    const server = this.#lease.connection;
    if (server === null) return;
    this.#download.onBytes(at);
    this.#readResponse(server);
  }

  serverDrained(): void {
    this.#client.resume();
  }

  serverEnded(error: Error | null): void {
    const server = this.#lease.connection;
    if (server === null) return;
    if (this.#isReadDue) {
      this.#serverEnd = { error };
      return;
    }
    if (this.#download.hasHead) return this.#responseCut(server, error);
    const mayRepeat = server.refused ? this.#upload.isBuffered : server.used && this.#upload.isRepeatable;
    if (mayRepeat && !this.#retried && this.#download.lastProgressAt === null) {
      this.#retried = true;
      this.#emitter.waited("retry");
      this.#upload.restart();
      this.#lease.drop();
      return this.#begin(false);
    }
    const closed = this.#download.hasBegun ? CUT_HEAD : NO_ANSWER;
    this.#fail(error === null ? closed : errorTypeOf(error));
  }

  /** Requests a connection. Only the first attempt may use an idle one. */
  #begin(isFirst: boolean): void {
    const isRepeatable = isFirst && this.#upload.isIdempotent;
    const known = isFirst ? this.#lease.takeKnown(isRepeatable) : null;
    if (known !== null) return this.#attach(known);
    this.#waitsSince = this.#now();
    this.#emitter.awaitsConnection();
    this.#lease.connect(isRepeatable, (result, waitedFor) => this.#dialled(result, waitedFor));
  }

  #dialled(result: ConnectResult, waitedFor: WaitedFor | null): void {
    if (waitedFor !== null && !this.#retried) this.#emitter.waited(waitedFor);
    if (result.kind === "failed") {
      this.#emitter.dialled(result.times);
      return this.#fail(result.failure);
    }
    this.#attach(result.connection);
    this.#client.resume();
    this.#upload.send();
  }

  #attach(connection: ServerConnection): void {
    connection.user = this;
    connection.reader.expect(this.#head.method);
    if (this.#head.framing.kind !== "none") connection.surviveWriteErrors();
    this.#lease.observeHead(this.#head.text);
    this.#emitter.carriedBy(connection);
    this.#upload.attach(connection);
  }

  #readResponse(server: ServerConnection): void {
    if (this.#isReadDue) return void server.socket.pause();
    const step = this.#download.read(server, this.#upload.done);
    if (step === "later") this.#readLater(server);
    else if (step === "more") {
      if (this.#download.send()) return;
      server.socket.pause();
      this.#emitter.paused("response");
    } else if (step === "ended") this.#responseEnded();
    else if (step.kind === "held") this.#hold(server, step.due);
    else if (step.kind === "switched") this.#switchProtocols(server, step.head);
    else {
      // Sends the valid part to the client before `#fail` closes the client's connection.
      this.#download.send();
      this.#fail(step.failure);
    }
  }

  /** Continues reading in a later turn, so that other connections get their turn. */
  #readLater(server: ServerConnection): void {
    this.#isReadDue = true;
    server.socket.pause();
    this.#download.send();
    READ_TURN.later(() => this.#readOn(server));
  }

  /** Reads no more of the response until it is released, so that nothing but its own stream waits. */
  #hold(server: ServerConnection, due: Instant): void {
    this.#isReadDue = true;
    server.socket.pause();
    this.#download.send();
    this.#network.experiment.hold(due, () => {
      if (this.#over || this.#lease.connection !== server) return;
      this.#download.release(server, this.#upload.done);
      this.#readOn(server);
    });
  }

  #readOn(server: ServerConnection): void {
    this.#isReadDue = false;
    if (this.#over || this.#lease.connection !== server) return;
    server.socket.resume();
    this.#readResponse(server);
    if (this.#serverEnd !== null && !this.#isReadDue) this.serverEnded(this.#serverEnd.error);
  }

  /**
   * Switches protocols after a 101. Fails if the request named no other protocol (RFC 9110, 15.2.2) or was not read to
   * its end.
   */
  #switchProtocols(server: ServerConnection, head: ResponseHead): void {
    const { upgrade } = this.#head;
    if (upgrade === null || !this.#upload.done) return this.#fail(UNREQUESTED_SWITCH);
    this.#over = true;
    this.#upload.flushWaiting();
    this.#download.sendSwitch(head);
    startUpgradedConnection(this.#head, head, this.#client, server, this.#emitter, this.#network);
  }

  #responseEnded(): void {
    if (this.#upload.done) return this.#complete();
    // The response ended before the request. The rest of the request is forwarded only if both connections can stay
    // open.
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
      detail: `The response is cut off after ${this.#emitter.responseSize}${whole} bytes of its body. ${cause}`,
    });
  }

  #complete(): void {
    const server = this.#lease.connection;
    const { head: response, keepsClient } = this.#download;
    if (this.#over || server === null || response === null) return;
    this.#over = true;
    this.#upload.flushWaiting();
    this.#lease.observeHead(response.text);
    // Bytes after the response would be parsed as the next one, so the connection is then closed.
    const isClean = response.keepAlive && this.#upload.done && server.isOpen && !server.reader.hasRest;
    if (isClean) this.#lease.release();
    else this.#lease.drop();
    const outcome = { kind: "responded", status: response.status } as const;
    this.#client.out.beforeFlush(() => this.#endedIfReceived(outcome));
    this.#client.finished(keepsClient && this.#upload.done);
  }

  /** Ends the exchange as failed. `status`: of the response that Weir generates; `null` if Weir sends none. */
  #fail(failure: Failure, status: number | null = statusFor(failure.errorType)): void {
    if (this.#over) return;
    this.#over = true;
    this.#client.out.flushWaiting();
    const code = this.#lease.connection?.resetCode ?? null;
    this.#lease.drop();
    const { head: response } = this.#download;
    // A reset by the server is forwarded with the same code, since clients act on it (gRPC).
    const isReset = code !== null && this.#client.stream !== null;
    if (response !== null || status === null || isReset) {
      this.#emitter.ended(this.#now(), { kind: "failed", ...failure, status: response?.status ?? null });
      this.#client.destroy(response !== null && endsConnection(response, this.#head.version), code);
      return;
    }
    const keepAlive = this.#upload.done && this.#head.keepAlive && !this.#client.peer.draining;
    writeResponse(this.#client.out, failureResponse(failure, status), this.#head.method, keepAlive);
    this.#endedIfReceived({ kind: "failed", ...failure, status });
    this.#client.finished(keepAlive);
  }

  /** Emits the end, as a failure if the client has left before it could receive the response. */
  #endedIfReceived(outcome: Outcome): void {
    const at = this.#now();
    this.#client.awaitReceipt((leftAt) => {
      if (leftAt === null) this.#emitter.ended(at, outcome);
      else this.#emitter.clientLeft(leftAt, CLIENT_GONE, outcome.status);
    });
  }

  #now(): Instant {
    return this.#network.clock.now();
  }
}

const NEVER = 0 as Instant;

function requestStalled(limit: Milliseconds): Failure {
  return { errorType: "response-timeout", detail: `The server accepted no more bytes of the request for ${limit} ms.` };
}

function noFreeStream(limit: Milliseconds): Failure {
  const detail = `The server's limit of parallel requests was reached, and the request waited ${limit} ms for a free stream.`;
  return { errorType: "response-timeout", detail };
}

const NO_ANSWER: Failure = Object.freeze({
  errorType: "server-closed",
  detail: "The server closed the connection without a response.",
});

const CUT_HEAD: Failure = Object.freeze({
  errorType: "server-closed",
  detail: "The server closed the connection before the response's head was complete.",
});

const UNREQUESTED_SWITCH: Failure = Object.freeze({
  errorType: "response-malformed",
  detail: "The server switched to another protocol without being asked.",
});
