import { FIXED_THRESHOLD_BOUNDS, NUMBER_BOUNDS, type NumberKey } from "../../src/engine/model/setting-rules.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../src/engine/model/settings.ts";
import { choice, count, flag, listOf, objectOf, orNull, type Schema, text } from "./shapes.ts";

function bounded(key: NumberKey, description: string): Schema {
  const { least, most, whole } = NUMBER_BOUNDS[key];
  return { description, type: whole ? "integer" : "number", minimum: least, maximum: most };
}

const texts = (description: string): Schema => listOf({ type: "string" }, description);

/** All settings, in the order of docs/settings.md. */
const FIELDS: { readonly [Key in keyof Settings]: Schema } = {
  captureInclude: texts("Host patterns (`*` wildcard) that are recorded; if empty, all hosts are."),
  captureExclude: texts("Host patterns that are proxied but not recorded."),
  passThrough: texts("Host patterns whose TLS passes as a tunnel."),
  hostOverrides: texts("`name=address:port`: connections to the name go to this address and port."),
  reversePorts: texts("`port=origin`: the local port forwards to this origin."),
  transparentPorts: texts("`port` or `port=servers' port` (443): clients connect to the local port as to a server."),
  tlsExceptions: texts("Hosts whose certificate may be invalid."),
  upstreamProxy: orNull(text("`http[s]://[user:password@]host[:port]`; `null`: none.")),
  upstreamProxyBypass: texts("Host patterns reached without the upstream proxy."),
  clientCertificates: listOf(
    objectOf({
      host: text("Host pattern."),
      file: text("Absolute path: PEM with certificate and key, or PFX."),
      passphrase: orNull(text("Passphrase of the key; `null`: none.")),
    }),
    "Client certificates: `host`, `file` (absolute path of a PEM or PFX) and `passphrase` or `null`.",
  ),
  hostAuthorities: listOf(
    objectOf({
      host: text("Host pattern."),
      file: text("Name of the file, to be shown."),
      certificates: text("Certificates in PEM form."),
    }),
    "CA files for hosts: `host`, `file` (a name) and `certificates` (PEM), by which these hosts are verified, too.",
  ),
  privateTargetsFromLan: flag("Whether clients from the network may reach private addresses."),
  http2: flag("Whether HTTP/2 is used."),
  http1Hosts: texts("Host patterns for which only HTTP/1.1 is used."),
  hiddenHosts: texts(
    "Hosts whose exchanges the window does not list; recordings, figures and exports by command keep them.",
  ),
  showHiddenHosts: flag("Whether the window lists the exchanges of hidden hosts all the same."),
  probeHost: text("Host of the Setup Hub's test request."),
  fixedThreshold: orNull({
    ...count("A request that takes more than this many ms is slow; `null`: off.", FIXED_THRESHOLD_BOUNDS.least),
    maximum: FIXED_THRESHOLD_BOUNDS.most,
  }),
  oversizedFactor: bounded(
    "oversizedFactor",
    "A response is oversized if it is more than this many times the mean of its endpoint's other responses.",
  ),
  oversizedFloor: bounded(
    "oversizedFloor",
    "Bytes by which an oversized response must also exceed the mean of its endpoint's other responses.",
  ),
  chainGap: bounded("chainGap", "Longest gap between two exchanges of a chain, ms."),
  stableLatencyPercent: bounded(
    "stableLatencyPercent",
    "A latency that changes by less than this counts as stable, percent.",
  ),
  stableLatencyMs: bounded(
    "stableLatencyMs",
    "The same limit in ms, at most 20 % of the latency; the larger of the two limits applies.",
  ),
  stablePayloadPercent: bounded(
    "stablePayloadPercent",
    "A size that changes by less than this counts as stable, percent.",
  ),
  stablePayloadBytes: bounded("stablePayloadBytes", "The same limit in bytes; the larger of the two limits applies."),
  stableErrorPoints: bounded(
    "stableErrorPoints",
    "An error rate that changes by less than this counts as stable, percentage points.",
  ),
  groupSimilarPaths: flag("Whether similar paths are one endpoint."),
  pathRules: texts("Rules for grouping paths: `/shop/*/item/*` groups, `!/tags/*` leaves paths ungrouped."),
  bodyCap: bounded("bodyCap", "Bytes kept of one body."),
  sessionBodyCap: bounded("sessionBodyCap", "Bytes kept of one session on disk, at least half of them bodies."),
  rowCap: bounded("rowCap", "Rows of the current session."),
  historyKept: bounded("historyKept", "Completed sessions whose figures are kept."),
  dataCap: bounded("dataCap", "Bytes of all sessions on disk."),
  theme: choice(["system", "light", "dark"], "Colours of the window."),
  panelHeight: orNull(count("Height of the panel at the bottom, pixels; `null`: the view's default.", 100)),
  inspectorBeside: orNull(
    flag("Whether the inspector is beside the list in windows from 1600 px on; `null`: the default, beside."),
  ),
  timelineLabels: orNull(count("Width of Timeline's column of requests, pixels; `null`: the default.", 100)),
  trafficColumns: orNull(texts("Columns of Traffic, as the window writes them; `null`: the default.")),
  trafficSort: orNull(text("Order of Traffic, as the window writes it; `null`: by start.")),
  recentFilters: texts("Filters that were used last, the newest first; at most 10."),
};

/** The file `settings.json`, which contains only changed settings. */
export const SETTINGS: Schema = {
  type: "object",
  properties: { version: count("Version of the format: 1.", 1), ...FIELDS },
};

/** The text of docs/settings.md. */
export function settingsPage(): string {
  const rows = Object.entries(FIELDS).map(([key, { description, minimum, maximum }]) => {
    const range = maximum === undefined ? "" : ` From ${grouped(minimum)} to ${grouped(maximum)}.`;
    const standard = DEFAULT_SETTINGS[key as keyof Settings];
    return `| \`${key}\` | ${description}${range} | \`${JSON.stringify(standard)}\` |`;
  });
  return [...HEAD, ...rows, ""].join("\n");
}

const HEAD = [
  "# settings.json",
  "",
  "Weir's settings, in the data folder. The window's *Settings* writes this file, with only the values that differ from the defaults.",
  "It may be edited while Weir does not run; an invalid value is not used, and the window says so. Names that this version does",
  "not know are kept. The file is readable by you alone, since a proxy's password or a passphrase may be in it.",
  "",
  "[weir.settings.schema.json](schema/weir.settings.schema.json) describes it. `npm run golden` writes this page.",
  "",
  "| name | meaning | default |",
  "|---|---|---|",
];

function grouped(value: unknown): string {
  return Number(value).toLocaleString("en-US");
}
