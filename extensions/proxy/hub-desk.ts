import type { CaptureEvent } from "../../src/engine/capture/event.ts";
import { formKeys } from "../../src/engine/hub/copies.ts";
import { preflight } from "../../src/engine/hub/preflight.ts";
import { probeOf } from "../../src/engine/hub/probe.ts";
import type { Target } from "../../src/engine/hub/target.ts";
import { targetOf } from "../../src/engine/hub/targets/index.ts";
import { type Cause, IDLE, remaining, type Watch, type WatchEvent, watch } from "../../src/engine/hub/watcher.ts";
import type { HubState, SnippetCopy, TargetState } from "../../src/engine/messages/hub-messages.ts";
import type { Status } from "../../src/engine/messages/status-messages.ts";
import { localAddress } from "../../src/engine/model/listen-address.ts";
import type { Instant } from "../../src/engine/model/units.ts";
import type { HubSource } from "../../src/engine/session/context.ts";
import type { Session } from "../../src/engine/session/session.ts";
import type { ExportedFiles } from "./certificates/export.ts";
import type { Clock } from "./clock.ts";
import { HubCertificate } from "./hub-certificate.ts";
import { lanAddress } from "./lan-address.ts";
import { matchesHost } from "./network/host-pattern.ts";
import { type HubMemory, readHubMemory, writeHubMemory } from "./storage/hub-file.ts";
import type { WorkerStart } from "./threads.ts";

interface HubDeskOptions {
  readonly start: Pick<WorkerStart, "dataDir" | "certificatePem">;
  readonly clock: Clock;
  readonly session: () => Pick<Session, "exchanges" | "exchange">;
  readonly status: () => Pick<Status, "proxy" | "recording" | "settings">;
  /** That the certificate ends soon, in words. */
  readonly endWarning: () => string | null;
  /** What it remembers could not be written, in words, or (`null`) could. Nothing stops for that. */
  readonly onTrouble: (text: string | null) => void;
  /** What it remembered could not be read, in words. */
  readonly onForgotten: (text: string) => void;
}

/**
 * The Setup Hub's half of the engine: it answers what the hub asks, and holds one watch for each target that was tested.
 * The watches are folds: captures come by `take`, the time by `tick`, and what ends them early by `cancelAll`.
 */
export class HubDesk implements HubSource {
  readonly #options: HubDeskOptions;
  readonly #watches = new Map<string, Watch>();
  readonly #certificate: HubCertificate;
  #memory: HubMemory;
  #waiting: readonly string[] = Object.freeze([]);
  #askedTrust = false;

  constructor(options: HubDeskOptions) {
    this.#options = options;
    const { dataDir, certificatePem } = options.start;
    const { memory, problem } = readHubMemory(dataDir);
    if (problem !== null) options.onForgotten(problem);
    this.#memory = memory;
    this.#certificate = new HubCertificate(certificatePem, this.#memory.folder ?? dataDir, options.clock);
  }

  /** Where the certificate lies for others to load. */
  get files(): ExportedFiles {
    return this.#certificate.files;
  }

  /** Folds what the network described. */
  take(events: readonly CaptureEvent[]): void {
    if (this.#waiting.length === 0) return;
    for (const event of events) this.#foldAll({ type: "captured", event });
  }

  /** Ends what has waited long enough; call it about four times a second. */
  tick(): void {
    if (this.#waiting.length > 0) this.#foldAll({ type: "tick", at: this.#options.clock.now() });
  }

  /** Session cleared or begun anew, recording paused, proxy stopped: nothing is waited for any more. */
  cancelAll(cause: Cause): void {
    this.#foldAll({ type: "cancel", at: this.#options.clock.now(), cause });
  }

  state(): HubState {
    const certificate = this.#certificate;
    // The system is asked when the hub is looked at for the first time, not when Weir starts.
    if (!this.#askedTrust) void this.askTrust();
    const conditions = this.#conditions();
    const { pem: ca, bundle, der } = certificate.files;
    const { address, port } = conditions.proxy;
    return Object.freeze({
      values: { host: localAddress(address), port, lan: conditions.lan, ca, bundle, der },
      conditions,
      folder: certificate.folder,
      exportedAt: certificate.exportedAt,
      trustAskedAt: certificate.trustAskedAt,
      validTo: certificate.validTo,
      endWarning: this.#options.endWarning(),
      captured: this.#options.session().exchanges,
      waiting: this.#waiting,
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
      unanswered: exchange?.outcome?.kind === "failed" ? exchange.outcome.detail : null,
      copies: this.#memory.copies[slug] ?? [],
    });
  }

  /** Begins to wait for the target's probe; throws the sentence of what blocks it. */
  async run(slug: string): Promise<void> {
    const target = known(slug);
    const asksSystem = target.trust.kind === "system-store" && target.trust.platforms.includes(process.platform);
    if (asksSystem) await this.askTrust();
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
    if (!formKeys(known(slug)).includes(form)) throw new Error("There is no such text.");
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

  /** The root was renewed: the files in the chosen folder are exported anew, and the system is asked again when somebody looks. */
  takeRoot(pem: string): void {
    this.#certificate.renew(pem);
    this.#askedTrust = false;
  }

  askTrust(): Promise<boolean | null> {
    this.#askedTrust = true;
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

  #foldAll(event: WatchEvent): void {
    for (const slug of this.#waiting) this.#fold(slug, event);
  }

  #fold(slug: string, event: WatchEvent): void {
    const before = this.#watches.get(slug) ?? IDLE;
    const after = watch(before, event);
    if (after === before) return;
    this.#watches.set(slug, after);
    if (after.state === before.state) return;
    this.#waiting = Object.freeze([...this.#watches].filter(([, one]) => one.state === "watching").map(([one]) => one));
    if (after.state === "confirmed") this.#confirm(slug, after.at);
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
