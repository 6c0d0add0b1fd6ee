import type { Client, ClientExchange } from "../relay/client-exchange.ts";
import type { ClientNetwork } from "./client-network.ts";
import { httpRefusal, type ReceivedHead, type TunnelContext, type TunnelRequest } from "./tunnel-context.ts";
import { TunnelDecision } from "./tunnel-decision.ts";

/** A CONNECT request. Once it has been read, a tunnel takes over the connection. */
export class ConnectExchange implements ClientExchange {
  readonly answering = false;
  readonly #request: ReceivedHead;
  readonly #authority: TunnelContext["authority"];
  readonly #client: Client;
  readonly #network: ClientNetwork;

  constructor(request: ReceivedHead, authority: TunnelContext["authority"], client: Client, network: ClientNetwork) {
    this.#request = request;
    this.#authority = authority;
    this.#client = client;
    this.#network = network;
  }

  requestEnd(): void {
    const { host, port } = this.#authority;
    const { peer } = this.#client;
    const { socket, address } = peer;
    this.#network.log?.client(socket, `CONNECT ${host}:${port}`);
    const early = this.#client.handOver();
    const connection = peer.connectionNumber();
    const request = connectRequest(this.#request);
    const context = { request, authority: this.#authority, socket, address, arrival: null, connection };
    new TunnelDecision(context, { bytes: early, at: this.#network.clock.now() }, this.#network).start();
  }

  requestBody(): void {}
  inputRead(): void {}
  requestBroken(): void {}
  clientDrained(): void {}
  clientGone(): void {}
  expire(): void {}
  stop(): void {}
}

const ESTABLISHED_HEAD = "HTTP/1.1 200 Connection established\r\n\r\n";
const ESTABLISHED = Object.freeze({ bytes: Buffer.from(ESTABLISHED_HEAD, "latin1"), head: ESTABLISHED_HEAD });

function connectRequest({ head, at, headReceived }: ReceivedHead): TunnelRequest {
  return {
    at,
    headReceived,
    head: head.text,
    protocol: head.version === "1.1" ? "http/1.1" : "http/1.0",
    userAgent: head.headers.find(({ name }) => name === "user-agent")?.value ?? "",
    established: ESTABLISHED,
    refusal: httpRefusal,
  };
}
