import { hostPort } from "../model/host-port.ts";
import type { Milliseconds } from "../model/units.ts";
import type { Shell } from "../quoting/shell.ts";
import { unspeakable } from "../quoting/shell.ts";

/** The source list's groups, in their order. */
export const CATEGORIES = [
  "Runtimes",
  "Command line",
  "Browsers",
  "API clients",
  "Frameworks",
  "Containers",
  "Devices and emulators",
  "Mobile frameworks",
] as const;

export type Category = (typeof CATEGORIES)[number];

/** The seed's support tiers, as the automation-support label says them. */
export type Support =
  | "Proven end-to-end"
  | "Proven when the tool is present"
  | "Snippet + capture check"
  | "Guide only";

/** What the shell switch says. */
export const SHELL_NAMES: Readonly<Record<Shell, string>> = Object.freeze({
  sh: "bash, zsh",
  fish: "fish",
  powershell: "PowerShell",
  cmd: "cmd",
});

/** The live values that every text of the hub is made from. */
export interface Values {
  /** Where programs on this machine reach the proxy: an address, since a name may resolve elsewhere. */
  readonly host: string;
  readonly port: number;
  /** This machine's IPv4 address while LAN listening is on; `null` = other devices cannot reach the proxy. */
  readonly lan: string | null;
  /** Absolute path of `weir-ca.pem`, our root alone: for settings that add to what is trusted. */
  readonly ca: string;
  /** Absolute path of `weir-ca-bundle.pem`, the system's roots and ours: for settings that replace what is trusted. */
  readonly bundle: string;
  /** Absolute path of `weir-ca.cer`, our root as DER. */
  readonly der: string;
  /** The sample's or the probe's URL. */
  readonly url: string;
}

/** One text that can be copied. A variant has one for each shell or version that needs its own. */
export interface Form {
  /** `null`: no shell reads it. */
  readonly shell: Shell | null;
  /** Which version, edition or place of the target it is written for; `null`: any. */
  readonly version: string | null;
  /** What ran this very text in our end-to-end tests, with its version; `null`: not run here. */
  readonly ran: string | null;
  /** It names this machine's address, which there is only while LAN listening is on. */
  readonly lan: boolean;
  readonly text: (values: Values) => string;
  /** What to type to be as before, in the same shell; `null`: nothing outlives the text. */
  readonly undo: string | null;
}

export interface Variant {
  /** Lower-case; part of the golden files' names. */
  readonly id: string;
  readonly title: string;
  /** Heading under which variants that replace each other stand together. */
  readonly place: string;
  /** How the text is coloured, and its file's extension; shell forms go by their shell. */
  readonly language: string;
  /** What is worth knowing before it is pasted; `null`: nothing. */
  readonly note: string | null;
  /** Validate shows it too: it names no URL, but what it runs, or lies beside, does. */
  readonly inTest?: true;
  readonly forms: readonly Form[];
}

export interface Overview {
  /** What the app does today for this target. */
  readonly today: string;
  /** What remains manual. */
  readonly manual: string;
  /** What the steps change on the user's machine. */
  readonly changes: string;
  readonly undo: string;
  /** What must be installed. */
  readonly needs: string;
}

export interface Step {
  readonly text: string;
  /** A value or line to type or copy; `null`: none. */
  readonly code: string | null;
}

/** How a target comes to trust our root. */
export type Trust =
  /** It is given our PEM by the snippet. */
  | { readonly kind: "loads-file" }
  /** It asks the operating system's store, which we can read, on these systems (names as in Node's `process.platform`). */
  | { readonly kind: "system-store"; readonly platforms: readonly string[]; readonly elsewhere: string }
  /** It keeps a store that we cannot read; `where` says which. */
  | { readonly kind: "own-store"; readonly where: string };

/** How Validate recognises the target's request. */
export interface ProbeKind {
  /** `below`: the tool appends its own path and query. */
  readonly path: "exact" | "below";
  readonly limit: Milliseconds;
  /** Whether `http://localhost:<proxy port>/…` counts too, in absolute-form (Firefox). */
  readonly localhost: boolean;
  /** How the probe is sent, or why it cannot be. */
  readonly how: string;
}

/** decisions.md, Watcher: our choice. */
export const SHORT_LIMIT: Milliseconds = 30_000;
/** decisions.md, Watcher: containers, dev servers, devices. Our choice. */
export const LONG_LIMIT: Milliseconds = 120_000;

export interface Trouble {
  /** The tool's own words, `…` where they vary; users search these. */
  readonly text: string;
  readonly meaning: string;
  readonly fix: string;
}

/** One thing that can be pointed at the proxy by hand. */
export interface Target {
  /** Lower-case; also the last part of its probe URL. */
  readonly slug: string;
  readonly name: string;
  readonly category: Category;
  readonly summary: string;
  /** What else it, or what belongs to it, is called: only the filter reads it. */
  readonly also: readonly string[];
  readonly support: Support;
  readonly overview: Overview;
  readonly setup: (values: Values) => readonly Step[];
  /** General-purpose sample of the Snippets tab; the user may edit it. */
  readonly sample: string;
  /** None: "No generated snippet; the steps are in Setup". */
  readonly variants: readonly Variant[];
  readonly probe: ProbeKind;
  readonly trust: Trust;
  /** Whether it reaches the proxy from another machine or network, so that LAN listening matters. */
  readonly remote: boolean;
  readonly troubles: readonly Trouble[];
}

/** The proxy's URL: its scheme is http for https traffic too. */
export function proxyUrl(values: Values): string {
  return `http://${hostPort(values.host, values.port)}`;
}

/** Why this form cannot be written for these values, in words (cmd knows no letters outside ASCII); `null` if it can. */
export function problemOf(form: Form, values: Values): string | null {
  if (form.lan && values.lan === null)
    return "It needs this machine's address, at which Weir is reached once LAN listening is on: turn it on in Settings, Proxy.";
  if (form.shell === null) return null;
  for (const key of WRITTEN) {
    const problem = unspeakable(values[key], form.shell);
    if (problem !== null && isNamedBy(form, key))
      return `${problem.replace(/^It/, "The certificate's path")} Choose another shell, or export the certificate to another folder.`;
  }
  return null;
}

/** Values that stand in a text as they are and may hold anything; a URL and an address are ASCII (`sampleProblem`). */
const WRITTEN = ["ca", "bundle", "der"] as const;

/** Some that every shell can be given. */
const PLAIN: Values = Object.freeze({ host: "a", port: 1, lan: "a", ca: "a", bundle: "a", der: "a", url: "a" });

/** Whether the text is another one with another value: a browser's command, say, names no certificate. */
function isNamedBy(form: Form, key: (typeof WRITTEN)[number]): boolean {
  return form.text({ ...PLAIN, [key]: "b" }) !== form.text(PLAIN);
}

/** The variants of a target grouped under their headings, in order. */
export function placesOf(target: Target): readonly { readonly place: string; readonly variants: readonly Variant[] }[] {
  const places = [...new Set(target.variants.map((variant) => variant.place))];
  return places.map((place) => ({ place, variants: target.variants.filter((variant) => variant.place === place) }));
}
