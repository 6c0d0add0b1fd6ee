import type { RankedFindings } from "../../../engine/messages/finding-messages.ts";
import type { Sessions } from "../../../engine/messages/session-messages.ts";
import { type Endpoint, type EndpointParts, hostOf } from "../../../engine/model/endpoint.ts";
import { FINDING_KINDS, FINDING_NAMES, type FindingKind, isUpperBound } from "../../../engine/model/finding.ts";
import type { Settings } from "../../../engine/model/settings.ts";
import { type EndpointTexts, endpointTextsOf } from "../../format/endpoint.ts";
import { nameOf } from "../../format/session-name.ts";
import type { InspectorTab, PerformanceTab } from "../../state/selection.ts";
import { costPhrase } from "../finding-links.ts";
import { entry, type PaletteEntry } from "./palette-entries.ts";

/** What the palette can open, as far as known. */
export interface PaletteState {
  /** Whether an exchange is open in the inspector. */
  readonly inspecting: boolean;
  /** Whether several rows are selected. */
  readonly picking: boolean;
  readonly sessions: Sessions | undefined;
  readonly endpoints: readonly ({ readonly endpoint: Endpoint } & EndpointParts)[];
  readonly found: RankedFindings | null;
  /** The targets of the Setup Hub; empty without a hub, and until they are loaded. */
  readonly targets: readonly { readonly slug: string; readonly name: string }[];
}

const THEMES: readonly (readonly [Settings["theme"], string])[] = [
  ["system", "as the system"],
  ["light", "light"],
  ["dark", "dark"],
];

const PERFORMANCE_TABS: readonly (readonly [PerformanceTab, name: string, words: string])[] = [
  [
    "findings",
    "Findings",
    "causes problems issues insights advice diagnosis why slow bottleneck waiting time what if experiment page load report html share",
  ],
  [
    "latency",
    "Latency",
    "p50 p95 p99 percentiles median average response times endpoints routes histogram distribution heat map operations graphql llm models tokens",
  ],
  ["slow", "Slow requests", "slowest outliers tail p95 p99 threshold common"],
  ["payload", "Payload", "size bytes largest oversized weight transferred compression gzip"],
  ["chains", "Chains", "dependency dependencies sequence walks repeats duplicates n+1 initiators blocking"],
  ["trends", "Trends", "slower than yesterday before regression baseline history compare sessions over time"],
];

/** The name of a tab of Performance, as the tab shows it. */
export function nameOfTab(tab: PerformanceTab): string {
  return PERFORMANCE_TABS.find(([one]) => one === tab)?.[1] ?? "";
}

const INSPECTOR_TABS: readonly (readonly [InspectorTab, name: string, words: string])[] = [
  ["overview", "Overview", "summary details"],
  ["request", "Request", "headers body query parameters cookies"],
  ["response", "Response", "headers body status cookies preview"],
  ["timing", "Timing", "phases waterfall ttfb dns connect breakdown server-timing"],
  ["messages", "Messages", "websocket frames events sse stream"],
  ["tls", "TLS", "certificate ssl https cipher handshake"],
];

/** Search words for causes, besides their names. */
const CAUSE_WORDS: Readonly<Record<FindingKind, string>> = {
  "rate-limited": "429 throttled retry-after",
  retries: "again backoff time-out",
  errors: "failures failed 5xx 4xx 500 404",
  "cors-preflights": "options",
  redirects: "301 302 307",
  "repeated-prerequisite": "token login",
  "n-plus-one": "loop batch",
  polling: "interval timer",
  "duplicate-requests": "repeats cache",
  "unchanged-refetches": "cache caching etag 304 not modified",
  "uncompressed-responses": "compression gzip brotli zstd",
  "large-responses": "size payload oversized pagination",
  "large-requests": "size payload upload",
  "slow-connection-setup": "dns tcp tls ssl handshake connect",
  "new-connections": "keep-alive reuse pool",
  "connection-queueing": "pool blocked stalled limit",
  "sequential-requests": "waterfall serial parallel chain",
  "client-time": "cpu rendering idle",
  "slow-streams": "sse llm tokens stall",
  "server-pauses": "gc garbage collection",
  "one-at-a-time": "serial lock concurrency head-of-line",
  "slow-when": "parameter header cookie shared",
  "slow-transfer": "bandwidth download",
  "slow-server": "backend ttfb waiting database",
  regression: "regression slower than yesterday trend baseline",
  "proxy-overhead": "latency",
};

/** The tabs, themes, targets, sessions, endpoints, findings and causes that the palette lists, in this order. */
export function destinationsOf({
  inspecting,
  picking,
  sessions,
  endpoints,
  found,
  targets,
}: PaletteState): readonly PaletteEntry[] {
  return Object.freeze([
    ...PERFORMANCE_TABS.map(([tab, name, words]) => entry(`Performance: ${name}`, { kind: "tab", tab }, words)),
    ...(picking || inspecting
      ? [entry(picking ? "Delete the selected exchanges" : "Delete exchange", { kind: "delete" }, "remove")]
      : []),
    ...(inspecting
      ? [
          entry("Repeat request", { kind: "replay" }, "resend replay send again"),
          ...INSPECTOR_TABS.map(([tab, name, words]) =>
            entry(`Inspector: ${name}`, { kind: "inspector-tab", tab }, words),
          ),
        ]
      : []),
    ...THEMES.map(([theme, name]) => entry(`Theme: ${name}`, { kind: "set-theme", theme }, "mode appearance")),
    ...targets.map(({ slug, name }) =>
      entry(`Set up ${name}`, { kind: "hub-target", target: slug }, "connect proxy certificate"),
    ),
    ...(sessions?.sessions ?? [])
      .filter(({ kept, state }) => kept || state === "current")
      .map((record) => entry(`Open session: ${nameOf(record)}`, { kind: "session", session: record.id })),
    ...endpoints.map((one) => {
      return entry(`Endpoint: ${aboutOf(endpointTextsOf(one))}`, { kind: "endpoint", endpoint: one.endpoint });
    }),
    ...(found?.findings ?? []).map((finding) => {
      const name = FINDING_NAMES[finding.kind];
      const { endpoint, origin } = finding;
      const about = endpoint === null ? hostOf(origin ?? "") : aboutOf(endpointTextsOf(endpoint));
      const cost = costPhrase({ ...finding, isUpTo: isUpperBound(finding) });
      const text = [name, about, cost].filter((part) => part !== "").join(", ");
      return entry(`Finding: ${text}`, { kind: "finding", key: finding.key, name }, CAUSE_WORDS[finding.kind]);
    }),
    ...FINDING_KINDS.map((cause) =>
      entry(`Cause: ${FINDING_NAMES[cause]}`, { kind: "cause", cause }, CAUSE_WORDS[cause]),
    ),
  ]);
}

function aboutOf({ method, path, host }: EndpointTexts): string {
  return `${method} ${path} ${host}`;
}
