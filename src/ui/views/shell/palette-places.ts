import type { RankedFindings } from "../../../engine/messages/ranked-findings.ts";
import type { Sessions } from "../../../engine/messages/session-messages.ts";
import { type Endpoint, type EndpointParts, hostOf } from "../../../engine/model/endpoint.ts";
import { FINDING_KINDS, FINDING_NAMES, isUpperBound } from "../../../engine/model/finding.ts";
import type { Settings } from "../../../engine/model/settings.ts";
import { type EndpointTexts, endpointTextsOf } from "../../format/endpoint.ts";
import { nameOf } from "../../format/session-name.ts";
import type { InspectorTab, PerformanceTab } from "../../state/selection.ts";
import { costPhrase } from "../finding-links.ts";
import type { PaletteEntry } from "./palette-entries.ts";

/** What the palette can open, as far as known. */
export interface Places {
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

const PERFORMANCE_TABS: readonly (readonly [PerformanceTab, string])[] = [
  ["findings", "Findings"],
  ["latency", "Latency"],
  ["slow", "Slow requests"],
  ["payload", "Payload"],
  ["chains", "Chains"],
  ["trends", "Trends"],
];

const INSPECTOR_TABS: readonly (readonly [InspectorTab, string])[] = [
  ["overview", "Overview"],
  ["request", "Request"],
  ["response", "Response"],
  ["timing", "Timing"],
  ["messages", "Messages"],
  ["tls", "TLS"],
];

/** The tabs, themes, targets, sessions, endpoints, findings and causes that the palette lists, in this order. */
export function placesOf({
  inspecting,
  picking,
  sessions,
  endpoints,
  found,
  targets,
}: Places): readonly PaletteEntry[] {
  return Object.freeze([
    ...PERFORMANCE_TABS.map(([tab, name]) => entry(`Performance: ${name}`, { kind: "tab", tab })),
    ...(picking || inspecting
      ? [entry(picking ? "Delete the selected exchanges" : "Delete exchange", { kind: "delete" })]
      : []),
    ...(inspecting
      ? [
          entry("Repeat request", { kind: "repeat" }),
          ...INSPECTOR_TABS.map(([tab, name]) => entry(`Inspector: ${name}`, { kind: "inspector-tab", tab })),
        ]
      : []),
    ...THEMES.map(([theme, name]) => entry(`Theme: ${name}`, { kind: "set-theme", theme })),
    ...targets.map(({ slug, name }) => entry(`Set up ${name}`, { kind: "hub-target", target: slug })),
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
      return entry(`Finding: ${text}`, { kind: "finding", key: finding.key, name });
    }),
    ...FINDING_KINDS.map((cause) => entry(`Cause: ${FINDING_NAMES[cause]}`, { kind: "cause", cause })),
  ]);
}

function aboutOf({ method, path, host }: EndpointTexts): string {
  return `${method} ${path} ${host}`;
}

function entry(name: string, wish: PaletteEntry["wish"]): PaletteEntry {
  return { name, key: "", wish };
}
