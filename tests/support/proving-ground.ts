import { mkdirSync } from "node:fs";
import { createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { exportedFiles, exportRoot, publicRoots } from "../../extensions/proxy/certificates/export.ts";
import { Listener } from "../../extensions/proxy/data-thread/network/client/listener.ts";
import type { NetworkSettings } from "../../extensions/proxy/data-thread/network/network-options.ts";
import { CLOCK } from "../../extensions/proxy/process/clock.ts";
import type { CaptureEvent, CaptureSink } from "../../src/engine/capture/event.ts";
import { clientOf } from "../../src/engine/capture/exchange-folder.ts";
import { probeOf } from "../../src/engine/hub/probe.ts";
import type { Target, Values } from "../../src/engine/hub/target.ts";
import type { Watch, WatchEvent } from "../../src/engine/hub/watcher.ts";
import { IDLE, watch } from "../../src/engine/hub/watcher.ts";
import { clientProgramOf } from "../../src/engine/model/client-name.ts";
import { hostOf } from "../../src/engine/model/endpoint.ts";
import { DEFAULT_SETTINGS } from "../../src/engine/model/settings.ts";
import type { ExchangeId } from "../../src/engine/model/units.ts";
import { echoServer, portOf } from "./echo-server.ts";
import { unusedPort } from "./reverse-port.ts";
import { withFolder } from "./temporary-folder.ts";
import { keyHashOf, testAuthority } from "./test-authority.ts";

/** An invented public echo host. No name server knows it, so that a client that bypasses the proxy cannot reach it. */
const ECHO_HOST = "probe.example";

const LOOPBACK = "127.0.0.1";

/**
 * Longest wait in ms from a tool's exit to the last event. Weir reports a rejection 2 s later, on a busy computer even
 * later.
 */
const EVENT_LIMIT = 30_000;

/**
 * `wrong`: the certificate files contain another root. `off`: nothing listens on the proxy's address in the snippet.
 */
export type Mode = "ok" | "wrong" | "off";

export interface Ground {
  /** A new folder, which is the tool's working folder and its HOME. */
  readonly folder: string;
  /** The values for the target's texts. */
  readonly values: Values;
  /** The hosts of all requests and tunnels so far, each once. */
  hosts(): readonly string[];
  /** The name in the User-Agent of the captured probe; "" if it has none, or none was captured. */
  program(): string;
  /** The current state of Validate's watcher. */
  watch(): Watch;
  /** The watcher's state when it matches, or the last state after the time limit. */
  until(isSo: (watch: Watch) => boolean, limit?: number): Promise<Watch>;
}

export interface GroundOptions {
  readonly target: Target;
  readonly mode?: Mode;
  /** `null`: the built-in probe host, for which the proxy itself answers. */
  readonly probeHost?: string | null;
  /** Whether the proxy passes the echo server's TLS through, whose certificate no client trusts. */
  readonly passThrough?: boolean;
  /** An address of this computer that other computers can reach. If set, the proxy listens on all addresses. */
  readonly lan?: string | null;
}

/**
 * Calls `body` with Weir's real proxy and its root, an echo server with another root that is not trusted, exported
 * files, and a watcher as Run Test starts it. Removes all of it afterwards.
 */
export async function onProvingGround(options: GroundOptions, body: (ground: Ground) => unknown): Promise<void> {
  const { target, mode = "ok", probeHost = ECHO_HOST, passThrough = false, lan = null } = options;
  const [ours, servers, strangers] = [testAuthority(), testAuthority(), testAuthority()];
  const echo = await echoServer(servers);
  const watcher = new Watcher();
  const settings: { -readonly [Key in keyof NetworkSettings]: NetworkSettings[Key] } = {
    ...DEFAULT_SETTINGS,
    hostOverrides: [`${ECHO_HOST}=127.0.0.1:${portOf(echo)}`],
    probeHost: probeHost ?? "probe.weir.test",
    privateTargetsFromLan: true,
    passThrough: passThrough ? [ECHO_HOST] : [],
  };
  const upstreamCa = [servers.pem];
  const ownPorts: number[] = [];
  let isOpen = false;
  const listener = new Listener({
    sink: watcher,
    leaves: ours.leaves,
    clock: CLOCK,
    resolver: { lookup: async () => Promise.reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" })) },
    upstreamCa: () => upstreamCa,
    settings: () => settings,
    ownPorts: () => ownPorts,
    certificate: () => ({ pem: ours.pem, der: ours.root.certificate.raw }),
    limits: { drain: 200 },
    onLocalPorts: (problems) => {
      isOpen = problems.length === 0;
    },
    onSilentClose: (close) => watcher.apply({ type: "closed", ...close }),
  });
  /** Opens a reverse or transparent port that leads to `to`. */
  const opened = async (kind: "reversePorts" | "transparentPorts", to: string): Promise<number> => {
    for (;;) {
      const port = await unusedPort();
      settings[kind] = [`${port}=${to}`];
      await listener.applyLocalPorts();
      if (isOpen) return port;
    }
  };
  const bound = await listener.start(lan === null ? LOOPBACK : "0.0.0.0", 0);
  ownPorts.push(bound.port);
  const probe = probeOf(target, settings.probeHost, bound.port);
  const origin = new URL(probe.url).origin;
  const isOn = mode !== "off";
  const reverse = target.slug === "reverse" && isOn ? await opened("reversePorts", origin) : await freePort();
  const transparent =
    target.slug === "transparent" && isOn ? await opened("transparentPorts", "443") : await freePort();
  const port = mode === "off" ? await freePort() : bound.port;
  try {
    await withFolder(async (folder) => {
      const files = exportedFiles(join(folder, "Ada's certificates"));
      mkdirSync(join(folder, "Ada's certificates"));
      const named = mode === "wrong" ? strangers : ours;
      const keyHash = keyHashOf(named.pem);
      const problem = exportRoot(named.root, join(files.pem, ".."), publicRoots());
      if (problem !== null) throw new Error(problem);
      const { pem: ca, bundle, der } = files;
      watcher.apply({ type: "run", at: CLOCK.now(), probe });
      await body({
        folder,
        values: { host: LOOPBACK, port, lan, ca, bundle, der, keyHash, url: probe.url, reverse, transparent },
        hosts: () => [...watcher.hosts],
        program: () => watcher.program,
        watch: () => watcher.state,
        until: (isSo, limit) => watcher.until(isSo, limit),
      });
    });
  } finally {
    await listener.stop();
    echo.closeAllConnections();
    await new Promise((resolve) => echo.close(resolve));
  }
}

/** The capture sink of the proxy under test: passes each event to the watcher. */
class Watcher implements CaptureSink {
  state: Watch = IDLE;
  readonly hosts = new Set<string>();
  program = "";
  #lastId = 0;
  #changed: () => void = () => {};

  wanted(): boolean {
    return true;
  }

  nextId(): ExchangeId {
    this.#lastId += 1;
    return this.#lastId as ExchangeId;
  }

  emit(event: CaptureEvent): void {
    if (event.type === "request-started") this.hosts.add(hostOf(event.origin));
    this.apply({ type: "captured", event });
    if (event.type === "request-started" && this.state.state === "confirmed" && this.state.exchange === event.id)
      this.program = clientProgramOf(clientOf(event.clientAddress, event.head));
  }

  apply(event: WatchEvent): void {
    this.state = watch(this.state, event);
    this.#changed();
  }

  async until(isSo: (watch: Watch) => boolean, limit = EVENT_LIMIT): Promise<Watch> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limit);
      this.#changed = () => {
        if (isSo(this.state)) resolve();
      };
      this.#changed();
    });
    clearTimeout(timer);
    this.#changed = () => {};
    return this.state;
  }
}

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
