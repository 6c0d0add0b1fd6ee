import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Conditions } from "../../../../../src/engine/model/conditions.ts";
import type { Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import type { Clock, LineClock } from "../../../process/clock.ts";
import { matchesHost } from "../origin.ts";
import type { ClientHandshake } from "../relay/exchange-emitter.ts";
import { plainAddress } from "../sockets/address.ts";
import { type Line, LineDirection, type LineFigures } from "../sockets/line.ts";
import { SlowedSocket, slowedBelow } from "../sockets/slowed-socket.ts";
import { tlsParametersOf } from "../tls/upstream-tls.ts";

interface ClientLine extends Line {
  connections: number;
}

/** What a slowed connection still has to be told: whether it is slowed. */
interface Connection {
  isDecided: boolean;
}

/** The lines of all clients under the current conditions (docs/specification.md, Conditions). */
export class ClientLines {
  readonly #clock: LineClock;
  #conditions: Conditions | null = null;
  /** By the client's address. */
  readonly #lines = new Map<string, ClientLine>();
  readonly #connections = new Map<SlowedSocket, Connection>();

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
    const line = this.#lineOf(plainAddress(raw.remoteAddress));
    const socket = new SlowedSocket(raw, line);
    const connection: Connection = { isDecided: conditions.hosts.length === 0 };
    this.#connections.set(socket, connection);
    socket.once("close", () => {
      this.#connections.delete(socket);
      line.connections -= 1;
      if (line.connections === 0) this.#forget(line);
    });
    // TCP's handshake was over before Weir saw the connection.
    const isOn = connection.isDecided;
    socket.slow(isOn, { up: isOn ? conditions.roundTrip : 0, down: 0 });
    return socket;
  }

  /** Called when a client's connection, or a request on it, names `hosts`. Decides by the patterns. */
  named(socket: Socket, hosts: readonly string[]): void {
    const slowed = slowedBelow(socket);
    const conditions = this.#conditions;
    if (slowed === null || conditions === null || conditions.hosts.length === 0) return;
    const connection = this.#connections.get(slowed);
    if (connection === undefined) return;
    const isOn = hosts.some((host) => matchesHost(conditions.hosts, host));
    // The request was not slowed on its way up, so the response waits for that, too.
    const missed = isOn && !connection.isDecided ? 1.5 * conditions.roundTrip : 0;
    connection.isDecided ||= isOn;
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

  #forget(line: ClientLine): void {
    for (const [address, known] of this.#lines) if (known === line) this.#lines.delete(address);
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
