import { LOADS_FILE, type Trust } from "../../../engine/hub/target.ts";
import { validationVerdictOf } from "../../../engine/hub/validation-verdict.ts";
import type { HubState } from "../../../engine/messages/hub-messages.ts";
import { hostPort } from "../../../engine/model/host-port.ts";
import { lowered } from "../../../engine/model/letter-case.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { certificateDateText } from "../../format/clock.ts";
import { countText } from "../../format/count.ts";
import { type HubNow, sampleSeen, type TargetSample, tabOf } from "./hub-model.ts";
import { staleText } from "./snippet-block.ts";
import { timeOfDayText } from "./time-of-day.ts";

export type MarkName = "check" | "info" | "warning" | "error" | "waiting";

export interface StatusRow {
  readonly name: string;
  readonly value: string;
  readonly mono: boolean;
  readonly title: string;
  /** The exchange that Traffic can show; `null` if there is none. */
  readonly exchange: ExchangeId | null;
}

/** A section of the status pane: a state as text, the state's mark, and details. */
export interface StatusPart {
  readonly id: "proxy" | "certificate" | "test";
  readonly mark: MarkName;
  readonly title: string;
  readonly rows: readonly StatusRow[];
  readonly note: string;
  /** What to do in Validate next, as sentences; "" if nothing. */
  readonly next: string;
}

/** In place of the proxy's state, which the window does not know. */
const NOT_CONNECTED = part("proxy", "warning", "Proxy unknown: not connected", []);

/** The sections of the status pane: the proxy, the certificate, and the test of the active target. */
export function statusPartsOf(now: HubNow, hub: HubState, today: number, isConnected = true): readonly StatusPart[] {
  return Object.freeze([
    isConnected ? proxyPart(hub) : NOT_CONNECTED,
    certificatePart(now, hub, today),
    testPart(now, hub, today),
  ]);
}

function proxyPart({ conditions, captured, values }: HubState): StatusPart {
  const { proxy, recording, lan } = conditions;
  return part("proxy", proxy.running ? "check" : "error", proxy.running ? "Proxy running" : "Proxy stopped", [
    row("Address", hostPort(proxy.address, proxy.port), { mono: true }),
    row("Reach", lan === null ? "this computer only" : `this computer and ${hostPort(lan, values.port)}`),
    row("Recording", `${recording ? "on" : "paused"}, ${countText(captured)} captured`),
  ]);
}

function certificatePart({ target }: HubNow, hub: HubState, today: number): StatusPart {
  const { certificate } = hub.conditions;
  const { fingerprint, exportProblem, trustedBySystem } = certificate;
  const pairs = fingerprint.replaceAll(":", "");
  const short = `${pairs.slice(0, 4)} ${pairs.slice(4, 8)} … ${pairs.slice(-8, -4)} ${pairs.slice(-4)}`;
  const exported = hub.exportedAt === null ? "no" : `weir-ca.pem, ${timeOfDayText(hub.exportedAt, today)}`;
  const { mark, title } = certificateHead(exportProblem, hub.endWarning);
  return part(
    "certificate",
    mark,
    title,
    [
      row("SHA-256", short, { mono: true, title: fingerprint }),
      row("Exported", exported, { title: exportProblem ?? hub.values.ca }),
      ...(hub.endWarning === null
        ? []
        : [row("Valid to", certificateDateText(hub.validTo), { title: hub.endWarning })]),
      row("System trust", trustText(trustedBySystem, hub.trustReadAt !== null)),
    ],
    trustNote((target.trust ?? LOADS_FILE).kind, target.name),
  );
}

function certificateHead(exportProblem: string | null, endWarning: string | null): Pick<StatusPart, "mark" | "title"> {
  if (exportProblem !== null) return { mark: "error", title: "Certificate not exported" };
  if (endWarning !== null) return { mark: "warning", title: "Certificate needs renewal" };
  return { mark: "check", title: "Certificate ready" };
}

/** Whether the system trusts the certificate, as text. `trusted`: `null` if unknown. `wasRead`: a check has ended. */
export function trustText(trusted: boolean | null, wasRead: boolean): string {
  if (trusted === null) return wasRead ? "could not be read" : "being read";
  return trusted ? "trusted" : "not trusted";
}

function trustNote(kind: Trust["kind"], name: string): string {
  switch (kind) {
    case "loads-file":
      return `Only targets that use the system store need system trust. ${name} loads the certificate file itself.`;
    case "names-key":
      return `Only targets that use the system store need system trust. The command for ${name} names the certificate's key.`;
    case "own-store":
      return `Only targets that use the system store need system trust. ${name} has its own store.`;
    case "no-certificate":
      return `${name} needs no system trust, because it receives no certificate from Weir.`;
    case "system-store":
      return `${name} uses the system store on some systems; see Setup.`;
  }
}

const MARKS = { quiet: "info", waiting: "waiting", good: "check", bad: "error" } as const;

function testPart(now: HubNow, hub: HubState, today: number): StatusPart {
  const { target, state } = now;
  if (state === null) return part("test", "info", `${target.name}: not validated yet`, []);
  const { watch, secondsLeft, confirmedAt, copies, seen } = state;
  const verdict = validationVerdictOf(watch, target, seen?.at);
  const rows: StatusRow[] = [];
  if (watch.state === "watching") {
    const others = watch.sightings.reduce((sum, { count }) => sum + count, 0);
    rows.push(row("Time left", `${secondsLeft} s`));
    if (others > 0) rows.push(row("Other attempts", countText(others)));
  }
  const sample = sampleSeen(now);
  if (sample !== null) {
    const { at, exchange } = sample;
    rows.push(row("Sample seen", `${timeOfDayText(at, today)}, ${senderText(sample)}`, { exchange }));
  }
  rows.push(
    row("Probe seen", seen === null ? "not yet" : timeOfDayText(seen.at, today), { exchange: seen?.exchange ?? null }),
  );
  if (confirmedAt !== null) {
    const exchange = state.exchange === seen?.exchange ? null : state.exchange;
    rows.push(row("Test passed", timeOfDayText(confirmedAt, today), { exchange }));
  }
  const copy = copies.at(-1);
  if (copy !== undefined) {
    const stale = staleText(copy, hub, "a snippet");
    const value = `copied ${timeOfDayText(copy.at, today)}, ${stale === "" ? "current" : "out of date"}`;
    rows.push(row("Snippet", value, { title: stale }));
  }
  const isNext = watch.state === "idle" && sample !== null && sample.sender !== "other" && tabOf(now) !== "validate";
  const next = isNext
    ? `The sample arrived: traffic reaches Weir. To validate ${target.name}, run the same lines with the probe URL.`
    : "";
  return { ...part("test", MARKS[verdict.tone], `${target.name}: ${lowered(verdict.title)}`, rows), next };
}

function senderText({ sender, client }: TargetSample): string {
  return sender === "other" ? `with another program's User-Agent (${client})` : `from ${client}`;
}

function part(id: StatusPart["id"], mark: MarkName, title: string, rows: readonly StatusRow[], note = ""): StatusPart {
  return Object.freeze({ id, mark, title, rows: Object.freeze(rows), note, next: "" });
}

function row(name: string, value: string, more: Partial<StatusRow> = {}): StatusRow {
  return Object.freeze({ mono: false, title: "", exchange: null, ...more, name, value });
}
