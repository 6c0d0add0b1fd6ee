import type { CaptureEvent, RequestStarted } from "../../../../src/engine/capture/event.ts";
import { clientOf } from "../../../../src/engine/capture/exchange-folder.ts";
import { preflight } from "../../../../src/engine/hub/preflight.ts";
import { isSample, matchOf, probeOf, slugIn } from "../../../../src/engine/hub/probe.ts";
import { formKeys, type Target } from "../../../../src/engine/hub/target.ts";
import { targetOf } from "../../../../src/engine/hub/targets/index.ts";
import { type Cause, IDLE, remaining, type Watch, type WatchEvent, watch } from "../../../../src/engine/hub/watcher.ts";
import type {
  HubState,
  SeenRequest,
  SeenSample,
  SnippetCopy,
  TargetState,
} from "../../../../src/engine/messages/hub-messages.ts";
import type { Status } from "../../../../src/engine/messages/status-messages.ts";
import { clientNameOf, clientProgramOf } from "../../../../src/engine/model/client-name.ts";
import { localAddress } from "../../../../src/engine/model/host-port.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import type { HubSource } from "../../../../src/engine/session/queries/context.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import type { ExportedFiles } from "../../certificates/export.ts";
import type { SilentClose } from "../../data-thread/network/network-options.ts";
import { matchesHost } from "../../data-thread/network/origin.ts";
import type { Clock } from "../../process/clock.ts";
import { lanAddress } from "../../process/lan-address.ts";
import { type HubMemory, readHubMemory, writeHubMemory } from "../../storage/hub-file.ts";
import type { WorkerStart } from "../../threads.ts";
import { HubCertificate } from "./hub-certificate.ts";

interface HubCommandsOptions {
  readonly start: Pick<WorkerStart, "dataDir" | "certificatePem">;
  readonly clock: Clock;
  readonly session: () => Pick<Session, "exchanges" | "exchange">;
  readonly status: () => Pick<Status, "proxy" | "recording" | "settings">;
  /** The open reverse and transparent ports, as their entries in the settings. */
  readonly openPorts: () => { readonly reverse: readonly string[]; readonly transparent: readonly string[] };
  /** A warning that the certificate expires soon or has expired; else `null`. */
  readonly endWarning: () => string | null;
  /** Called after each write of the hub's file: with the reason if the write failed, else with `null`. */
  readonly onTrouble: (text: string | null) => void;
  /** Called with the reason if the hub's file could not be read. */
  readonly onForgotten: (text: string) => void;
}

/**
 * The engine's part of the Setup Hub: answers its queries and commands, and keeps a watch for each target that is
 * tested. Captured events, silent closes, ticks and cancellations change the state of a watch.
 */
export class HubCommands implements HubSource {
  readonly #options: HubCommandsOptions;
  readonly #watches = new Map<string, Watch>();
  readonly #seen = new Map<string, SeenRequest>();
  #sample: SeenSample | null = null;
  readonly #certificate: HubCertificate;
  #memory: HubMemory;
  #waiting: readonly string[] = Object.freeze([]);
  #confirmed: readonly string[] = Object.freeze([]);
  #hasRequestedTrust = false;

  constructor(options: HubCommandsOptions) {
    this.#options = options;
    const { dataDir, certificatePem } = options.start;
    const { memory, problem } = readHubMemory(dataDir);
    if (problem !== null) options.onForgotten(problem);
    this.#memory = memory;
    this.#certificate = new HubCertificate(certificatePem, this.#memory.folder ?? dataDir, options.clock);
  }

  get files(): ExportedFiles {
    return this.#certificate.files;
  }

  addEvents(events: readonly CaptureEvent[]): void {
    for (const event of events) {
      if (event.type === "request-started") this.#see(event);
      this.#foldAll({ type: "captured", event });
    }
  }

  /** Called when a client of the probe host closed its connection without an alert. */
  takeClose(close: SilentClose): void {
    this.#foldAll({ type: "closed", ...close });
  }

  /** Ends watches whose time is over. Called about four times a second. */
  tick(): void {
    if (this.#waiting.length > 0) this.#foldAll({ type: "tick", at: this.#options.clock.now() });
  }

  /** Cancels all watches, because a new session began, recording was paused, or the proxy was stopped. */
  cancelAll(cause: Cause): void {
    this.#foldAll({ type: "cancel", at: this.#options.clock.now(), cause });
  }

  state(): HubState {
    const certificate = this.#certificate;
    // The system's store is checked when the hub is first opened instead of at start.
    if (!this.#hasRequestedTrust) void this.askTrust();
    const conditions = this.#conditions();
    const { pem: ca, bundle, der } = certificate.files;
    const { address, port } = conditions.proxy;
    return Object.freeze({
      values: { host: localAddress(address), port, lan: conditions.lan, ca, bundle, der, keyHash: certificate.keyHash },
      conditions,
      folder: certificate.folder,
      exportedAt: certificate.exportedAt,
      trustReadAt: certificate.trustReadAt,
      validTo: certificate.validTo,
      endWarning: this.#options.endWarning(),
      reversePorts: this.#options.openPorts().reverse,
      transparentPorts: this.#options.openPorts().transparent,
      captured: this.#options.session().exchanges,
      sample: this.#listed(this.#sample),
      waiting: this.#waiting,
      confirmed: this.#confirmed,
    });
  }

  target(slug: string): TargetState {
    const { clock, session } = this.#options;
    const current = this.#watches.get(slug) ?? IDLE;
    const exchange = current.state === "confirmed" ? session().exchange(current.exchange) : null;
    return Object.freeze({
      watch: current,
      secondsLeft: Math.ceil(remaining(current, clock.now()) / 1_000),
      confirmedAt: this.#memory.confirmed[slug] ?? null,
      exchange: exchange?.id ?? null,
      seen: this.#listed(this.#seen.get(slug) ?? null),
      unanswered: exchange?.outcome?.kind === "failed" ? exchange.outcome.detail : null,
      copies: this.#memory.copies[slug] ?? [],
    });
  }

  /** Starts waiting for the target's probe. Throws the sentence that says what blocks the test. */
  async run(slug: string): Promise<void> {
    const target = known(slug);
    const { trust } = target;
    if (trust?.kind === "system-store" && trust.platforms.includes(process.platform)) await this.askTrust();
    const { clock } = this.#options;
    const { blocking } = preflight(target, { ...this.#conditions(), copied: null });
    if (blocking !== null) throw new Error(blocking.text);
    const { settings, proxy } = this.#options.status();
    this.#fold(slug, { type: "run", at: clock.now(), probe: probeOf(target, settings.probeHost, proxy.port) });
  }

  extend(slug: string): void {
    this.#fold(slug, { type: "extend" });
  }

  cancel(slug: string): void {
    this.#fold(slug, { type: "cancel", at: this.#options.clock.now(), cause: "by-user" });
  }

  noteCopy(slug: string, form: string): void {
    if (!formKeys(known(slug)).includes(form)) throw new Error("There is no such snippet.");
    const { clock, status } = this.#options;
    const copy: SnippetCopy = {
      form,
      at: clock.now(),
      port: status().proxy.port,
      fingerprint: this.#certificate.fingerprint,
    };
    const others = (this.#memory.copies[slug] ?? []).filter((one) => one.form !== form);
    this.#remember({ copies: { ...this.#memory.copies, [slug]: [...others, copy] } });
  }

  exportTo(folder: string): void {
    const problem = this.#certificate.exportTo(folder);
    if (problem !== null) throw new Error(problem);
    this.#remember({ folder: this.#certificate.folder });
  }

  /**
   * Called when the root was renewed. Exports it to the chosen folder, and checks the system's store again at the hub's
   * next query.
   */
  takeRoot(pem: string): void {
    this.#certificate.renew(pem);
    this.#hasRequestedTrust = false;
  }

  askTrust(): Promise<boolean | null> {
    this.#hasRequestedTrust = true;
    return this.#certificate.askTrust();
  }

  #conditions(): HubState["conditions"] {
    const certificate = this.#certificate;
    const { proxy, recording, settings } = this.#options.status();
    const host = settings.probeHost.replace(/:\d+$/, "");
    const included = settings.captureInclude.length === 0 || matchesHost(settings.captureInclude, host);
    return {
      platform: process.platform,
      proxy: { running: proxy.running, address: proxy.address, port: proxy.port },
      lan: lanAddress(proxy.address),
      recording,
      certificate: {
        fingerprint: certificate.fingerprint,
        trustedBySystem: certificate.trustedBySystem,
        exportProblem: certificate.problem(),
      },
      probeHost: settings.probeHost,
      probeHostPassedThrough: matchesHost(settings.passThrough, host),
      probeHostExcluded: !included || matchesHost(settings.captureExclude, host),
    };
  }

  /** Remembers the sample request, and the probe of any target, whether or not a test runs. */
  #see(request: RequestStarted): void {
    const slug = slugIn(request.target);
    if (slug !== null && isSample(request)) {
      const client = clientOf(request.clientAddress, request.head);
      const names = { client: clientNameOf(client), program: clientProgramOf(client) };
      this.#sample = { at: request.at, exchange: request.id, ...names };
    }
    const target = slug === null ? null : targetOf(slug);
    if (target === null) return;
    const { settings, proxy } = this.#options.status();
    if (matchOf(probeOf(target, settings.probeHost, proxy.port), request) === "probe")
      this.#seen.set(target.slug, { at: request.at, exchange: request.id });
  }

  /** Without the exchange if the current session does not contain it. */
  #listed<Seen extends SeenRequest>(seen: Seen | null): Seen | null {
    if (seen === null || seen.exchange === null) return seen;
    return this.#options.session().exchange(seen.exchange) === null ? { ...seen, exchange: null } : seen;
  }

  #foldAll(event: WatchEvent): void {
    for (const slug of this.#waiting) this.#fold(slug, event);
  }

  #fold(slug: string, event: WatchEvent): void {
    const before = this.#watches.get(slug) ?? IDLE;
    const after = watch(before, event);
    if (after === before) return;
    this.#watches.set(slug, after);
    if (after.state === before.state) return;
    this.#waiting = this.#slugsIn("watching");
    this.#confirmed = this.#slugsIn("confirmed");
    if (after.state === "confirmed") this.#confirm(slug, after.at);
  }

  #slugsIn(state: Watch["state"]): readonly string[] {
    return Object.freeze([...this.#watches].filter(([, one]) => one.state === state).map(([slug]) => slug));
  }

  #confirm(slug: string, at: Instant): void {
    this.#remember({ confirmed: { ...this.#memory.confirmed, [slug]: at } });
  }

  #remember(change: Partial<HubMemory>): void {
    this.#memory = Object.freeze({ ...this.#memory, ...change });
    this.#options.onTrouble(writeHubMemory(this.#options.start.dataDir, this.#memory));
  }
}

function known(slug: string): Target {
  const target = targetOf(slug);
  if (target === null) throw new Error("There is no such target.");
  return target;
}
