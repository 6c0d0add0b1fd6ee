import type { Socket } from "node:net";
import type { Instant } from "../../../src/engine/model/units.ts";
import { bodyOf, headOf } from "./answer.ts";
import { ClosingSocket } from "./closing-socket.ts";
import type { DialResult } from "./dial.ts";
import { type Failure, statusFor } from "./error-type.ts";
import { speechOf } from "./first-bytes.ts";
import { matchesHost } from "./host-pattern.ts";
import { speaksHttp2 } from "./http2-hosts.ts";
import { intercept } from "./interception.ts";
import type { Life, Network } from "./network.ts";
import { type Origin, originOf } from "./origin.ts";
import { isOwnName } from "./own-answers.ts";
import { CLIENT_GONE, failureAnswer, STOPPED } from "./own-exchange.ts";
import type { Recording } from "./recording.ts";
import { Splice } from "./splice.ts";
import { type TunnelEnds, tunnelRecording } from "./tunnel-ends.ts";

const ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";

/**
 * A tunnel until it is known what is spoken in it.
 *
 *   passed through ───────────────────────────▶ dial ─▶ 200 ─▶ splice
 *   our own port? ─▶ dial ─▶ 508, or ─▶ 200 …
 *   200 ─▶ first bytes ─▶ TLS: intercept │ HTTP: requests │ other: dial ─▶ splice
 *      └▶ silence ─▶ dial ─▶ the server speaks first: splice
 */
export class Tunnel implements Life {
  readonly #ends: TunnelEnds;
  readonly #network: Network;
  readonly #origin: Origin;
  readonly #isPassedThrough: boolean;
  /** What the client said so far. */
  #said: Buffer;
  /** Whether the client has its 200. */
  #open = false;
  #isOther = false;
  #server: Socket | null = null;
  #cancelDial: (() => void) | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(ends: TunnelEnds, early: Buffer, network: Network) {
    const { host, port } = ends.authority;
    this.#ends = ends;
    this.#network = network;
    this.#said = early;
    this.#origin = originOf("https", ends.authority);
    const { settings, ownPorts } = network.options;
    this.#isPassedThrough = matchesHost(settings().passThrough, host);
    network.lives.add(this);
    ends.socket.on("error", this.#failed);
    ends.socket.on("close", this.#closed);
    ends.socket.on("end", this.#ended);
    ends.socket.on("data", this.#heard);
    if (this.#isPassedThrough) {
      this.#isOther = true;
      this.#dial((result) => this.#dialled(result));
    } else if (ownPorts().includes(port)) {
      this.#dial((result) => this.#tried(result));
    } else this.#establish();
  }

  expire(): void {}

  drain(): void {
    if (!this.#isOther) this.#close(null);
  }

  stop(): void {
    this.#close(STOPPED);
  }

  #establish(): void {
    this.#open = true;
    this.#ends.socket.write(ESTABLISHED, "latin1");
    this.#ends.socket.resume();
    if (this.#ends.socket.readableEnded) this.#ended();
    else if (this.#said.length > 0) this.#judge();
    else if (!isOwnName(this.#origin.host)) this.#wait();
    // Nobody stands behind it who might speak first, and who says nothing to us is to keep no place (security.md, L5).
    else this.#timer = setTimeout(() => this.#close(null), this.#network.limits.head);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#silent(), this.#network.limits.silence);
  }

  readonly #heard = (bytes: Buffer): void => {
    this.#said = this.#said.length === 0 ? bytes : Buffer.concat([this.#said, bytes]);
    // It cannot know yet that anybody listens; what it says in spite of that is kept for later.
    if (this.#open) this.#judge();
    else this.#ends.socket.pause();
  };

  #judge(): void {
    if (this.#isOther) return;
    const { socket, authority } = this.#ends;
    switch (speechOf(this.#said)) {
      case "unsure":
        this.#wait();
        return;
      case "tls":
        this.#turnIn();
        socket.pause();
        socket.unshift(this.#said);
        intercept(this.#ends, this.#origin, this.#network);
        return;
      case "http": {
        this.#turnIn();
        const origin = originOf("http", authority);
        this.#network.serve(socket, { kind: "origin", origin }, { early: this.#said });
        return;
      }
      case "http2": {
        if (!speaksHttp2(this.#network.options.settings(), authority.host)) return this.#passOn();
        this.#turnIn();
        socket.pause();
        socket.unshift(this.#said);
        this.#network.serveHttp2(socket, originOf("http", authority));
        return;
      }
      case "other":
        this.#passOn();
    }
  }

  /** It is ours to read: a server that was dialled to see whether it speaks first is not needed. */
  #turnIn(): void {
    this.#leave();
    this.#cancelDial?.();
    this.#server?.off("readable", this.#passOn).off("close", this.#passOn).destroy();
  }

  /** wire.md, 1: some protocols begin with the server. */
  #silent(): void {
    if (this.#said.length > 0) return this.#passOn();
    this.#dial((result) => {
      if (this.#isOther || result.kind === "failed") return this.#dialled(result);
      this.#server = result.socket;
      result.socket.once("readable", this.#passOn);
      result.socket.once("close", this.#passOn);
    });
  }

  readonly #passOn = (): void => {
    if (this.#isOther) return;
    this.#isOther = true;
    this.#ends.socket.pause();
    clearTimeout(this.#timer);
    if (this.#server !== null) this.#splice(this.#server);
    else if (this.#cancelDial === null) this.#dial((result) => this.#dialled(result));
  };

  #dial(done: (result: DialResult) => void): void {
    const { isRemote } = this.#ends;
    const allows = (address: string): boolean => this.#network.mayReach(address, isRemote);
    this.#cancelDial = this.#network.upstream.connectRaw(this.#origin, allows, (result) => {
      this.#cancelDial = null;
      done(result);
    });
  }

  /** security.md, S11: whose port it is shows only when it answers. */
  #tried(result: DialResult): void {
    if (result.kind === "connected") result.socket.destroy();
    else if (result.failure.errorType === "loop-refused") return this.#dialled(result);
    this.#establish();
  }

  #dialled(result: DialResult): void {
    const recording = this.#recording();
    recording.dialled(result.times);
    if (result.kind === "connected") return this.#splice(result.socket, recording);
    this.#leave();
    const { failure } = result;
    const { socket } = this.#ends;
    const status = this.#open ? null : statusFor(failure.errorType);
    if (status === null) new ClosingSocket(socket, this.#network).drain();
    else {
      const answer = failureAnswer(failure);
      socket.write(headOf(answer, false), "latin1");
      socket.write(bodyOf(answer));
      new ClosingSocket(socket, this.#network);
    }
    recording.ended(this.#now(), { kind: "failed", ...failure, status });
  }

  #splice(server: Socket, recording = this.#recording()): void {
    if (!this.#open) this.#ends.socket.write(ESTABLISHED, "latin1");
    this.#leave();
    recording.instants.responseStart = this.#now();
    recording.responseStarted(recording.instants.responseStart, 200, ESTABLISHED);
    new Splice(this.#ends.socket, server, { toServer: this.#said, toClient: NOTHING }, this.#network, {
      passed: (side, bytes) => recording.passed(side, bytes),
      ended: (failure) => {
        const at = this.#now();
        recording.instants.responseEnd = at;
        recording.ended(
          at,
          failure === null ? { kind: "responded", status: 200 } : { kind: "failed", ...failure, status: 200 },
        );
      },
    });
  }

  #recording(): Recording {
    return tunnelRecording(this.#ends, this.#origin, this.#network);
  }

  readonly #failed = (): void => this.#close(CLIENT_GONE);

  readonly #closed = (): void => this.#close(CLIENT_GONE);

  /** The client will send no more, and may still listen: its server is told both. A spare connection only goes. */
  readonly #ended = (): void => {
    if (this.#isOther || !this.#open) return;
    if (this.#said.length === 0) this.#close(CLIENT_GONE);
    else if (speechOf(this.#said) === "http") this.#judge();
    else this.#passOn();
  };

  #close(failure: Failure | null): void {
    this.#leave();
    this.#cancelDial?.();
    this.#server?.destroy();
    const closing = new ClosingSocket(this.#ends.socket, this.#network);
    if (failure === STOPPED) closing.stop();
    else closing.drain();
    if (this.#isOther && failure !== null)
      this.#recording().ended(this.#now(), { kind: "failed", ...failure, status: null });
  }

  #leave(): void {
    clearTimeout(this.#timer);
    this.#network.lives.delete(this);
    const { socket } = this.#ends;
    socket.off("data", this.#heard);
    socket.off("close", this.#closed);
    socket.off("end", this.#ended);
    socket.off("error", this.#failed);
    // Beneath TLS nobody else listens, and an error that nobody hears ends the process.
    socket.on("error", () => {});
  }

  #now(): Instant {
    return this.#network.options.clock.now();
  }
}

const NOTHING = Buffer.alloc(0);
