import { wordsOf } from "../../../engine/model/words.ts";
import type { UiIntent } from "./ui-intents.ts";

export interface PaletteEntry {
  readonly name: string;
  /** Other words that people type for it, separated by spaces, in lower case; "" if there are none. */
  readonly words: string;
  /** The key for this command; empty if there is none. */
  readonly key: string;
  readonly wish: UiIntent;
}

const MOST_HOSTS = 20;

const TIMELINE_WORDS = "waterfall critical path latest page load gantt flame trace phases parallel";
const HUB_WORDS = "certificate ca https tls ssl trust install connect client browser phone device validate test proxy";
const SLOW_WORDS = "throttle throttling network conditions bandwidth 3g 4g simulate line round trip rtt delay";
const COMPARE_WORDS = "comparison diff difference slower than yesterday regression before after baseline previous";

/** What this window has besides its views. */
interface Having {
  readonly hub: boolean;
  readonly link: boolean;
}

/** All commands that this window has. `hosts`: the most used first. */
export function paletteEntries({ hub, link }: Having, hosts: readonly string[]): readonly PaletteEntry[] {
  const entries: readonly PaletteEntry[] = [
    entry("Go to Traffic", { kind: "go", view: "traffic" }, "requests exchanges network log list", "1"),
    entry("Go to Performance", { kind: "go", view: "performance" }, "overview dashboard statistics metrics", "2"),
    entry("Go to Timeline", { kind: "go", view: "timeline" }, TIMELINE_WORDS, "3"),
    entry(
      "Go to Sessions",
      { kind: "go", view: "sessions" },
      "recordings captures history trash recover mark a/b",
      "4",
    ),
    entry(
      "Go to Settings",
      { kind: "go", view: "settings" },
      "preferences options configuration threshold limits",
      "5",
    ),
    ...(hub ? [entry("Open Setup Hub", { kind: "hub" }, HUB_WORDS, "Ctrl Shift D")] : []),
    entry("Filter", { kind: "filter" }, "find query", "/"),
    entry("Search headers and bodies", { kind: "search" }, "find grep full text content cookies", "Ctrl Shift F"),
    entry("Pause or resume recording", { kind: "recording" }, "capture stop start"),
    entry("Start or stop the proxy", { kind: "proxy" }, "listen port"),
    entry("Slow clients on purpose", { kind: "slow" }, SLOW_WORDS),
    entry("Copy the proxy address", { kind: "copy-address" }, "host port url http_proxy https_proxy"),
    entry("Clear session", { kind: "clear" }, "delete reset empty remove all", "Ctrl L"),
    entry("Undo", { kind: "undo" }, "restore revert back", "Ctrl Z"),
    entry("New session", { kind: "new-session" }, "start begin recording capture baseline"),
    entry("Compare the latest two sessions", { kind: "compare" }, COMPARE_WORDS),
    entry("Import a HAR file", { kind: "import" }, "open load upload baseline"),
    entry("Export traffic", { kind: "export" }, "save download har json file share report html"),
    entry("Save the report (HTML)", { kind: "export-report" }, "share send export download print pdf page"),
    ...(link ? [entry("Copy link to this place", { kind: "copy-link" }, "share url address permalink")] : []),
    entry("Copy the report of findings", { kind: "report" }, "markdown share send summary"),
    entry("Change theme", { kind: "theme" }, "dark light mode appearance colours colors"),
    entry("Keyboard shortcuts", { kind: "shortcuts" }, "help keys hotkeys", "?"),
  ];
  const shown = hosts
    .slice(0, MOST_HOSTS)
    .map((host) => entry(`Show only ${host}`, { kind: "host", host }, "filter host domain"));
  return Object.freeze([...entries, ...shown]);
}

export function entry(name: string, wish: UiIntent, words = "", key = ""): PaletteEntry {
  return { name, words, key, wish };
}

/** The entry that searches the settings for the typed text. */
export function settingEntry(text: string): PaletteEntry {
  return entry(`Find “${text}” in Settings`, { kind: "setting", words: text });
}

/**
 * The entries for a text, those first whose names contain each of its words. Of the others, each word is in the name or
 * begins one of the entry's words.
 */
export function fittingEntries(entries: readonly PaletteEntry[], text: string): readonly PaletteEntry[] {
  const typed = wordsOf(text);
  const isNamed = ({ name }: PaletteEntry, word: string) => name.toLowerCase().includes(word);
  const named = entries.filter((entry) => typed.every((word) => isNamed(entry, word)));
  const others = entries.filter(
    (entry) =>
      !named.includes(entry) && typed.every((word) => isNamed(entry, word) || ` ${entry.words}`.includes(` ${word}`)),
  );
  return [...named, ...others];
}
