import type { Notice, Pause, ProxyState, Status } from "../../../../src/engine/messages/status-messages.ts";
import { type Conditions, conditionsText } from "../../../../src/engine/model/conditions.ts";
import { hostPort, isThisMachine, localAddress } from "../../../../src/engine/model/host-port.ts";
import { proxyAddressOf } from "../../../../src/engine/model/proxy-address.ts";
import { lanAddress } from "../../process/lan-address.ts";
import type { LocalPortsState, WorkerStart } from "../../threads.ts";
import type { CurrentSession } from "../recording/current-session.ts";
import type { Experiments } from "./experiments.ts";
import type { HubCommands } from "./hub-commands.ts";
import type { RootCommands, SettingsCommands } from "./settings-commands.ts";

interface StatusParts {
  readonly hub: HubCommands;
  readonly root: RootCommands;
  readonly settings: SettingsCommands;
  readonly experiments: Experiments;
}

/** The state of the proxy and of recording, which the data thread reports and every window shows. */
export class EngineState {
  /** Lasting problems, which all windows show. */
  readonly notices: Notices;
  isRecording: boolean;
  pause: Pause | null;
  openPorts: Pick<LocalPortsState, "reverse" | "transparent"> = { reverse: [], transparent: [] };
  readonly #start: WorkerStart;
  readonly #currentSession: CurrentSession;
  #conditions: Conditions | null = null;
  #proxy: ProxyState = Object.freeze({ running: false, address: "", port: 0, wantedPort: null, problem: null });

  constructor(start: WorkerStart, currentSession: CurrentSession) {
    this.#start = start;
    this.#currentSession = currentSession;
    this.notices = new Notices(start.notices);
    this.pause = start.handoff?.pause ?? null;
    this.isRecording = this.pause === null;
  }

  get proxy(): ProxyState {
    return this.#proxy;
  }

  set proxy(proxy: ProxyState) {
    this.#proxy = proxy;
    this.notices.set("lan", proxy.running ? lanNotice(proxy) : null);
  }

  set localPorts({ reverse, transparent, problems }: LocalPortsState) {
    this.openPorts = { reverse, transparent };
    this.notices.set("local-ports", problems.length === 0 ? null : problems.join(" "));
  }

  /** Conditions label the session in which they are in force, and leave it out of the baseline. */
  set conditions(conditions: Conditions | null) {
    this.#conditions = conditions;
    this.#currentSession.slowed = conditions === null ? null : conditionsText(conditions);
  }

  status({ hub, root, settings, experiments }: StatusParts): Status {
    const { version, host, dataDir } = this.#start;
    return {
      version,
      host,
      proxy: this.#proxy,
      recording: this.isRecording,
      pause: this.isRecording ? null : this.pause,
      conditions: this.#conditions,
      lan: this.#proxy.running ? lanAddress(this.#proxy.address) : null,
      certificate: { ...root.certificate, ...hub.files },
      settings: settings.shown,
      environmentProxy: this.#otherProxy(settings.shownEnvironmentProxy),
      dataDir,
      notices: this.notices.all,
      experiment: experiments.state,
    };
  }

  /**
   * The upstream proxy of the environment; `null` if there is none, or if it is Weir itself, as in a terminal set up
   * for Weir.
   */
  #otherProxy(offered: string | null): string | null {
    const address = offered === null ? null : proxyAddressOf(offered);
    const names = ["localhost", "127.0.0.1", "::1", localAddress(this.#proxy.address)];
    return address?.port === this.#proxy.port && names.includes(address.host) ? null : offered;
  }
}

/** docs/security.md S5: a notice for as long as other devices can use the proxy. */
function lanNotice({ address, port }: ProxyState): string | null {
  if (isThisMachine(address)) return null;
  const lan = lanAddress(address);
  const where = lan === null ? "" : ` at ${hostPort(lan, port)}`;
  return `Devices on your network can use this proxy${where} until Weir exits. Turn this off in Settings, Proxy.`;
}

/** Lasting problems, each with an id of its own, in order of appearance. */
export class Notices {
  #notices: ReadonlyMap<string, Notice>;

  constructor(found: readonly Notice[]) {
    this.#notices = new Map(found.map((notice) => [notice.id, notice]));
  }

  get all(): readonly Notice[] {
    return [...this.#notices.values()];
  }

  /** Shows a problem, or removes it (`null`). */
  set(id: string, text: string | null): void {
    if ((this.#notices.get(id)?.text ?? null) === text) return;
    const notices = new Map(this.#notices);
    if (text === null) notices.delete(id);
    else notices.set(id, Object.freeze({ id, severity: "warning", text, advice: null }));
    this.#notices = notices;
  }

  advise(advice: readonly Notice[]): void {
    const others = this.all.filter((notice) => notice.advice === null);
    this.#notices = new Map([...others, ...advice].map((notice) => [notice.id, notice]));
  }
}
