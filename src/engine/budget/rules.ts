import { FINDING_NAMES, type FindingKind } from "../model/finding.ts";
import type { Verdict } from "./verdict.ts";

/** What a code scanner shows about a rule: its name, what it finds, and what helps. */
export interface Rule {
  readonly name: string;
  readonly description: string;
  readonly help: string;
}

type Texts = readonly [description: string, help: string];

const FINDINGS: Readonly<Record<FindingKind, Texts>> = {
  "rate-limited": [
    "The server refused requests because there were too many.",
    "Send fewer requests, or wait as long as Retry-After says.",
  ],
  retries: [
    "Requests were sent again after a failure or time-out.",
    "Find out why the first attempt failed; clients waited for it in vain.",
  ],
  errors: ["A share of an endpoint's requests failed.", "Look at the responses to the failed requests."],
  "cors-preflights": [
    "A browser asked for permission before requests to another origin.",
    "Set Access-Control-Max-Age, or serve page and API from one origin.",
  ],
  redirects: [
    "Requests were answered by redirects that cost a round trip each.",
    "Use the final URL in links and clients.",
  ],
  "repeated-prerequisite": [
    "An answer was fetched again before each call that needs it.",
    "Keep the answer while it is valid.",
  ],
  "n-plus-one": [
    "An endpoint was requested once for each item of a list.",
    "Ask for all items in one request, or include their data in the list.",
  ],
  polling: [
    "The same request was sent at steady intervals, and little changed.",
    "Poll less often, or let the server send changes.",
  ],
  "duplicate-requests": [
    "The same request was sent again within seconds, with the same response.",
    "Share one request, or keep its response.",
  ],
  "unchanged-refetches": [
    "Unchanged content was sent in full again.",
    "Send validators (ETag, Last-Modified) or allow caching.",
  ],
  "uncompressed-responses": [
    "Text was sent uncompressed to clients that accept compression.",
    "Compress these responses with gzip, Brotli or zstd.",
  ],
  "large-responses": [
    "Large responses took much of the time for their transfer.",
    "Send less, in pages or with fewer fields.",
  ],
  "large-requests": ["Large requests took much of the time for their upload.", "Send less, or compress the body."],
  "slow-connection-setup": [
    "DNS, TCP or TLS took long.",
    "Look at the name server, the distance to the server, and the reuse of connections.",
  ],
  "new-connections": [
    "Requests opened connections that they could have shared.",
    "Keep connections alive, in the client and in the server.",
  ],
  "connection-queueing": [
    "Requests waited for a free connection.",
    "Allow more connections, use HTTP/2, or make fewer requests at once.",
  ],
  "sequential-requests": [
    "Requests were sent one after another, although nothing shows that they need each other.",
    "Send them at the same time.",
  ],
  "client-time": [
    "The client itself took long between a response and the next request.",
    "Look at what the client does in between.",
  ],
  "slow-streams": [
    "A stream's first event came late, or its events came with gaps.",
    "Look at what the server does before an event, and at buffers on the way.",
  ],
  "server-pauses": [
    "A whole server answered nothing for some time.",
    "Look for garbage collection, locks or restarts at these times.",
  ],
  "one-at-a-time": [
    "A server or client handled one request at a time.",
    "Look for a lock, a single worker or a pool of one.",
  ],
  "slow-when": [
    "Slow requests share a property that fast ones do not have.",
    "Look at what the server does for requests with this property.",
  ],
  "slow-transfer": [
    "Bodies arrived slowly for their size.",
    "Look at the line, at the server's output, and at buffers on the way.",
  ],
  "slow-server": ["A server took long for its first byte.", "Look at what the server does for these requests."],
  regression: [
    "An endpoint became slower than in the baseline, by a rank test.",
    "Look at what changed since the baseline.",
  ],
  "proxy-overhead": [
    "Weir itself took a share of the time.",
    "Record with fewer programs on the computer, or judge the servers' times alone.",
  ],
};

const RAISED = "Find out what changed, or raise the limit in the budget.";

const LIMITS: Readonly<Record<Exclude<Verdict["what"], "finding" | "regression">, Texts>> = {
  p50: ["An endpoint's median latency is above its limit.", RAISED],
  p95: ["An endpoint's 95th percentile of latency is above its limit.", RAISED],
  p99: ["An endpoint's 99th percentile of latency is above its limit.", RAISED],
  size: ["An endpoint's mean response is larger than its limit.", RAISED],
  errors: ["The share of an endpoint's failed requests is above its limit.", RAISED],
  count: ["An endpoint got more requests than its limit.", RAISED],
  "load p95": ["The 95th percentile of a page's loads is above its limit.", RAISED],
  "load requests": ["A load of a page made more requests than its limit.", RAISED],
  "load bytes": ["A load of a page transferred more bytes than its limit.", RAISED],
  requests: ["There are too few requests to judge.", "See whether the run's clients used the proxy."],
};

/** The rule of a kind of finding, or of a limit. */
export function ruleOf(id: string): Rule {
  const [description, help] = (FINDINGS as Readonly<Record<string, Texts>>)[id] ??
    (LIMITS as Readonly<Record<string, Texts>>)[id] ?? [id, RAISED];
  return { name: (FINDING_NAMES as Readonly<Record<string, string>>)[id] ?? `Limit of ${id}`, description, help };
}
