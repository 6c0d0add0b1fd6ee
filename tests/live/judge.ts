import type { Asked, Cause, Claim } from "./contract.ts";
import type { Found, Recorded } from "./session.ts";

export interface CauseVerdict {
  readonly name: string;
  /** From 1; `null`: no finding names the cause. */
  readonly rank: number | null;
  readonly kind: string | null;
  readonly claimed: number | null;
  /** Whether the finding says that its time is an upper bound. */
  readonly isBound: boolean;
  /** Waiting that the service logged for this cause, ms. `null`: it cannot see it. */
  readonly logged: number | null;
  /** Waiting of this session less that of the session without the cause, ms. `null`: not run. */
  readonly saved: number | null;
}

export interface Verdict {
  readonly causes: readonly CauseVerdict[];
  /** Findings that no cause accepts. */
  readonly wrong: readonly Found[];
  /** Further findings that a cause accepts. */
  readonly repeated: readonly Found[];
  readonly links: LinkVerdict;
  /** Requests of the client that are not in the recording. */
  readonly missing: readonly string[];
}

/** The verdict on one draw of a case. */
export interface Judged extends Verdict {
  readonly name: string;
  readonly draw: number;
  readonly story: string;
  /** Findings of sessions in which every cause is switched off. */
  readonly accusedWithout: Verdict["wrong"];
  readonly hasSessionWithout: boolean;
}

export interface LinkVerdict {
  readonly proven: number;
  readonly wrongProven: number;
  /** Requests that needed an answer, and those of them for which such a link is proven. */
  readonly needed: number;
  readonly found: number;
  readonly sequential: number;
  /** Sequential links between actors, or between requests of which one needed the other. */
  readonly wrongSequential: number;
  /** The first false links in words. */
  readonly examples: readonly string[];
}

/** A session, and the same with one cause switched off. */
export interface Pair {
  readonly withCause: Recorded;
  readonly without: Recorded;
}

export function verdictOf(
  causes: readonly Cause[],
  admitted: readonly Claim[],
  recorded: Recorded,
  pairs: ReadonlyMap<string, Pair>,
): Verdict {
  const findings = recorded.report?.findings ?? [];
  const causeOf = findings.map((finding) => causes.find((cause) => accepts(cause, finding)) ?? null);
  const { idOf, missing } = matched(recorded);
  return {
    causes: causes.map((cause) => {
      const index = causeOf.indexOf(cause);
      const finding = findings[index] ?? null;
      const pair = pairs.get(cause.name);
      return {
        name: cause.name,
        rank: finding === null ? null : index + 1,
        kind: finding === null ? null : [finding.kind, finding.attribute?.name].filter(Boolean).join(" "),
        claimed: finding?.time ?? null,
        isBound: finding !== null && /up to|at most/i.test(`${finding.basis} ${finding.summary}`),
        logged: cause.unlogged ? null : waitingOf(recorded.added.filter((line) => line.cause === cause.name)),
        saved: pair === undefined ? null : waited(pair.withCause) - waited(pair.without),
      };
    }),
    wrong: findings.filter(
      (finding, index) => causeOf[index] === null && !admitted.some((claim) => accepts(claim, finding)),
    ),
    repeated: findings.filter((_, index) => {
      const cause = causeOf[index] ?? null;
      return cause !== null && causeOf.indexOf(cause) !== index;
    }),
    links: linkVerdict(recorded, idOf),
    missing,
  };
}

/** The waiting that a client logged; that of the report if its client keeps no log. */
function waited({ asked, report }: Recorded): number {
  return asked.length > 0 ? waitingOf(asked) : (report?.waiting ?? 0);
}

/** The union of the intervals of each client, summed, ms. */
export function waitingOf(
  lines: readonly { readonly from: number; readonly to: number; readonly client: string }[],
): number {
  const reached = new Map<string, number>();
  let total = 0;
  for (const { from, to, client } of lines.toSorted((a, b) => a.from - b.from)) {
    const start = Math.max(from, reached.get(client) ?? 0);
    total += Math.max(0, to - start);
    reached.set(client, Math.max(to, start));
  }
  return total;
}

function accepts(cause: Claim, finding: Found): boolean {
  const isKind = cause.accepts.some(
    ({ kind, attribute, value, segment }) =>
      kind === finding.kind &&
      (attribute === undefined || attribute === (finding.attribute?.name ?? null)) &&
      (value === undefined || value === finding.attribute?.value) &&
      (segment === undefined || finding.endpoint?.path.split("/").includes(segment) === true),
  );
  return isKind && cause.at.some((place) => isAt(place, finding));
}

/** Whether a finding names this place. `*` and a template's `{id}` stand for any one segment. */
export function isAt(place: string, { endpoint, origin }: Found): boolean {
  const [method, path] = place.split(" ");
  if (path !== undefined) return endpoint?.method === method && isSamePath(path, endpoint?.path ?? "");
  const named = endpoint?.origin ?? origin;
  // A finding about a client alone gives no origin.
  return named === null || hostOf(named) === place;
}

const hostOf = (origin: string): string => origin.replace(/^\w+:\/\//, "").split(".")[0] ?? "";

function isSamePath(wanted: string, path: string): boolean {
  const [ours, theirs] = [wanted.split("/"), path.split("/")];
  return (
    ours.length === theirs.length &&
    ours.every((part, index) => part === "*" || part === theirs[index] || /^\{.*\}$/.test(theirs[index] ?? ""))
  );
}

/** The exchange of each logged request: the k-th of a method and URL in the log is the k-th in the recording. */
function matched({ asked, exchanges }: Recorded): { idOf: ReadonlyMap<number, number>; missing: string[] } {
  const left = new Map<string, number[]>();
  for (const { id, client, method, url } of exchanges.toSorted((a, b) => a.startTime - b.startTime)) {
    const key = `${client} ${method} ${url}`;
    left.set(key, [...(left.get(key) ?? []), id]);
  }
  const idOf = new Map<number, number>();
  const missing: string[] = [];
  for (const { n, client, method, url, isUnanswered } of asked.toSorted((a, b) => a.from - b.from)) {
    const id = left.get(`${client} ${method} ${url}`)?.shift();
    if (id !== undefined) idOf.set(n, id);
    else if (isUnanswered !== true) missing.push(`${method} ${url}`);
  }
  return { idOf, missing };
}

function linkVerdict({ asked, links }: Recorded, idOf: ReadonlyMap<number, number>): LinkVerdict {
  const requestOf = new Map(asked.map((request) => [idOf.get(request.n), request]));
  const byNumber = new Map(asked.map((request) => [request.n, request]));
  const isNeeded = (from: Asked, to: Asked): boolean =>
    to.needs.some((n) => n === from.n || isNeeded(from, byNumber.get(n) ?? from));
  const judged = links.flatMap((link) => {
    const [from, to] = [requestOf.get(link.from), requestOf.get(link.to)];
    return from === undefined || to === undefined ? [] : [{ ...link, from, to, isTrue: isNeeded(from, to) }];
  });
  // A redirect, preflight or page follows from the protocol, and the client need not log it.
  const proven = judged.filter(({ kind, basis }) => kind === "proven" && basis !== "protocol");
  const sequential = judged.filter(({ kind }) => kind === "sequential");
  const found = new Set(proven.filter(({ isTrue }) => isTrue).map(({ to }) => to.n));
  const wrongProven = proven.filter(({ isTrue }) => !isTrue);
  const wrongSequential = sequential.filter(({ from, to, isTrue }) => isTrue || from.actor !== to.actor);
  return {
    proven: proven.length,
    wrongProven: wrongProven.length,
    needed: asked.filter(({ needs }) => needs.length > 0).length,
    found: found.size,
    sequential: sequential.length,
    wrongSequential: wrongSequential.length,
    examples: [...wrongProven.slice(0, 3), ...wrongSequential.slice(0, 2)].map(
      ({ from, to, kind, basis, evidence }) =>
        `${kind} by ${basis} (${evidence.source} ${evidence.name ?? ""} ${evidence.value}): ${from.actor} ${from.method} ${from.url} -> ${to.actor} ${to.method} ${to.url}`,
    ),
  };
}
