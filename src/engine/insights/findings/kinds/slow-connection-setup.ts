import type { FindingScope } from "../../../model/finding.ts";
import { phasesOf } from "../../../model/phases.ts";
import type { ExchangeId, Milliseconds } from "../../../model/units.ts";
import { medianOf } from "../../../stats/percentile.ts";
import { type Group, groupedBy } from "../../grouped.ts";
import { atOrigin, type Context, claimedBy, draftOf, figures, longestFirst } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { isSureBeside, serverSpanOf, setUpSpanOf } from "../request.ts";
import { FEW_BELOW, heldEnough, SLOW_ALONE } from "../slow-few.ts";
import { counted, inMs } from "../text.ts";
import type { Request, Traffic } from "../traffic.ts";
import { lengthOf, type Span, waitingOf } from "../waiting.ts";

/** docs/specification.md, slow-connection-setup. */
const SLOW: Milliseconds = 100;
const TIMES_OTHER = 5;

/** The fewest set-ups (`LEAST_SETUPS`), and the time below which a phase is not compared (`LEAST_COMPARED`). */
const LEAST_SETUPS = 3;
const LEAST_COMPARED: Milliseconds = 20;

const SETUP_PHASES = ["dns", "connect", "tls"] as const;
type SetupPhase = (typeof SETUP_PHASES)[number];

const NAMES: Readonly<Record<SetupPhase, string>> = {
  dns: "DNS look-up",
  connect: "TCP connect",
  tls: "TLS handshake",
};
const ADVICE: Readonly<Record<SetupPhase, string>> = {
  dns: "Check the DNS resolver and the name's TTL; a local cache or another resolver may help.",
  connect:
    "Check the network path to this server: its distance, lost packets, or an address that does not answer at first.",
  tls: "Check the server's handshake: TLS 1.3, session resumption, a short certificate chain, and its load.",
};

interface SetUp {
  readonly request: Request;
  readonly length: Milliseconds;
  readonly address: string | null;
}

/** DNS, Connect or TLS phases that are slow on their own, or slower for one address than for others. */
export function slowConnectionSetup({ traffic, found }: Context): readonly Draft[] {
  const standstills = standstillsIn(traffic, claimedBy(found, ["server-pauses"]));
  const opened = traffic.requests.filter(
    (request) =>
      (request.facts.exchange.instants.connectStart !== null ||
        request.facts.exchange.instants.domainLookupStart !== null) &&
      !isHeldUp(request, standstills.get(request.origin) ?? []),
  );
  const rare = [...groupedBy(opened, ({ origin }) => origin).values()]
    .filter(({ length }) => length < FEW_BELOW)
    .flat();
  const drafts = SETUP_PHASES.flatMap((phase) => {
    const setUps = opened.flatMap((request) => setUpOf(request, phase) ?? []);
    const byOrigin = [...groupedBy(setUps, ({ request }) => request.origin).values()];
    const few = byOrigin.filter(({ length }) => length < LEAST_SETUPS).flat();
    // A client looks up a name only once, so a slow resolver shows only in all of its lookups together.
    const byClient = phase === "dns" ? [...groupedBy(few, ({ request }) => request.client).values()] : [];
    const usual = [...byOrigin, ...byClient].flatMap((own) => draftFor(phase, own) ?? []);
    return [...usual, ...phaseAlone(phase, without(rare, usual), traffic)];
  });
  return [...drafts, ...wholeAlone(without(rare, drafts), traffic)];
}

/** When requests waited for a server that stood still, by origin: `server-pauses` says so. */
function standstillsIn(traffic: Traffic, waited: ReadonlySet<ExchangeId>): ReadonlyMap<string, readonly Span[]> {
  const requests = groupedBy(traffic.requests, ({ id, origin }) => (waited.has(id) ? origin : null));
  return new Map([...requests].map(([origin, own]) => [origin, own.map(serverSpanOf)]));
}

/** Whether a request's connection was set up while its server stood still. */
function isHeldUp(request: Request, standstills: readonly Span[]): boolean {
  const { start, end } = setUpSpanOf(request);
  return standstills.some((span) => span.start < end && start < span.end);
}

/** The requests that the findings do not cover. */
function without(requests: readonly Request[], drafts: readonly Draft[]): readonly Request[] {
  const covered = new Set(drafts.flatMap(({ covers }) => [...covers]));
  return requests.filter(({ id }) => !covered.has(id));
}

/** The phase of a request; `null` if it did not happen, or if its true length could be on the other side of a limit. */
function setUpOf(request: Request, phase: SetupPhase): SetUp | null {
  const length = phasesOf(request.facts.exchange.instants)[phase];
  if (length === null || ![SLOW, SLOW_ALONE].every((limit) => isSureBeside(limit, length, request))) return null;
  return { request, length, address: request.facts.serverAddress };
}

/** Few slow set-ups that held much of the waiting by one phase. */
function phaseAlone(phase: SetupPhase, rare: readonly Request[], traffic: Traffic): readonly Draft[] {
  const long = rare.flatMap((request) => setUpOf(request, phase) ?? []).filter(({ length }) => length >= SLOW_ALONE);
  const groups = groupedBy(long, ({ request }) => (phase === "dns" ? request.client : request.origin));
  return [...groups.values()]
    .filter((own) => {
      const spans = own.map((setUp) => spanOf(phase, setUp, 0));
      return heldEnough(spans, traffic);
    })
    .map((own) => slowDraft(phase, { own, other: 0, address: null }));
}

/** Few slow set-ups that held much of the waiting by all their phases together. */
function wholeAlone(rare: readonly Request[], traffic: Traffic): readonly Draft[] {
  const long = rare.filter((request) => lengthOf(setUpSpanOf(request)) - request.uncertainty >= SLOW_ALONE);
  return [...groupedBy(long, ({ origin }) => origin).values()]
    .filter((own) => heldEnough(own.map(setUpSpanOf), traffic))
    .map(wholeDraft);
}

function wholeDraft(requests: Group<Request>): Draft {
  const [first = requests[0]] = longestFirst(requests);
  const time = waitingOf(requests.map(setUpSpanOf));
  const phaseOf = (phase: SetupPhase) => phasesOf(first.facts.exchange.instants)[phase] ?? 0;
  const [phase = "connect"] = SETUP_PHASES.toSorted((left, right) => phaseOf(right) - phaseOf(left));
  return draftOf({
    kind: "slow-connection-setup",
    scope: scopeOf(requests),
    attribute: { name: "phase", value: phase },
    time,
    confidence: "certain",
    telling: longestFirst(requests),
    summary: `Setting up ${counted(requests.length, "connection")} to ${first.origin} took ${inMs(time)}; the longest phase was the ${NAMES[phase]} with ${inMs(phaseOf(phase))}.`,
    advice: ADVICE[phase],
    evidence: SETUP_PHASES.filter((one) => phaseOf(one) > 0).map((one) => {
      return { name: `time of the ${NAMES[one]}`, value: inMs(phaseOf(one)) };
    }),
    basis: "Up to: the whole time of each set-up.",
  });
}

function draftFor(phase: SetupPhase, setUps: readonly SetUp[]): Draft | null {
  if (setUps.length < LEAST_SETUPS) return null;
  const median = medianOf(setUps.map(({ length }) => length));
  const slow = median >= SLOW ? { own: setUps, other: 0, address: null } : slowerAddress(setUps);
  return slow === null ? null : slowDraft(phase, slow);
}

/** Slow set-ups, the median of the other addresses (`other`), and the address if it alone is slow. */
interface SlowSetUps {
  readonly own: readonly SetUp[];
  readonly other: Milliseconds;
  readonly address: string | null;
}

/** The origin and the client, each if all requests have the same. */
function scopeOf(requests: readonly Request[]): FindingScope {
  const [origin, ...origins] = new Set(requests.map((one) => one.origin));
  const [client, ...clients] = new Set(requests.map((one) => one.client));
  return atOrigin(origins.length === 0 ? (origin ?? null) : null, clients.length === 0 ? (client ?? null) : null);
}

function slowDraft(phase: SetupPhase, slow: SlowSetUps): Draft {
  const own = medianOf(slow.own.map(({ length }) => length));
  const time = waitingOf(slow.own.map((setUp) => spanOf(phase, setUp, slow.other)));
  const requests = slow.own.map(({ request }) => request);
  const scope = scopeOf(requests);
  const names = scope.origin ?? counted(new Set(requests.map(({ origin }) => origin)).size, "name");
  const where = slow.address === null ? names : `${slow.address} of ${names}`;
  return draftOf({
    kind: "slow-connection-setup",
    scope,
    attribute: { name: "phase", value: phase },
    time,
    confidence: "certain",
    telling: slow.own.toSorted((left, right) => right.length - left.length).map(({ request }) => request),
    summary: `The ${NAMES[phase]} for ${where} took ${slow.own.length === 1 ? "" : "a median of "}${inMs(own)} in ${counted(slow.own.length, "connection")}.`,
    advice: ADVICE[phase],
    evidence: figures({
      connections: slow.own.length,
      [`${slow.own.length === 1 ? "" : "median "}time of the ${NAMES[phase]}`]: inMs(own),
      "median time for the other addresses": slow.address === null ? null : inMs(slow.other),
    }),
    basis:
      slow.address === null
        ? `Up to: the whole time of each ${NAMES[phase]}.`
        : `The time of each ${NAMES[phase]} above the median for the origin's other addresses.`,
  });
}

/**
 * An address whose phase takes at least `TIMES_OTHER` times as long as that of the other addresses, by the medians.
 * `null` if there is none.
 */
function slowerAddress(setUps: readonly SetUp[]): SlowSetUps | null {
  for (const [address, own] of groupedBy(setUps, (setUp) => setUp.address)) {
    const others = setUps.filter((setUp) => setUp.address !== address);
    if (own.length < LEAST_SETUPS || others.length < LEAST_SETUPS) continue;
    const [median, other] = [medianOf(own.map(({ length }) => length)), medianOf(others.map(({ length }) => length))];
    if (median >= LEAST_COMPARED && median >= TIMES_OTHER * other) return { own, other, address };
  }
  return null;
}

function spanOf(phase: SetupPhase, { request, length }: SetUp, usual: Milliseconds): Span {
  const { instants } = request.facts.exchange;
  const starts = {
    dns: instants.domainLookupStart,
    connect: instants.connectStart,
    tls: instants.secureConnectionStart,
  };
  const start = starts[phase] ?? request.start;
  return { client: request.client, start: start + Math.min(length, usual), end: start + length };
}
