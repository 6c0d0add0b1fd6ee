import { hostPort } from "../model/host-port.ts";
import type { Problem } from "../model/result.ts";
import type { Milliseconds } from "../model/units.ts";
import { type Shell, unspeakable } from "../quoting/shell.ts";

/** A reserved host name for which the proxy itself responds (docs/specification.md, Probe URL). */
export const BUILT_IN_PROBE_HOST = "probe.weir.test";

/** The groups of the source list, in order. */
export const CATEGORIES = [
  "Runtimes",
  "Command line",
  "Browsers",
  "API clients",
  "Frameworks",
  "Containers",
  "Devices and emulators",
  "Mobile frameworks",
  "Without an HTTP proxy setting",
] as const;

export type Category = (typeof CATEGORIES)[number];

/** The support tiers, as shown in the automation-support label. */
export type Support =
  | "Proven end-to-end"
  | "Proven when the tool is present"
  | "Snippet + capture check"
  | "Guide only";

/** The labels in the shell switch. */
export const SHELL_NAMES: Readonly<Record<Shell, string>> = Object.freeze({
  sh: "bash, zsh",
  fish: "fish",
  powershell: "PowerShell",
  cmd: "cmd",
});

/** The live values inserted into the hub's texts. */
export interface Values {
  /** The proxy's host for programs on this machine: an address, since a name may resolve to several. */
  readonly host: string;
  readonly port: number;
  /** This machine's IPv4 address while LAN listening is on; `null` if other devices cannot connect to the proxy. */
  readonly lan: string | null;
  /** Absolute path of `weir-ca.pem`, our root alone, for settings that add a root to those of the target. */
  readonly ca: string;
  /**
   * Absolute path of `weir-ca-bundle.pem`, the system's roots and ours, for settings that replace the target's roots.
   */
  readonly bundle: string;
  /** Absolute path of `weir-ca.cer`, our root as DER. */
  readonly der: string;
  /** SHA-256 of our root's public key (its SubjectPublicKeyInfo, RFC 5280 4.1), in base64. */
  readonly keyHash: string;
  /** The URL of the sample request or of the probe. */
  readonly url: string;
  /** The reverse port for the origin of `url`. If none is open, a port that no reverse port uses. */
  readonly reverse: number;
  /** The transparent port for https servers. If none is open, the port that is suggested. */
  readonly transparent: number;
}

/** One text to copy. A variant has a form for each shell or version that needs a text of its own. */
export interface Form {
  /** `null` if the text is for no shell. */
  readonly shell: Shell | null;
  /** The version, edition or location of the target that the text is for; `null` if the text fits all of them. */
  readonly version: string | null;
  /** The program and version that ran this exact text in our end-to-end tests; `null` if none did. */
  readonly ran: string | null;
  /** Whether the text contains this machine's LAN address, which is known only while LAN listening is on. */
  readonly lan: boolean;
  readonly text: (values: Values) => string;
  /** The command that installs what the text imports. */
  readonly install?: string;
  /** The versions that need `install`, such as "Node.js older than 22.21"; all if absent. */
  readonly installFor?: string;
  /** The command that undoes the text, for the same shell; `null` if there is nothing to undo. */
  readonly undo: ((values: Values) => string) | null;
}

export interface Variant {
  /** Lower-case; part of the golden files' names. */
  readonly id: string;
  readonly title: string;
  /** The heading that groups alternative variants. */
  readonly heading: string;
  /** The language for highlighting and for the file extension; for a shell's text, the shell decides. */
  readonly language: string;
  /** A note to read before pasting; `null` if there is none. */
  readonly note: string | null;
  /**
   * Whether Validate shows the variant although the variant's text contains no URL. The text runs a file or a program
   * that contains the URL.
   */
  readonly inTest?: true;
  /** The name of a file that runs the text, if the tool derives from the name how to read the text. */
  readonly file?: string;
  readonly forms: readonly Form[];
}

export interface Overview {
  /** What Weir automates for this target today. */
  readonly today: string;
  /** What the user has to do by hand. */
  readonly manual: string;
  /** What the steps change on the user's machine. */
  readonly changes: string;
  readonly undo: string;
  /** What must be installed. */
  readonly needs: string;
}

/** A sentence, with a value or line to type or copy if there is one. */
export type Step = string | { readonly text: string; readonly code: string | null };

/** How a target is made to trust our root. */
export type Trust =
  /** The snippet passes our PEM to the target. */
  | { readonly kind: "loads-file" }
  /** The snippet names our root's key. */
  | { readonly kind: "names-key" }
  /** On `platforms` (named as in Node's `process.platform`) the target uses the system's store, which we can read. */
  | { readonly kind: "system-store"; readonly platforms: readonly string[]; readonly elsewhere: string }
  /** The target has a store that we cannot read; `where` names that store. */
  | { readonly kind: "own-store"; readonly where: string }
  /** The target sees no certificate of ours. */
  | { readonly kind: "no-certificate"; readonly why: string };

/** Answered by Weir itself, so that the first request needs no internet. */
export const SAMPLE = `https://${BUILT_IN_PROBE_HOST}/anything/weir/hello`;

export const LOADS_FILE: Trust = Object.freeze({ kind: "loads-file" });

/** How Validate recognizes the target's request. */
export interface ProbeKind {
  /** `below`: the tool appends its own path and query to the probe's URL. */
  readonly path: "exact" | "below";
  readonly limit: Milliseconds;
  /** Whether `http://localhost:<proxy port>/…` counts too, in absolute-form (Firefox). */
  readonly localhost: boolean;
  /** How the user sends the probe, or why the target cannot send it. */
  readonly how: string;
}

/** The time limit of a test (docs/specification.md, Watcher). */
export const SHORT_LIMIT: Milliseconds = 30_000;
/** The time limit for containers, dev servers and devices (docs/specification.md, Watcher). */
export const LONG_LIMIT: Milliseconds = 120_000;

/** A probe for which only a request of exactly the probe's URL counts. */
export function exactProbe(how: string, limit = SHORT_LIMIT): ProbeKind {
  return { path: "exact", limit, localhost: false, how };
}

export interface KnownError {
  /** The tool's output, with `…` where it varies. Users search for it. */
  readonly text: string;
  readonly meaning: string;
  readonly fix: string;
}

/** A client that can be configured by hand to use the proxy. */
export interface Target {
  /** Lower-case. Also the last segment of the target's probe URL. */
  readonly slug: string;
  readonly name: string;
  readonly category: Category;
  readonly summary: string;
  /** Alternative names of the target and of its parts. Only the filter uses them. */
  readonly also: readonly string[];
  readonly support: Support;
  readonly overview: Overview;
  readonly setup: (values: Values) => readonly Step[];
  /** The URL of the sample request in the Snippets tab; `SAMPLE` if absent. The user can edit the URL. */
  readonly sample?: string;
  /**
   * The programs' names in the User-Agents that the snippets send (`clientProgramOf`). Empty if the snippets send no
   * User-Agent; absent if it is unknown, or the user's choice.
   */
  readonly userAgents?: readonly string[];
  /** If empty, the tab says "No generated snippet; the steps are in Setup". */
  readonly variants: readonly Variant[];
  readonly probe: ProbeKind;
  /** `LOADS_FILE` if absent. */
  readonly trust?: Trust;
  /**
   * Set if the target connects from another computer or network, so that the proxy must listen on the network.
   * `partly`: only some variants do.
   */
  readonly remote?: "always" | "partly";
  readonly knownErrors: readonly KnownError[];
}

/** The proxy's URL. Its scheme is http even for https requests. */
export function proxyUrl(values: Values): string {
  return `http://${hostPort(values.host, values.port)}`;
}

/** Whether the form contains this computer's network address, but no address is known. */
export function lacksAddress({ lan }: Form, values: Values): boolean {
  return lan === true && values.lan === null;
}

/**
 * A sentence that says why this form cannot be written with these values, for example because cmd supports only ASCII;
 * `null` if it can.
 */
export function problemOf(form: Form, values: Values): Problem | null {
  if (lacksAddress(form, values))
    return "This snippet needs this computer's network address. In Settings, Proxy, turn on “Reachable from the local network”.";
  if (form.shell === null) return null;
  for (const key of WRITTEN) {
    const problem = unspeakable(values[key], form.shell);
    if (problem !== null && isNamedBy(form, key))
      return `${problem.replace(/^It/, "The certificate's path")} Choose another shell, or export the certificate to another folder.`;
  }
  return null;
}

/** Values that may contain any character, so that a shell may be unable to express them. Other values are ASCII. */
const WRITTEN = ["ca", "bundle", "der"] as const;

/** Sample values that every shell can express. */
const PLAIN: Values = Object.freeze({
  host: "a",
  port: 1,
  lan: "a",
  ca: "a",
  bundle: "a",
  der: "a",
  keyHash: "a",
  url: "a",
  reverse: 1,
  transparent: 1,
});

/** Whether the form's text contains the value of `key`. A browser's command, for example, has no certificate path. */
function isNamedBy(form: Form, key: (typeof WRITTEN)[number]): boolean {
  return form.text({ ...PLAIN, [key]: "b" }) !== form.text(PLAIN);
}

export function setupOf(target: Target, values: Values): readonly Exclude<Step, string>[] {
  return target.setup(values).map((step) => (typeof step === "string" ? { text: step, code: null } : step));
}

/** A target's variants in order, grouped by heading. */
export function headingsOf(
  target: Target,
): readonly { readonly heading: string; readonly variants: readonly Variant[] }[] {
  const headings = [...new Set(target.variants.map((variant) => variant.heading))];
  return headings.map((heading) => ({
    heading,
    variants: target.variants.filter((variant) => variant.heading === heading),
  }));
}

/** The key of one text of a target: the variant's id, then the form's version and shell if it has them. */
export function formKey({ id }: Variant, { version, shell }: Form): string {
  return `${id}${version === null ? "" : `@${version}`}${shell === null ? "" : `#${shell}`}`;
}

export function formKeys({ variants }: Target): readonly string[] {
  return variants.flatMap((variant) => variant.forms.map((form) => formKey(variant, form)));
}
