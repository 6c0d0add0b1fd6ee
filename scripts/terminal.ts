import type { ReadyFacts } from "../extensions/proxy/engine.ts";
import { type Arguments, PREFERRED_PORT, uiPortOf } from "../extensions/proxy/process/arguments.ts";
import { firstRequest } from "../src/engine/hub/first-request.ts";
import { hostPort, isThisMachine } from "../src/engine/model/host-port.ts";
import { originTextOf, reversePortOf, reverseUrl } from "../src/engine/model/reverse-port.ts";
import { transparentPortOf } from "../src/engine/model/transparent-port.ts";
import { OWN_OPTIONS } from "./command-table.ts";

/** Arguments for the scripts that start Weir; all other arguments are the engine's. */
export const OWN_WORDS: readonly string[] = OWN_OPTIONS.map(({ name }) => `--${name}`);

/** docs/security.md S5: the warnings at a terminal while the proxy listens on an address of the network. */
const OPEN = "Others on the network can send requests through this proxy, which records them.";
const OPEN_INSIDE = "They also reach private addresses through it, because of --allow-private-targets.";

/** How a start reports at the terminal. */
export interface Reporting {
  readonly json: boolean;
  /** The port that the window should have; 0: any free one. */
  readonly uiPort: number;
  readonly allowPrivateTargets: boolean;
  /** Whether the user chose no port, so that any free port may be used. */
  readonly anyPort: boolean;
  /** Prints a message; to stderr if stdout is reserved for the JSON line. */
  readonly say: (line: string) => void;
}

export function reportingOf(given: Pick<Arguments, "json" | "port" | "uiPort" | "allowPrivateTargets">): Reporting {
  const { json, port, allowPrivateTargets } = given;
  const say = (line: string) => (json ? console.error(line) : console.log(line));
  return { json, uiPort: uiPortOf(given), anyPort: port === null, allowPrivateTargets, say };
}

export function announce({ anyPort, json, say, uiPort, allowPrivateTargets }: Reporting, ready: ReadyFacts): void {
  if (anyPort && ready.proxy.port !== PREFERRED_PORT)
    say(`Port ${PREFERRED_PORT} is taken, so the proxy listens on ${ready.proxy.port}; --port chooses another port.`);
  const ui = Number(new URL(ready.ui).port);
  if (uiPort !== 0 && ui !== uiPort)
    say(`Port ${uiPort} is taken, so the window is at port ${ui}; --ui-port chooses another port.`);
  if (json) {
    console.log(JSON.stringify(ready));
    return;
  }
  const { host, port } = ready.proxy;
  console.log(`Weir listens on ${hostPort(host, port)}. Try:`);
  console.log(`  ${firstRequest(host, port, ready.caBundle).parts.join(" ")}`);
  if (!isThisMachine(host)) console.log(allowPrivateTargets ? `${OPEN} ${OPEN_INSIDE}` : OPEN);
  for (const entry of ready.reverse.map(reversePortOf))
    if (entry.ok) console.log(`${reverseUrl(entry.value.port)} forwards to ${originTextOf(entry.value)}`);
  for (const entry of ready.transparent.map(transparentPortOf))
    if (entry.ok)
      console.log(`Port ${entry.value.port} takes redirected clients of servers' port ${entry.value.target}`);
}

/** Announces a Weir whose window is a page in a browser. */
export function announceInBrowser(reporting: Reporting, ready: ReadyFacts, isClosed: boolean): void {
  announce(reporting, ready);
  if (reporting.json) return;
  // A browser may be unable to open the page's file. The ticket goes to terminals alone, unless it was asked for (S1).
  if (isClosed || process.stdout.isTTY) console.log(`Weir's window is at ${ready.ui}`);
  if (!isClosed) console.log("Ctrl+C ends Weir.");
}

/** Names the options among `words` that have no effect, since another Weir uses the data folder. */
export function sayIneffective(words: readonly string[]): void {
  const idle = ineffective(words);
  if (idle.length > 0)
    console.error(
      `The running Weir was not changed: ${idle.join(", ")} ${idle.length === 1 ? "applies" : "apply"} only to a new start. weir stop ends the running Weir.`,
    );
}

/** The options that have no effect if another Weir uses the data folder, each once. */
function ineffective(words: readonly string[]): readonly string[] {
  const names = words.filter((word) => word.startsWith("--")).map((word) => word.replace(/=.*/s, ""));
  return [...new Set(names)].filter((name) => !EFFECTIVE.includes(name));
}

/**
 * Options that have an effect even if another Weir uses the data folder: they choose the data folder, say how this
 * start reports, or come from `launch.ts`.
 */
const EFFECTIVE = ["--data-dir", "--json", "--background", "--no-open", "--native", "--browser", "--after-window"];
