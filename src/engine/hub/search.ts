import { wordsOf } from "../model/words.ts";
import { matchesOutput } from "./known-errors.ts";
import { CATEGORIES, type Category, type KnownError, type Target } from "./target.ts";

/** How many characters at the end of a filter are compared with known errors. A stack trace ends with its error. */
const MOST_PASTED = 8_000;

/** A shorter part of an error's text is too common to be searched for. */
const SHORTEST_PART = 12;

/** Where a filter word is in a text: a half-open range in UTF-16 units. */
export interface Highlight {
  readonly from: number;
  readonly to: number;
}

export interface Found {
  readonly target: Target;
  /** Ranges in the name, merged and sorted. */
  readonly name: readonly Highlight[];
  readonly summary: readonly Highlight[];
  readonly support: readonly Highlight[];
}

export interface FoundGroup {
  readonly category: Category;
  readonly highlights: readonly Highlight[];
  readonly found: readonly Found[];
}

/**
 * Filters the source list: every word must occur in a target's name, category, summary or support label, in any letter
 * case. Keeps the order and leaves out empty categories. If nothing matches, tries prefixes of alternative names, then
 * tools without a page, known errors and corrected typing errors.
 */
export function search(targets: readonly Target[], filter: string): readonly FoundGroup[] {
  const words = wordsOf(filter);
  const found = searched(targets, words, isShown);
  if (found.length > 0) return found;
  const named = searched(targets, words, isCalled);
  if (named.length > 0) return named;
  if (otherToolOf(filter) !== null) return grouped(targets, [], ({ slug }) => slug === "terminal");
  const explained = withKnownError(targets, filter.slice(-MOST_PASTED));
  return explained.length > 0 ? explained : searched(targets, meantBy(words, targets), isCalled);
}

/** The tool, among those without a page, that the filter names; `null` if none, or if the filter matches a target. */
export function otherToolFor(targets: readonly Target[], filter: string): OtherTool | null {
  const words = wordsOf(filter);
  return searched(targets, words, isCalled).length > 0 ? null : otherToolOf(filter);
}

type Match = (target: Target, word: string) => boolean;

function searched(targets: readonly Target[], words: readonly string[], match: Match): readonly FoundGroup[] {
  return grouped(targets, words, (target) => words.every((word) => match(target, word)));
}

/**
 * The targets with a known error that contains the pasted text or is contained in it. There are no highlights, since
 * the pasted text does not occur in the fields shown.
 */
function withKnownError(targets: readonly Target[], pasted: string): readonly FoundGroup[] {
  const part = pasted.trim().toLowerCase();
  const hasPart = ({ text }: KnownError) => part.length >= SHORTEST_PART && text.toLowerCase().includes(part);
  return grouped(targets, [], ({ knownErrors }) =>
    knownErrors.some((error) => matchesOutput(error, pasted) || hasPart(error)),
  );
}

function grouped(
  targets: readonly Target[],
  words: readonly string[],
  isFound: (target: Target) => boolean,
): readonly FoundGroup[] {
  return CATEGORIES.map((category) => {
    const found = targets.filter((target) => target.category === category && isFound(target));
    return Object.freeze({
      category,
      highlights: highlightsOf(category, words),
      found: found.map((target) => foundOf(target, words)),
    });
  }).filter((group) => group.found.length > 0);
}

/** Whether a word occurs in a field of the target. The line breaks prevent matches across two fields. */
function isShown({ name, category, summary, support }: Target, word: string): boolean {
  return [name, category, summary, support].join("\n").toLowerCase().includes(word);
}

function isCalled(target: Target, word: string): boolean {
  return isShown(target, word) || otherNames(target).some((name) => name.startsWith(word));
}

function otherNames({ slug, also }: Target): readonly string[] {
  return wordsOf([slug, ...also].join(" "));
}

function meantBy(words: readonly string[], targets: readonly Target[]): readonly string[] {
  const shown = targets.flatMap(({ name, category, summary }) => `${name} ${category} ${summary}`.match(/\w+/g) ?? []);
  const known = [...wordsOf(shown.join(" ")), ...targets.flatMap(otherNames)];
  return words.map((word) =>
    targets.some((target) => isCalled(target, word)) ? word : (closestWord(word, known) ?? word),
  );
}

function foundOf(target: Target, words: readonly string[]): Found {
  return Object.freeze({
    target,
    name: highlightsOf(target.name, words),
    summary: highlightsOf(target.summary, words),
    support: highlightsOf(target.support, words),
  });
}

/** All occurrences of all words; adjacent or overlapping ones are merged. */
export function highlightsOf(text: string, words: readonly string[]): readonly Highlight[] {
  const lower = text.toLowerCase();
  const found: Highlight[] = [];
  for (const word of words) {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1))
      found.push({ from: at, to: at + word.length });
  }
  found.sort((a, b) => a.from - b.from || a.to - b.to);
  const merged: Highlight[] = [];
  for (const highlight of found) {
    const last = merged.at(-1);
    if (last === undefined || highlight.from > last.to) merged.push(highlight);
    else if (highlight.to > last.to) merged[merged.length - 1] = { from: last.from, to: highlight.to };
  }
  return Object.freeze(merged);
}

/** Shorter words are not corrected, since too many other words are similar. */
const SHORTEST = 4;

/**
 * The first known word that differs from `typed` by one typing error (a missing, extra, wrong or swapped letter). If
 * there is none, the first known word with a prefix that differs in this way; else `null`. The first letter must match,
 * or "jest" would become "rest".
 */
export function closestWord(typed: string, known: readonly string[]): string | null {
  if (typed.length < SHORTEST) return null;
  const lengths = [typed.length, typed.length + 1, typed.length - 1];
  const whole = known.find((word) => isOneSlip(typed, word));
  return whole ?? known.find((word) => lengths.some((length) => isOneSlip(typed, word.slice(0, length)))) ?? null;
}

function isOneSlip(typed: string, meant: string): boolean {
  let at = 0;
  while (at < typed.length && typed[at] === meant[at]) at += 1;
  if (at === 0) return false;
  const [left, other] = [typed.slice(at), meant.slice(at)];
  if (left.slice(1) === other.slice(1) || left === other.slice(1) || left.slice(1) === other) return true;
  return left[0] === other[1] && left[1] === other[0] && left.slice(2) === other.slice(2);
}

/** A tool that works with the block of "Any terminal" and has no page of its own. */
interface OtherTool {
  /** The tool's names, as users type them. */
  readonly names: readonly string[];
  /**
   * Which variables of the block the tool reads, and what else it needs. From the tool's documentation; not tested
   * here.
   */
  readonly note: string;
}

const OTHER_TOOLS: readonly OtherTool[] = [
  {
    names: ["kubectl"],
    note: "kubectl reads the block's proxy variables, but trusts only the certificate-authority of its kubeconfig. Let the cluster's host pass through.",
  },
  {
    names: ["uv"],
    note: "uv reads HTTPS_PROXY and SSL_CERT_FILE from this block.",
  },
  {
    names: ["poetry"],
    note: "Poetry reads HTTPS_PROXY and REQUESTS_CA_BUNDLE from this block.",
  },
  {
    names: ["terraform", "opentofu"],
    note: "Terraform and OpenTofu read HTTPS_PROXY from this block, and SSL_CERT_FILE on Linux only. On macOS and Windows they use the system's certificate store.",
  },
  {
    names: ["gcloud"],
    note: "gcloud reads the block's proxy variables. Set gcloud's property core/custom_ca_certs_file to the bundle.",
  },
  {
    names: ["vscode", "vs code"],
    note: "This block works in VS Code's terminal. For the editor itself, use its settings http.proxy and http.systemCertificates.",
  },
  {
    names: ["cypress"],
    note: "Cypress reads HTTP_PROXY and HTTPS_PROXY from this block, in the terminal that starts Cypress.",
  },
  {
    names: ["grpc", "grpcio"],
    note: "gRPC for Python, Ruby, PHP, C++ and Node.js reads https_proxy and GRPC_DEFAULT_SSL_ROOTS_FILE_PATH from this block.",
  },
  {
    names: [".env", "dotenv"],
    note: "The block's variables also work in a .env file, as NAME=value. NODE_EXTRA_CA_CERTS and NODE_USE_ENV_PROXY do not, because Node.js reads them at its start.",
  },
];

/** The tool whose name starts with the words of `filter`; `null` if there is none. */
export function otherToolOf(filter: string): OtherTool | null {
  const wanted = wordsOf(filter).join(" ");
  if (wanted === "") return null;
  return OTHER_TOOLS.find(({ names }) => names.some((name) => name.startsWith(wanted))) ?? null;
}
