import { CLOCK, type Clock } from "../../extensions/proxy/clock.ts";
import { Listener } from "../../extensions/proxy/network/listener.ts";
import type {
  LocalClient,
  NetworkLimits,
  NetworkSettings,
  Resolver,
} from "../../extensions/proxy/network/network-options.ts";
import { DEFAULT_SETTINGS } from "../../src/engine/model/settings.ts";
import type { Instant } from "../../src/engine/model/units.ts";
import { CapturedTraffic } from "./captured-traffic.ts";
import type { RawPeer } from "./raw-peer.ts";
import { type RawServer, rawServer } from "./raw-server.ts";
import { servedBy, type TestAuthority, testAuthority } from "./test-authority.ts";

export interface TestProxyOptions {
  readonly settings?: Partial<NetworkSettings>;
  readonly limits?: Partial<NetworkLimits>;
  readonly resolver?: Resolver;
  readonly clock?: Clock;
  readonly ownPorts?: readonly number[];
  /** To listen on; this machine's loopback unless told. */
  readonly address?: string;
  /** PEM certificates trusted for servers, instead of those of `servers`. */
  readonly trusted?: readonly string[];
}

/** A proxy on a free port, whose resolver knows every name that ends in ".test" as this machine. */
export interface TestProxy {
  readonly port: number;
  readonly listener: Listener;
  readonly traffic: CapturedTraffic;
  /** What was told of connections from this machine. */
  readonly localClients: readonly LocalClient[];
  /** In force from the next request on. */
  readonly settings: { -readonly [Key in keyof NetworkSettings]: NetworkSettings[Key] };
  /** Of the certificates that clients see. */
  readonly clientCa: string;
  /** Trusted for servers. */
  readonly servers: TestAuthority;
  /** When it was first asked what servers are verified against; `null`: not yet. */
  readonly trustReadAt: Instant | null;
  /** Trusts these for servers from now on. */
  trust(ca: readonly string[]): void;
  /** Servers that stop with the test. */
  server(serve?: (peer: RawPeer) => unknown): Promise<RawServer>;
  tlsServer(serve?: (peer: RawPeer) => unknown): Promise<RawServer>;
}

/** Every "….test" name is this machine; every other has no address. */
export const testResolver: Resolver = {
  lookup: async (name) => {
    if (name.endsWith(".test")) return [{ address: "127.0.0.1", family: 4 }];
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" });
  },
};

export async function withProxy(
  options: TestProxyOptions,
  body: (proxy: TestProxy) => Promise<unknown>,
): Promise<void> {
  const ours = await testAuthority();
  const servers = await testAuthority();
  const traffic = new CapturedTraffic();
  const settings: TestProxy["settings"] = {
    ...DEFAULT_SETTINGS,
    probeHost: "probe.weir.test",
    privateTargetsFromLan: false,
    ...options.settings,
  };
  let upstreamCa = options.trusted ?? [servers.pem];
  let trustReadAt: Instant | null = null;
  const localClients: LocalClient[] = [];
  const ownPorts: number[] = [...(options.ownPorts ?? [])];
  const listener = new Listener({
    sink: traffic,
    leaves: ours.mint,
    clock: options.clock ?? CLOCK,
    resolver: options.resolver ?? testResolver,
    upstreamCa: () => {
      trustReadAt ??= CLOCK.now();
      return upstreamCa;
    },
    settings: () => settings,
    ownPorts: () => ownPorts,
    certificate: () => ({ pem: ours.pem, der: ours.root.certificate.raw }),
    limits: { drain: 200, ...options.limits },
    onLocalClient: (client) => localClients.push(client),
  });
  const { port } = await listener.start(options.address ?? "127.0.0.1", 0);
  ownPorts.push(port);
  const started: RawServer[] = [];
  const keep = async (server: Promise<RawServer>): Promise<RawServer> => {
    started.push(await server);
    return await server;
  };
  try {
    await body({
      port,
      listener,
      traffic,
      localClients,
      settings,
      clientCa: ours.pem,
      servers,
      get trustReadAt() {
        return trustReadAt;
      },
      trust: (ca) => {
        upstreamCa = ca;
      },
      server: (serve) => keep(rawServer(serve)),
      tlsServer: (serve) => keep(rawServer(serve, servedBy(servers))),
    });
  } finally {
    await Promise.all([listener.stop(), ...started.map((server) => server.stop())]);
  }
}
