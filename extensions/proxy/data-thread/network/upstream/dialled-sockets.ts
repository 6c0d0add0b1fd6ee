import type { Socket } from "node:net";
import { plainAddress } from "../sockets/address.ts";
import { LED_BACK } from "../sockets/error-type.ts";

interface DialledSocket {
  readonly socket: Socket;
  /** The names by which the connection's first bytes may ask for a server. */
  readonly hosts: readonly string[];
}

/**
 * The open connections to servers, by this computer's end of each. A redirect that catches Weir's own connections leads
 * them back to a transparent port, where they arrive from this very end.
 */
export class DialledSockets {
  readonly #open = new Map<string, DialledSocket>();

  /** Adds a connected socket until it closes. */
  add(socket: Socket, hosts: readonly string[]): void {
    const end = endOf(socket.localAddress, socket.localPort);
    if (socket.destroyed || end === null) return;
    this.#open.set(end, { socket, hosts });
    socket.once("close", () => {
      if (this.#open.get(end)?.socket === socket) this.#open.delete(end);
    });
  }

  /**
   * Breaks off our own connection if `arrived` is its other end; returns whether it is. Addresses alone do not tell:
   * two connections to different servers may begin at the same local port.
   */
  breakLoop(arrived: Socket, host: string): boolean {
    const end = endOf(arrived.remoteAddress, arrived.remotePort);
    const dialled = end === null ? undefined : this.#open.get(end);
    if (dialled === undefined || !dialled.hosts.includes(host)) return false;
    dialled.socket.destroy(Object.assign(new Error("the connection came back to Weir"), { code: LED_BACK }));
    return true;
  }
}

function endOf(address: string | undefined, port: number | undefined): string | null {
  return address === undefined || port === undefined ? null : `${plainAddress(address)} ${port}`;
}
