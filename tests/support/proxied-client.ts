import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import * as tls from "node:tls";

export interface ClientAnswer {
  readonly status: number;
  readonly body: Buffer;
}

interface Proxied {
  /** The proxy's port on 127.0.0.1. */
  readonly port: number;
  /** The proxy's root certificate, as PEM. */
  readonly ca: string;
}

/** A simple client: one keep-alive connection through the proxy to one origin; requests are sent one after another. */
export class ProxiedClient {
  readonly #proxy: Proxied;
  readonly #origin: URL;
  #tunnel: Socket | null = null;

  constructor(proxy: Proxied, origin: string) {
    this.#proxy = proxy;
    this.#origin = new URL(origin);
  }

  async ask(
    method: string,
    path: string,
    body: Buffer | null = null,
    headers: Record<string, string> = {},
  ): Promise<ClientAnswer> {
    const length = body === null ? {} : { "Content-Length": String(body.length) };
    const all = { Host: this.#origin.host, Connection: "keep-alive", ...headers, ...length };
    const options = { method, headers: all };
    const secure = this.#origin.protocol === "https:";
    const tunnel = secure ? await this.#connected() : null;
    return new Promise((resolve, reject) => {
      const request =
        tunnel === null
          ? httpRequest({
              ...options,
              agent: false,
              host: "127.0.0.1",
              port: this.#proxy.port,
              path: new URL(path, this.#origin).href,
            })
          : // An agent would open a connection of its own.
            httpsRequest({ ...options, path, createConnection: () => tunnel });
      request.on("error", reject);
      request.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
      });
      request.end(body ?? undefined);
    });
  }

  close(): void {
    this.#tunnel?.destroy();
    this.#tunnel = null;
  }

  async #connected(): Promise<Socket> {
    if (this.#tunnel !== null && !this.#tunnel.destroyed && this.#tunnel.writable) return this.#tunnel;
    const { hostname, port } = this.#origin;
    const authority = `${hostname}:${port === "" ? 443 : port}`;
    const socket = await new Promise<Socket>((resolve, reject) => {
      const connect = httpRequest({
        host: "127.0.0.1",
        port: this.#proxy.port,
        method: "CONNECT",
        path: authority,
        agent: false,
      });
      connect.on("connect", (_, tunnel) => resolve(tunnel));
      connect.on("error", reject);
      connect.end();
    });
    this.#tunnel = await new Promise<Socket>((resolve, reject) => {
      const secure = tls.connect({ socket, servername: hostname, ca: this.#proxy.ca }, () => resolve(secure));
      secure.on("error", reject);
    });
    return this.#tunnel;
  }
}
