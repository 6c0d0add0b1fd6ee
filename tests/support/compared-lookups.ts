import { lookup } from "node:dns/promises";
import type { LookupError } from "../../extensions/proxy/data-thread/network/dns/lookup-error.ts";
import { NameResolver } from "../../extensions/proxy/data-thread/network/dns/name-resolver.ts";
import { SystemFiles } from "../../extensions/proxy/data-thread/network/dns/system-files.ts";
import { addressBook, type DnsReply, fakeDns } from "./fake-dns.ts";

/*
 * Looks up names by Weir and by getaddrinfo, and prints the differences as JSON. Runs where /etc/resolv.conf names
 * `server`, on which it starts a name server. argv[2]: a `Comparison` as JSON.
 */

/** What the name server knows, and the names to look up. */
export interface Comparison {
  readonly server: string;
  readonly book: Readonly<Record<string, readonly string[]>>;
  readonly names: readonly string[];
}

/**
 * A name that Weir and getaddrinfo answer differently: addresses in order, or a code, and the names that were asked
 * for.
 */
export interface Difference {
  readonly name: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Replies by the first label of a name. */
const REPLIES: Readonly<Record<string, (name: string, family: 4 | 6) => DnsReply>> = {
  failing: () => ({ rcode: "serverFailure" }),
  refused: () => ({ rcode: "refused" }),
  unclear: () => ({ rcode: "formatError" }),
  half: (name, family) => (family === 6 ? { rcode: "serverFailure" } : { records: [{ name, address: "192.0.2.30" }] }),
  chain: (name, family) => ({
    records: [
      { name, cname: "end.other" },
      { name: "end.other", address: family === 4 ? "192.0.2.40" : "2001:db8::40" },
    ],
  }),
  long: (name, family) => ({
    records: family === 6 ? [] : Array.from({ length: 100 }, (_, last) => ({ name, address: `192.0.2.${last}` })),
    truncated: family === 4,
  }),
};

const { server, book, names } = JSON.parse(process.argv[2] ?? "") as Comparison;
const known = addressBook(book);
const dns = await fakeDns(
  (question) => {
    const [first = ""] = question.name.split(".");
    return REPLIES[first]?.(question.name, question.family) ?? known(question);
  },
  { address: server, port: 53 },
);

const start = (): never => {
  throw new Error("no name of this comparison is for the system");
};
const resolver = new NameResolver({ system: new SystemFiles("/etc"), start });
const differences: Difference[] = [];
for (const name of names) {
  const ours = await answerTo(resolver.lookup(name));
  const theirs = await answerTo(lookup(name, { all: true, order: "verbatim" }));
  if (ours !== theirs) differences.push({ name, ours, theirs });
}
process.stdout.write(JSON.stringify(differences), () => process.exit());

async function answerTo(found: Promise<readonly { readonly address: string }[]>): Promise<string> {
  const before = dns.questions.length;
  const answer = await found.then(
    (addresses) => [...new Set(addresses.map(({ address }) => address))].join(" "),
    (error: LookupError) => error.code,
  );
  const asked = new Set(dns.questions.slice(before).map((question) => question.name));
  return `${answer} after ${[...asked].join(" ")}`;
}
