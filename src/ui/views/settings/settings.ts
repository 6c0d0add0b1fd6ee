import type { Command } from "../../../engine/messages/messages.ts";
import type { Status } from "../../../engine/messages/status-messages.ts";
import { hostPort, isThisMachine } from "../../../engine/model/host-port.ts";
import type { ClientCertificate, HostAuthority, Settings } from "../../../engine/model/settings.ts";
import { certificateDateText } from "../../format/clock.ts";
import { countPhrase } from "../../format/count.ts";
import { addAuthority } from "../add-authority.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { type CopyRow, exportedFiles } from "../exported-files.ts";
import { view } from "../view.ts";
import { FIELD_KEYS, FIELDS, type FieldKey } from "./fields.ts";
import { settingsIndex } from "./settings-index.ts";

/** The settings that are lists of files for hosts. */
const FILE_KEYS = ["hostAuthorities", "clientCertificates"] as const;
type FileKey = (typeof FILE_KEYS)[number];

/** The settings that are on or off. */
const SWITCH_KEYS = ["http2", "privateTargetsFromLan", "showHiddenHosts"] as const;
type SwitchKey = (typeof SWITCH_KEYS)[number];

/** The view Settings: all settings, and facts about this Weir. */
export function settingsView(deps: ViewDependencies) {
  const ending: (() => void)[] = [];
  const sent = new SentSettings(deps);
  let lastStatus: Status | null = null;
  /** Sends a command, and announces `done` if it has an effect. Resolves to why it has none; "" if it has. */
  const problemOf = async (command: Command, done = ""): Promise<string> => {
    const reply = await deps.commands.send(command);
    if (reply.ok && done !== "") deps.announce(done);
    return reply.ok ? "" : reply.problem;
  };

  return view({
    known: false,
    /** Why the settings are unknown; "" if they are known or awaited. */
    problem: "",
    /** The texts of the fields, set one by one, so that a change keeps the text typed in other fields. */
    texts: noTexts(FIELD_KEYS),
    /** Why an entered value was refused, by setting; "" if it was accepted. */
    problems: noTexts([...FIELD_KEYS, ...FILE_KEYS]),
    fields: FIELDS,
    proxyText: "",
    proxyRunning: false,
    certificate: Object.freeze([]) as readonly CopyRow[],
    /** The warning that the certificate expires soon; empty if it does not. */
    endWarning: "",
    renewable: false,
    /** Whether the consequences of a new certificate are shown. */
    renewing: false,
    renewProblem: "",
    /** Whether the consequences of deleting everything are shown, and why deleting failed. */
    deleting: false,
    deletionProblem: "",
    /** The proxy that the environment names and that is not in use; empty if there is none. */
    offeredProxy: "",
    /** Whether other devices may reach the proxy, a text that says who can reach it, and why a change failed. */
    lan: false,
    lanText: "",
    lanProblem: "",
    switches: { http2: true, privateTargetsFromLan: false, showHiddenHosts: false },
    clientCertificates: Object.freeze([]) as readonly HostFile[],
    authorities: Object.freeze([]) as readonly HostFile[],
    authorityHost: "",
    /** The client certificate that the user is typing. */
    newHost: "",
    newFile: "",
    newPassphrase: "",
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
        this.known = true;
        for (const key of FIELD_KEYS) {
          // A field keeps a refused text, and a text that is being sent.
          if (this.problems[key] === "" && !sent.isSending(key)) this.texts[key] = textOf(key, settings);
        }
        this.offeredProxy = settings.upstreamProxy === now.environmentProxy ? "" : (now.environmentProxy ?? "");
        this.lan = !isThisMachine(proxy.address);
        this.lanText = reachText(now);
        this.endWarning = now.notices.find(({ id }) => id === "root-end")?.text ?? "";
        this.renewable = now.certificate.renewable;
        for (const key of SWITCH_KEYS) if (!sent.isSending(key)) this.switches[key] = settings[key];
        this.clientCertificates = certificateFiles(settings.clientCertificates);
        this.authorities = authorityFiles(settings.hostAuthorities);
        this.theme = settings.theme;
        this.proxyRunning = proxy.running;
        this.proxyText = hostPort(proxy.address, proxy.port);
        this.certificate = certificateRows(now);
        this.version = now.version;
        this.dataDir = now.dataDir;
      };
      ending.push(() => status.close());
    },

    destroy(): void {
      for (const end of ending.splice(0)) end();
    },

    async setField<Key extends FieldKey>(key: Key, text: string): Promise<void> {
      const { read, textOf } = FIELDS[key];
      const reading = read(text);
      this.texts[key] = reading.ok ? textOf(reading.value) : text;
      this.problems[key] = reading.ok ? await sent.send(key, reading.value) : reading.problem;
    },

    async setLan(on: boolean): Promise<void> {
      this.lanProblem = await problemOf({ type: "set-reach", lan: on });
    },

    async renew(): Promise<void> {
      this.renewProblem = await problemOf({ type: "renew-certificate" }, "Certificate renewed.");
      if (this.renewProblem === "") this.renewing = false;
    },

    async deleteCaptured(): Promise<void> {
      this.deletionProblem = await problemOf({ type: "delete-captured" }, "All captured data deleted.");
      if (this.deletionProblem === "") this.deleting = false;
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
      const problem = await addAuthority(deps, lastStatus, this.authorityHost.trim(), file);
      this.problems.hostAuthorities = problem;
      field.value = "";
      if (problem === "") this.authorityHost = "";
    },

    async addClientCertificate(): Promise<void> {
      const { newHost: host, newFile: file, newPassphrase } = this;
      const added: ClientCertificate = { host, file, passphrase: newPassphrase === "" ? null : newPassphrase };
      const kept = lastStatus?.settings.clientCertificates ?? [];
      this.problems.clientCertificates = await sent.send("clientCertificates", [...kept, added]);
      if (this.problems.clientCertificates !== "") return;
      this.newHost = "";
      this.newFile = "";
      this.newPassphrase = "";
    },

    /** `index`: of the entry, in the setting. */
    async remove(key: FileKey, index: number): Promise<void> {
      const files: readonly (ClientCertificate | HostAuthority)[] = lastStatus?.settings[key] ?? [];
      const kept = files.filter((_, at) => at !== index);
      this.problems[key] = await sent.send(key, kept as Settings[FileKey]);
    },

    setTheme(theme: Settings["theme"]): void {
      void sent.send("theme", theme);
    },

    async toggleProxy(): Promise<void> {
      const problem = await problemOf({ type: this.proxyRunning ? "stop-proxy" : "start-proxy" });
      if (problem !== "") deps.announce(problem);
    },

    copy(row: CopyRow): void {
      void deps.copy(row.value, `${row.name} copied.`);
    },

    settingsIndex,
  });
}

function noTexts<Key extends string>(keys: readonly Key[]): Record<Key, string> {
  return Object.fromEntries(keys.map((key) => [key, ""])) as Record<Key, string>;
}

function textOf<Key extends FieldKey>(key: Key, settings: Settings): string {
  return FIELDS[key].textOf(settings[key]);
}

function reachText({ proxy, lan }: Status): string {
  if (isThisMachine(proxy.address)) return "Only programs on this computer can reach the proxy.";
  if (!proxy.running) return "The proxy is stopped. Once it runs, devices on your network can reach it.";
  if (lan === null) return "This computer has no network address, so other devices cannot reach the proxy yet.";
  return `Devices on your network can reach the proxy at ${hostPort(lan, proxy.port)}.`;
}

/** A file that the user gave Weir for a host. */
export interface HostFile {
  /** Its index in the setting. */
  readonly key: number;
  readonly host: string;
  readonly file: string;
  /** "2 certificates", "with a passphrase"; "" if there is nothing to say. */
  readonly note: string;
}

function certificateFiles(certificates: readonly ClientCertificate[]): readonly HostFile[] {
  return hostFiles(certificates, ({ passphrase }) => (passphrase === null ? "" : "with a passphrase"));
}

export function authorityFiles(authorities: readonly HostAuthority[]): readonly HostFile[] {
  return hostFiles(authorities, ({ certificates }) =>
    countPhrase(certificates.split("BEGIN CERTIFICATE").length - 1, "certificate", "certificates"),
  );
}

function hostFiles<Stored extends Pick<HostFile, "host" | "file">>(
  stored: readonly Stored[],
  noteOf: (one: Stored) => string,
): readonly HostFile[] {
  return Object.freeze(
    stored.map((one, key) => Object.freeze({ key, host: one.host, file: one.file, note: noteOf(one) })),
  );
}

function certificateRows({ certificate }: Status): readonly CopyRow[] {
  return Object.freeze([
    { name: "Subject", value: certificate.subject, note: "" },
    { name: "Valid from", value: certificateDateText(certificate.validFrom), note: "" },
    { name: "Valid to", value: certificateDateText(certificate.validTo), note: "" },
    { name: "SHA-256 fingerprint", value: certificate.fingerprint, note: "" },
    ...exportedFiles(certificate.pem, certificate.bundle, certificate.der),
  ]);
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
 * Settings that are being sent to the engine. Until the engine has replied, a status may be older than the texts in the
 * fields.
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
