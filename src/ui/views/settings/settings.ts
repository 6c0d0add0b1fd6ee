import type { Status } from "../../../engine/messages/status-messages.ts";
import { hostPort, isThisMachine } from "../../../engine/model/host-port.ts";
import type { ClientCertificate, HostAuthority, Settings } from "../../../engine/model/settings.ts";
import { certificateDateText } from "../../format/clock.ts";
import { countPhrase } from "../../format/count.ts";
import { addAuthority } from "../add-authority.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../mounted.ts";
import { NO_NUMBERS, type NumberRow, numbersChanged, numbersTold, readNumber, readThreshold } from "./numbers.ts";
import { settingsIndex } from "./settings-index.ts";

const PATTERN_KEYS = [
  "captureInclude",
  "captureExclude",
  "passThrough",
  "tlsExceptions",
  "upstreamProxyBypass",
  "hostOverrides",
  "reversePorts",
  "transparentPorts",
  "http1Hosts",
  "hiddenHosts",
] as const;
type PatternKey = (typeof PATTERN_KEYS)[number];

/** The settings that are on or off. */
const SWITCH_KEYS = ["http2", "privateTargetsFromLan", "showHiddenHosts"] as const;
type SwitchKey = (typeof SWITCH_KEYS)[number];

/** The view Settings: all settings, and facts about this Weir. */
export function settingsView(deps: ViewDependencies) {
  const ending: (() => void)[] = [];
  const sent = new SentSettings(deps);
  let lastStatus: Status | null = null;

  return view({
    known: false,
    /** Why the settings are unknown; "" if they are known or awaited. */
    problem: "",
    threshold: "",
    thresholdProblem: "",
    proxyText: "",
    proxyRunning: false,
    certificate: Object.freeze([]) as readonly CopyRow[],
    files: Object.freeze([]) as readonly CopyRow[],
    /** The warning that the certificate expires soon; empty if it does not. */
    endWarning: "",
    renewable: false,
    /** Whether the consequences of a new certificate are shown. */
    renewing: false,
    renewProblem: "",
    /** Whether the consequences of deleting everything are shown, and why deleting failed. */
    deleting: false,
    deletionProblem: "",
    /** The texts of the pattern fields, set one by one, so that a change keeps the text typed in other fields. */
    patterns: noTexts(),
    patternProblems: Object.freeze(noTexts()),
    ...NO_NUMBERS,
    upstreamProxy: "",
    upstreamProxyProblem: "",
    /** The proxy that the environment names and that is not in use; empty if there is none. */
    offeredProxy: "",
    /** Whether other devices may reach the proxy, a text that says who can reach it, and why a change failed. */
    lan: false,
    lanText: "",
    lanProblem: "",
    switches: { http2: true, privateTargetsFromLan: false, showHiddenHosts: false },
    clientCertificates: Object.freeze([]) as readonly CertificateEntry[],
    authorities: Object.freeze([]) as readonly AuthorityEntry[],
    authorityHost: "",
    authorityProblem: "",
    /** The client certificate that the user is typing. */
    newHost: "",
    newFile: "",
    newPassphrase: "",
    clientCertificateProblem: "",
    theme: "system" as Settings["theme"],
    version: "",
    dataDir: "",
    notices: NOTICES,

    init(): void {
      const status = deps.windows.value({ view: "status" }, () => {
        this.problem = status.problem ?? "";
        show(status.value);
      });
      const show = (now: Status | undefined): void => {
        if (now === undefined) return;
        lastStatus = now;
        const { settings, proxy } = now;
        // Whether a field takes the engine's value: it keeps a refused text, and a text that is being sent.
        const isTold = (key: keyof Settings, problem: string) => problem === "" && !sent.isSending(key);
        this.known = true;
        if (isTold("fixedThreshold", this.thresholdProblem)) this.threshold = String(settings.fixedThreshold ?? "");
        for (const key of PATTERN_KEYS) {
          if (isTold(key, this.patternProblems[key])) this.patterns[key] = patternsText(settings[key]);
        }
        const isSending = (key: keyof Settings) => sent.isSending(key);
        this.insight = numbersTold(this.insight, settings, isSending);
        this.limits = numbersTold(this.limits, settings, isSending);
        if (isTold("upstreamProxy", this.upstreamProxyProblem)) this.upstreamProxy = settings.upstreamProxy ?? "";
        this.offeredProxy = settings.upstreamProxy === now.environmentProxy ? "" : (now.environmentProxy ?? "");
        this.lan = !isThisMachine(proxy.address);
        this.lanText = reachText(now);
        this.endWarning = now.notices.find(({ id }) => id === "root-end")?.text ?? "";
        this.renewable = now.certificate.renewable;
        for (const key of SWITCH_KEYS) if (!sent.isSending(key)) this.switches[key] = settings[key];
        this.clientCertificates = certificateEntries(settings.clientCertificates);
        this.authorities = authorityEntries(settings.hostAuthorities);
        this.theme = settings.theme;
        this.proxyRunning = proxy.running;
        this.proxyText = hostPort(proxy.address, proxy.port);
        this.certificate = certificateRows(now);
        this.files = fileRows(now);
        this.version = now.version;
        this.dataDir = now.dataDir;
      };
      ending.push(() => status.close());
    },

    destroy(): void {
      for (const end of ending.splice(0)) end();
    },

    async setThreshold(text: string): Promise<void> {
      this.threshold = text;
      const reading = readThreshold(text);
      this.thresholdProblem = reading.ok ? await sent.send("fixedThreshold", reading.value) : reading.problem;
    },

    async setNumber(row: NumberRow, text: string): Promise<void> {
      const reading = readNumber(row, text);
      const problem = reading.ok ? await sent.send(row.key, reading.value) : reading.problem;
      this.insight = numbersChanged(this.insight, row.key, { text, problem });
      this.limits = numbersChanged(this.limits, row.key, { text, problem });
    },

    async setPatterns(key: PatternKey, text: string): Promise<void> {
      const patterns = patternsOf(text);
      this.patterns[key] = patternsText(patterns);
      const problem = await sent.send(key, patterns);
      this.patternProblems = Object.freeze({ ...this.patternProblems, [key]: problem });
    },

    async setUpstreamProxy(text: string): Promise<void> {
      this.upstreamProxy = text;
      this.upstreamProxyProblem = await sent.send("upstreamProxy", text.trim() === "" ? null : text.trim());
    },

    async setLan(on: boolean): Promise<void> {
      const reply = await deps.commands.send({ type: "set-reach", lan: on });
      this.lanProblem = reply.ok ? "" : reply.problem;
    },

    async renew(): Promise<void> {
      const reply = await deps.commands.send({ type: "renew-certificate" });
      this.renewProblem = reply.ok ? "" : reply.problem;
      if (!reply.ok) return;
      this.renewing = false;
      deps.announce("Certificate renewed.");
    },

    async deleteCaptured(): Promise<void> {
      const reply = await deps.commands.send({ type: "delete-captured" });
      this.deletionProblem = reply.ok ? "" : reply.problem;
      if (!reply.ok) return;
      this.deleting = false;
      deps.announce("All captured data deleted.");
    },

    async turn(key: SwitchKey, on: boolean): Promise<void> {
      this.switches[key] = on;
      const problem = await sent.send(key, on);
      if (problem === "") return;
      this.switches[key] = !on;
      deps.announce(problem);
    },

    /** Adds the chosen file for the host that was typed. The field is emptied, so that a file can be chosen again. */
    async addAuthority(field: HTMLInputElement): Promise<void> {
      const [file] = field.files ?? [];
      if (file === undefined) return;
      this.authorityProblem = await addAuthority(deps, lastStatus, this.authorityHost.trim(), file);
      field.value = "";
      if (this.authorityProblem === "") this.authorityHost = "";
    },

    async removeAuthority(entry: AuthorityEntry): Promise<void> {
      const kept = this.authorities.filter((one) => one.key !== entry.key).map((one) => one.authority);
      this.authorityProblem = await sent.send("hostAuthorities", kept);
    },

    async addClientCertificate(): Promise<void> {
      const { newHost: host, newFile: file, newPassphrase } = this;
      const added: ClientCertificate = { host, file, passphrase: newPassphrase === "" ? null : newPassphrase };
      const kept = this.clientCertificates.map((entry) => entry.certificate);
      this.clientCertificateProblem = await sent.send("clientCertificates", [...kept, added]);
      if (this.clientCertificateProblem !== "") return;
      this.newHost = "";
      this.newFile = "";
      this.newPassphrase = "";
    },

    async removeClientCertificate(entry: CertificateEntry): Promise<void> {
      const kept = this.clientCertificates.filter((one) => one.key !== entry.key).map((one) => one.certificate);
      this.clientCertificateProblem = await sent.send("clientCertificates", kept);
    },

    setTheme(theme: Settings["theme"]): void {
      void sent.send("theme", theme);
    },

    async toggleProxy(): Promise<void> {
      const reply = await deps.commands.send({ type: this.proxyRunning ? "stop-proxy" : "start-proxy" });
      if (!reply.ok) deps.announce(reply.problem);
    },

    copy(row: CopyRow): void {
      void deps.copy(row.value, `${row.name} copied.`);
    },

    settingsIndex,
  });
}

function noTexts(): Record<PatternKey, string> {
  return Object.fromEntries(PATTERN_KEYS.map((key) => [key, ""])) as Record<PatternKey, string>;
}

/** The host patterns or host overrides in a field, separated by lines, commas or spaces; duplicates are removed. */
export function patternsOf(text: string): readonly string[] {
  return Object.freeze([...new Set(text.split(/[\s,]+/).filter((pattern) => pattern !== ""))]);
}

function patternsText(patterns: readonly string[]): string {
  return patterns.join("\n");
}

function reachText({ proxy, lan }: Status): string {
  if (isThisMachine(proxy.address)) return "Only programs on this computer can reach the proxy.";
  if (!proxy.running) return "The proxy is stopped. Once it runs, devices on your network can reach it.";
  if (lan === null) return "This computer has no network address, so other devices cannot reach the proxy yet.";
  return `Devices on your network can reach the proxy at ${hostPort(lan, proxy.port)}.`;
}

export interface CertificateEntry {
  /** The certificate's index in the setting. */
  readonly key: number;
  readonly host: string;
  readonly file: string;
  /** Whether the certificate has a passphrase, as text. */
  readonly note: string;
  /** The certificate as the engine sent it, to be sent back unchanged. */
  readonly certificate: ClientCertificate;
}

function certificateEntries(certificates: readonly ClientCertificate[]): readonly CertificateEntry[] {
  return Object.freeze(
    certificates.map((certificate, key) => {
      const { host, file, passphrase } = certificate;
      return Object.freeze({ key, host, file, note: passphrase === null ? "" : "with a passphrase", certificate });
    }),
  );
}

export interface CopyRow {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

function certificateRows({ certificate }: Status): readonly CopyRow[] {
  return Object.freeze([
    { name: "Subject", value: certificate.subject, note: "" },
    { name: "Valid from", value: certificateDateText(certificate.validFrom), note: "" },
    { name: "Valid to", value: certificateDateText(certificate.validTo), note: "" },
    { name: "SHA-256 fingerprint", value: certificate.fingerprint, note: "" },
  ]);
}

/** The paths of the certificate's files. */
function fileRows({ certificate }: Status): readonly CopyRow[] {
  return Object.freeze([
    {
      name: "weir-ca.pem",
      value: certificate.pem,
      note: "Weir's root certificate alone, for settings that add to the trusted roots",
    },
    {
      name: "weir-ca-bundle.pem",
      value: certificate.bundle,
      note: "The system's root certificates and Weir's, for settings that replace the trusted roots",
    },
    { name: "weir-ca.cer", value: certificate.der, note: "Weir's root certificate as DER, for phones" },
  ]);
}

/** A host's CA file in the list. */
export interface AuthorityEntry {
  /** Its index in the setting. */
  readonly key: number;
  readonly host: string;
  readonly file: string;
  /** How many certificates it has: "2 certificates". */
  readonly note: string;
  readonly authority: HostAuthority;
}

export function authorityEntries(authorities: readonly HostAuthority[]): readonly AuthorityEntry[] {
  return Object.freeze(
    authorities.map((authority, key) => {
      const { host, file, certificates } = authority;
      const count = certificates.split("BEGIN CERTIFICATE").length - 1;
      return Object.freeze({ key, host, file, note: countPhrase(count, "certificate", "certificates"), authority });
    }),
  );
}

/**
 * Notices that third-party licences require. The page itself has the notice of Lightweight Charts, because that notice
 * must contain a link.
 */
const NOTICES: readonly { readonly name: string; readonly text: string }[] = Object.freeze(
  [
    { name: "Alpine.js", text: "MIT, Caleb Porzio and contributors" },
    { name: "Tailwind CSS", text: "MIT, Tailwind Labs" },
    { name: "Neutralinojs", text: "MIT, Neutralinojs and contributors" },
    { name: "Node.js", text: "MIT, OpenJS Foundation and contributors" },
    { name: "ws", text: "MIT, Einar Otto Stangvik and contributors" },
    { name: "node-forge", text: "BSD 3-Clause, Digital Bazaar" },
    { name: "Valibot", text: "MIT, Fabian Hiller" },
    { name: "CodeMirror and Lezer", text: "MIT, Marijn Haverbeke and others" },
    { name: "env-paths", text: "MIT, Sindre Sorhus" },
    { name: "Lightweight Charts", text: "Apache 2.0, TradingView" },
  ].map((notice) => Object.freeze(notice)),
);

/**
 * Settings that are being sent to the engine. Until the engine has replied, a status may be older than the texts in
 * the fields.
 */
class SentSettings {
  readonly #deps: Pick<ViewDependencies, "commands" | "announce">;
  /** The number of pending commands for each setting. */
  readonly #sending = new Map<keyof Settings, number>();

  constructor(deps: Pick<ViewDependencies, "commands" | "announce">) {
    this.#deps = deps;
  }

  isSending(key: keyof Settings): boolean {
    return (this.#sending.get(key) ?? 0) > 0;
  }

  /** Sends a setting. Resolves to the reason if it is refused, as text; else announces "Saved." and resolves to "". */
  async send(key: keyof Settings, value: Settings[keyof Settings]): Promise<string> {
    this.#sending.set(key, (this.#sending.get(key) ?? 0) + 1);
    const reply = await this.#deps.commands.send({ type: "set-setting", key, value });
    this.#sending.set(key, (this.#sending.get(key) ?? 1) - 1);
    if (reply.ok) this.#deps.announce("Saved.");
    return reply.ok ? "" : reply.problem;
  }
}
