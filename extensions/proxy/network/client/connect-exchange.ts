import type { Client, ClientExchange } from "../relay/client-exchange.ts";
import type { ReceivedHead } from "./received-head.ts";
import { Tunnel, type TunnelNetwork } from "./tunnel.ts";
import type { TunnelContext } from "./tunnel-context.ts";

/** A CONNECT request; once it is read, a tunnel takes over the connection. */
export class ConnectExchange implements ClientExchange {
  readonly answering = false;
  readonly #request: ReceivedHead;
  readonly #authority: TunnelContext["authority"];
  readonly #client: Client;
  readonly #network: TunnelNetwork;

  constructor(request: ReceivedHead, authority: TunnelContext["authority"], client: Client, network: TunnelNetwork) {
    this.#request = request;
    this.#authority = authority;
    this.#client = client;
    this.#network = network;
  }

  requestEnd(): void {
    const { host, port } = this.#authority;
    this.#network.log?.client(this.#client.socket, `CONNECT ${host}:${port}`);
    const early = this.#client.handOver();
    const { socket, address, isRemote } = this.#client;
    const connection = this.#client.connectionNumber();
    const context = { request: this.#request, authority: this.#authority, socket, address, isRemote, connection };
    new Tunnel(context, early, this.#network).start();
  }

  requestBody(): void {}
  inputRead(): void {}
  requestBroken(): void {}
  clientDrained(): void {}
  clientGone(): void {}
  expire(): void {}
  stop(): void {}
}
