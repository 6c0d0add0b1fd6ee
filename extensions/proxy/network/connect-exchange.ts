import type { Arrival } from "./arrival.ts";
import type { Client, ClientExchange } from "./client-exchange.ts";
import type { Network } from "./network.ts";
import { Tunnel } from "./tunnel.ts";
import type { TunnelEnds } from "./tunnel-ends.ts";

/** A CONNECT request: once it has been read, the connection belongs to a tunnel. */
export class ConnectExchange implements ClientExchange {
  readonly answering = false;
  readonly #arrival: Arrival;
  readonly #authority: TunnelEnds["authority"];
  readonly #client: Client;
  readonly #network: Network;

  constructor(arrival: Arrival, authority: TunnelEnds["authority"], client: Client, network: Network) {
    this.#arrival = arrival;
    this.#authority = authority;
    this.#client = client;
    this.#network = network;
  }

  requestEnd(): void {
    const early = this.#client.handOver();
    const { socket, address, isRemote } = this.#client;
    new Tunnel({ arrival: this.#arrival, authority: this.#authority, socket, address, isRemote }, early, this.#network);
  }

  requestBody(): void {}
  inputRead(): void {}
  requestBroken(): void {}
  clientDrained(): void {}
  clientGone(): void {}
  expire(): void {}
  stop(): void {}
}
