import { Listener } from "../../extensions/proxy/data-thread/network/client/listener.ts";
import type {
  LocalClient,
  NetworkLimits,
  NetworkSettings,
  Resolver,
  SilentClose,
} from "../../extensions/proxy/data-thread/network/network-options.ts";
import { CLOCK, type Clock, type LineClock } from "../../extensions/proxy/process/clock.ts";
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
  /** The time of slow lines; by default real time. */
  readonly lineClock?: LineClock;
  readonly ownPorts?: readonly number[];
  /** The address to listen on; by default loopback. */
  readonly address?: string;
  /** PEM certificates that the proxy trusts for servers, in place of the root of `servers`. */
  readonly trusted?: readonly string[];
  /** As in `NetworkOptions`. */
  readonly debug?: (line: string) => void;
}

/** A proxy on a free port; its resolver maps each name in ".test" to this computer. */
export interface TestProxy {
  readonly port: number;
  readonly listener: Listener;
  readonly traffic: CapturedTraffic;
  /** The events about connections from this computer. */
  readonly localClients: readonly LocalClient[];
  /** Why reverse ports are not open, after the last change. */
  readonly portProblems: readonly string[];
  /** The immediate events about clients of the probe host. */
  readonly silentCloses: readonly SilentClose[];
  /** A change applies from the next request on. */
  readonly settings: { -readonly [Key in keyof NetworkSettings]: NetworkSettings[Key] };
  /** The root of the certificates that clients see. */
  readonly clientCa: string;
  /** The authority that the proxy trusts for servers. */
  readonly servers: TestAuthority;
  /** When the roots for servers were first read; `null`: not yet. */
  readonly trustReadAt: Instant | null;
  /** From now on, the proxy trusts these certificates for servers. */
  trust(ca: readonly string[]): void;
  /** Starts a server that is stopped with the test. */
  server(serve?: (peer: RawPeer) => unknown): Promise<RawServer>;
  tlsServer(serve?: (peer: RawPeer) => unknown): Promise<RawServer>;
}

/** Each name in ".test" is this computer; other names have no address. */
export const testResolver: Resolver = {
  lookup: async (name) => {
    if (name.endsWith(".test")) return [{ address: "127.0.0.1", family: 4 }];
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" });
  },
};

/** The authorities of every proxy of this process. */
const ours = testAuthority();
const servers = testAuthority();

export async function withProxy(
  options: TestProxyOptions,
  body: (proxy: TestProxy) => Promise<unknown>,
): Promise<void> {
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
  const silentCloses: SilentClose[] = [];
  let portProblems: readonly string[] = [];
  const ownPorts: number[] = [...(options.ownPorts ?? [])];
  const listener = new Listener({
    sink: traffic,
    leaves: ours.leaves,
    clock: options.clock ?? CLOCK,
    ...(options.lineClock === undefined ? {} : { lineClock: options.lineClock }),
    resolver: options.resolver ?? testResolver,
    upstreamCa: () => {
      trustReadAt ??= CLOCK.now();
      return upstreamCa;
    },
    settings: () => settings,
    ownPorts: () => ownPorts,
    certificate: () => ({ pem: ours.pem, der: ours.root.certificate.raw }),
    limits: { drain: 200, ...options.limits },
    debug: options.debug,
    onLocalClient: (client) => localClients.push(client),
    onSilentClose: (close) => silentCloses.push(close),
    onLocalPorts: (problems) => {
      portProblems = problems.map(({ text }) => text);
    },
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
      silentCloses,
      get portProblems() {
        return portProblems;
      },
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
