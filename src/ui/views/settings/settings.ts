import type { Status } from "../../../engine/messages/status-messages.ts";
import type { ClientCertificate, Settings } from "../../../engine/model/settings.ts";
import { isThisComputer } from "../../format/address.ts";
import type { ViewDependencies } from "../dependencies.ts";
import type { View } from "../mounted.ts";
import { type CertificateEntry, certificateEntries } from "./client-certificates.ts";
import { NOTICES } from "./licences.ts";
import { patternsOf, patternsText } from "./patterns.ts";
import { readThreshold } from "./threshold.ts";

const PATTERN_KEYS = [
  "captureInclude",
  "captureExclude",
  "passThrough",
  "tlsExceptions",
  "upstreamProxyBypass",
  "http1Hosts",
] as const;
type PatternKey = (typeof PATTERN_KEYS)[number];

/** A value that can be copied. */
interface CopyRow {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

interface SettingsView {
  known: boolean;
  threshold: string;
  thresholdProblem: string;
  proxyText: string;
  proxyRunning: boolean;
  certificate: readonly CopyRow[];
  files: readonly CopyRow[];
  /** That the certificate ends soon, in words; empty: it does not. */
  endWarning: string;
  renewable: boolean;
  /** The consequences of a new certificate are being read. */
  renewing: boolean;
  renewProblem: string;
  /** Each is changed by itself: a field is drawn anew only for its own text, so that nobody's typing is lost. */
  readonly patterns: Record<PatternKey, string>;
  patternProblems: Readonly<Record<PatternKey, string>>;
  upstreamProxy: string;
  upstreamProxyProblem: string;
  /** What the environment names and is not in use; empty: nothing to offer. */
  offeredProxy: string;
  /** Whether other devices may reach the proxy, where they do so, and what went wrong. */
  lan: boolean;
  lanText: string;
  lanProblem: string;
  privateTargets: boolean;
  http2: boolean;
  clientCertificates: readonly CertificateEntry[];
  /** The entry that is being written. */
  newHost: string;
  newFile: string;
  newPassphrase: string;
  clientCertificateProblem: string;
  theme: Settings["theme"];
  version: string;
  dataDir: string;
  readonly notices: typeof NOTICES;
  init(): void;
  destroy(): void;
  setThreshold(text: string): Promise<void>;
  setPatterns(key: PatternKey, text: string): Promise<void>;
  setUpstreamProxy(text: string): Promise<void>;
  setLan(on: boolean): Promise<void>;
  setPrivateTargets(on: boolean): Promise<void>;
  setHttp2(on: boolean): Promise<void>;
  renew(): Promise<void>;
  addClientCertificate(): Promise<void>;
  removeClientCertificate(entry: CertificateEntry): Promise<void>;
  setTheme(theme: Settings["theme"]): void;
  toggleProxy(): Promise<void>;
  copy(row: CopyRow): void;
}

/** Everything that can be set, and what there is to know about this Weir. */
export function settingsView(deps: ViewDependencies): View<SettingsView> {
  const ending: (() => void)[] = [];

  /** How often a setting is on its way to the engine: what is told meanwhile may be older than what stands in its field. */
  const sending = new Map<keyof Settings, number>();

  const set = async (key: keyof Settings, value: unknown): Promise<string> => {
    sending.set(key, (sending.get(key) ?? 0) + 1);
    const reply = await deps.commands.send({ type: "set-setting", key, value });
    sending.set(key, (sending.get(key) ?? 1) - 1);
    if (reply.ok) deps.announce("Saved.");
    return reply.ok ? "" : reply.problem;
  };

  return {
    known: false,
    threshold: "",
    thresholdProblem: "",
    proxyText: "",
    proxyRunning: false,
    certificate: Object.freeze([]),
    files: Object.freeze([]),
    endWarning: "",
    renewable: false,
    renewing: false,
    renewProblem: "",
    patterns: noTexts(),
    patternProblems: Object.freeze(noTexts()),
    upstreamProxy: "",
    upstreamProxyProblem: "",
    offeredProxy: "",
    lan: false,
    lanText: "",
    lanProblem: "",
    privateTargets: false,
    http2: true,
    clientCertificates: Object.freeze([]),
    newHost: "",
    newFile: "",
    newPassphrase: "",
    clientCertificateProblem: "",
    theme: "system",
    version: "",
    dataDir: "",
    notices: NOTICES,

    init() {
      const status = deps.windows.value({ view: "status" }, () => show(status.value));
      const show = (now: Status | undefined): void => {
        if (now === undefined) return;
        const { settings, proxy } = now;
        // What was refused stays in its field, too.
        const isTold = (key: keyof Settings, problem: string) => problem === "" && (sending.get(key) ?? 0) === 0;
        this.known = true;
        if (isTold("fixedThreshold", this.thresholdProblem)) this.threshold = String(settings.fixedThreshold ?? "");
        for (const key of PATTERN_KEYS) {
          if (isTold(key, this.patternProblems[key])) this.patterns[key] = patternsText(settings[key]);
        }
        if (isTold("upstreamProxy", this.upstreamProxyProblem)) this.upstreamProxy = settings.upstreamProxy ?? "";
        this.offeredProxy = settings.upstreamProxy === now.environmentProxy ? "" : (now.environmentProxy ?? "");
        this.lan = !isThisComputer(proxy.address);
        this.lanText = reachText(now);
        this.endWarning = now.notices.find(({ id }) => id === "root-end")?.text ?? "";
        this.renewable = now.certificate.renewable;
        this.privateTargets = settings.privateTargetsFromLan;
        this.http2 = settings.http2;
        this.clientCertificates = certificateEntries(settings.clientCertificates);
        this.theme = settings.theme;
        this.proxyRunning = proxy.running;
        this.proxyText = `${proxy.address}:${proxy.port}`;
        this.certificate = certificateRows(now);
        this.files = fileRows(now);
        this.version = now.version;
        this.dataDir = now.dataDir;
      };
      ending.push(() => status.close());
    },

    destroy() {
      for (const end of ending.splice(0)) end();
    },

    async setThreshold(text) {
      this.threshold = text;
      const reading = readThreshold(text);
      this.thresholdProblem = reading.ok ? await set("fixedThreshold", reading.value) : reading.problem;
    },

    async setPatterns(key, text) {
      const patterns = patternsOf(text);
      this.patterns[key] = patternsText(patterns);
      const problem = await set(key, patterns);
      this.patternProblems = Object.freeze({ ...this.patternProblems, [key]: problem });
    },

    async setUpstreamProxy(text) {
      this.upstreamProxy = text;
      this.upstreamProxyProblem = await set("upstreamProxy", text.trim() === "" ? null : text.trim());
    },

    async setLan(on) {
      const reply = await deps.commands.send({ type: "set-reach", lan: on });
      this.lanProblem = reply.ok ? "" : reply.problem;
    },

    async renew() {
      const reply = await deps.commands.send({ type: "renew-certificate" });
      this.renewProblem = reply.ok ? "" : reply.problem;
      if (!reply.ok) return;
      this.renewing = false;
      deps.announce("The certificate is renewed.");
    },

    async setPrivateTargets(on) {
      const problem = await set("privateTargetsFromLan", on);
      if (problem !== "") deps.announce(problem);
    },

    async setHttp2(on) {
      const problem = await set("http2", on);
      if (problem !== "") deps.announce(problem);
    },

    async addClientCertificate() {
      const { newHost: host, newFile: file, newPassphrase } = this;
      const added: ClientCertificate = { host, file, passphrase: newPassphrase === "" ? null : newPassphrase };
      const kept = this.clientCertificates.map((entry) => entry.certificate);
      this.clientCertificateProblem = await set("clientCertificates", [...kept, added]);
      if (this.clientCertificateProblem !== "") return;
      this.newHost = "";
      this.newFile = "";
      this.newPassphrase = "";
    },

    async removeClientCertificate(entry) {
      const kept = this.clientCertificates.filter((one) => one.key !== entry.key).map((one) => one.certificate);
      this.clientCertificateProblem = await set("clientCertificates", kept);
    },

    setTheme(theme) {
      void set("theme", theme);
    },

    async toggleProxy() {
      const reply = await deps.commands.send({ type: this.proxyRunning ? "stop-proxy" : "start-proxy" });
      if (!reply.ok) deps.announce(reply.problem);
    },

    copy(row) {
      void deps.copy(row.value, `${row.name} is copied.`);
    },
  };
}

/** Who reaches the proxy now. */
function reachText({ proxy, lan }: Status): string {
  if (isThisComputer(proxy.address)) return "Now: only programs on this computer reach the proxy.";
  if (!proxy.running) return "The proxy is stopped. Once it runs, devices in your network reach it.";
  if (lan === null) return "Now: this computer has no address in a network, so nobody else reaches the proxy yet.";
  return `Now: devices in your network reach the proxy at ${lan}:${proxy.port}.`;
}

function noTexts(): Record<PatternKey, string> {
  return Object.fromEntries(PATTERN_KEYS.map((key) => [key, ""])) as Record<PatternKey, string>;
}

function certificateRows({ certificate }: Status): readonly CopyRow[] {
  return Object.freeze([
    { name: "Subject", value: certificate.subject, note: "" },
    { name: "Valid from", value: certificate.validFrom, note: "" },
    { name: "Ends", value: certificate.validTo, note: "" },
    { name: "SHA-256 fingerprint", value: certificate.fingerprint, note: "" },
  ]);
}

function fileRows({ certificate }: Status): readonly CopyRow[] {
  return Object.freeze([
    { name: "weir-ca.pem", value: certificate.pem, note: "our root alone, for settings that add a certificate" },
    {
      name: "weir-ca-bundle.pem",
      value: certificate.bundle,
      note: "the system's roots and ours, for settings that replace the list",
    },
    { name: "weir-ca.cer", value: certificate.der, note: "our root as DER, for phones" },
  ]);
}
