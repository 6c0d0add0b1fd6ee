import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Conditions } from "../../../../../src/engine/model/conditions.ts";
import type { Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import type { Clock, LineClock } from "../../../process/clock.ts";
import { matchesHost } from "../origin.ts";
import type { ClientHandshake } from "../relay/exchange-emitter.ts";
import { plainAddress } from "../sockets/address.ts";
import { type EmulatedLine, LineDirection, type LineFigures } from "../sockets/emulated-line.ts";
import { SlowedSocket, slowedBelow } from "../sockets/slowed-socket.ts";
import { tlsParametersOf } from "../tls/upstream-tls.ts";

interface ClientLine extends EmulatedLine {
  connections: number;
}

/** The lines of all clients under the current conditions (docs/specification.md, Conditions). */
export class ClientLines {
  readonly #clock: LineClock;
  #conditions: Conditions | null = null;
  /** By the client's address. */
  readonly #lines = new Map<string, ClientLine>();
  /** The open connections, with whether it is known that they are slowed. */
  readonly #connections = new Map<SlowedSocket, boolean>();

  constructor(clock: LineClock) {
    this.#clock = clock;
  }

  get conditions(): Conditions | null {
    return this.#conditions;
  }

  /** Sets the conditions; `null` ends them, and delivers what the lines hold. */
  set conditions(conditions: Conditions | null) {
    this.#conditions = conditions;
    for (const line of this.#lines.values()) {
      line.up.figures = figuresOf(conditions, "up");
      line.down.figures = figuresOf(conditions, "down");
    }
    if (conditions === null) for (const socket of this.#connections.keys()) socket.slow(false, NOTHING);
  }

  /** The socket that Weir reads and writes in place of `raw`: `raw` itself without conditions. */
  socketFor(raw: Socket): Socket {
    const conditions = this.#conditions;
    if (conditions === null) return raw;
    const address = plainAddress(raw.remoteAddress);
    const line = this.#lineOf(address);
    const socket = new SlowedSocket(raw, line);
    const isOn = conditions.hosts.length === 0;
    this.#connections.set(socket, isOn);
    socket.once("close", () => {
      this.#connections.delete(socket);
      line.connections -= 1;
      if (line.connections === 0) this.#lines.delete(address);
    });
    // TCP's handshake was over before Weir saw the connection.
    socket.slow(isOn, { up: isOn ? conditions.roundTrip : 0, down: 0 });
    return socket;
  }

  /** Called when a client's connection, or a request on it, names `hosts`. Decides by the patterns. */
  named(socket: Socket, hosts: readonly string[]): void {
    const slowed = slowedBelow(socket);
    const conditions = this.#conditions;
    if (slowed === null || conditions === null || conditions.hosts.length === 0) return;
    const isDecided = this.#connections.get(slowed);
    if (isDecided === undefined) return;
    const isOn = hosts.some((host) => matchesHost(conditions.hosts, host));
    // The request was not slowed on its way up, so the response waits for that, too.
    const missed = isOn && !isDecided ? 1.5 * conditions.roundTrip : 0;
    this.#connections.set(slowed, isDecided || isOn);
    slowed.slow(isOn, { up: 0, down: missed });
  }

  #lineOf(address: string): ClientLine {
    let line = this.#lines.get(address);
    if (line === undefined) {
      const direction = (way: "up" | "down") => new LineDirection(figuresOf(this.#conditions, way), this.#clock);
      line = { up: direction("up"), down: direction("down"), connections: 0 };
      this.#lines.set(address, line);
    }
    line.connections += 1;
    return line;
  }
}

const NOTHING = Object.freeze({ up: 0, down: 0 });

function figuresOf(conditions: Conditions | null, way: "up" | "down"): LineFigures {
  // 1 kbit/s is 1,000 bits in 1,000 ms, so 1/8 byte per ms.
  return conditions === null ? NO_LINE : { delay: conditions.roundTrip / 2, rate: conditions[way] / 8 };
}

const NO_LINE: LineFigures = Object.freeze({ delay: 0, rate: 0 });

/** Timers of the system, on the clock of the instants. */
export function lineClock(clock: Clock): LineClock {
  return Object.freeze({
    now: (): Milliseconds => clock.now(),
    after: (time: Milliseconds, call: () => void) => {
      const timer = setTimeout(call, Math.ceil(time));
      return () => clearTimeout(timer);
    },
  });
}

const HANDSHAKES = new WeakMap<Socket, ClientHandshake>();

/** Keeps what a client's handshake, which ended at `at`, has agreed on. */
export function clientHandshakeEnded(secured: TLSSocket, at: Instant, isHttp2Refused: boolean): void {
  HANDSHAKES.set(secured, { at, tls: tlsParametersOf(secured), isHttp2Refused, wasEmitted: false });
}

/** The handshake of a client's connection; `null` if the connection has no TLS of ours. */
export function clientHandshakeOf(socket: Socket): ClientHandshake | null {
  return HANDSHAKES.get(socket) ?? null;
}
