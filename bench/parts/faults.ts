import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { needsChromium } from "../../tests/support/browser.ts";
import { freshHost, SECURE_HOST } from "../authority.ts";
import { Child } from "../child.ts";
import { costAfter, rssOf } from "../cost.ts";
import { MEBIBYTE, quantile } from "../figures.ts";
import type { Field, Part, Row, Table } from "../part.ts";
import type { FloodJob, Soaked } from "../programs/floods.ts";
import { RESOURCES } from "../programs/image-page.ts";
import type { Failed, Probed } from "../programs/probe.ts";
import { certificatesOf } from "../subjects.ts";
import { atMost } from "../verdict.ts";
import { type RunningWeir, startWeir } from "../weir.ts";
import { rootOf } from "./http2-page.ts";
import { addressOf, browserThat, optionFor } from "./page.ts";

/** A request's longest wait in ms, in the words "0.3 s at worst". */
const LONGEST_WAIT = 300;
/** Bytes. */
const MORE_MEMORY = 30 * MEBIBYTE;
/** Connections that Weir may keep open to servers and clients. */
const MORE_DESCRIPTORS = 64;
/** Seconds of a flood before the next one's turn. */
const LONGEST_FLOOD = 12;
const PEER_PRIORITY = 10;
/** Rows in an earlier session, and as many in the current one, before the floods. */
const EARLIER = 500;
/** The hosts of the page, with HTTP/2. */
const PAGE_HOSTS = [0, 1, 2].map((index) => `page-${freshHost(index)}`);

/** Measures good requests beside hostile peers, and what the peers leave behind. */
export const faults: Part = {
  name: "faults",
  title: "good requests (one every 50 ms) beside a soak with 10 % faults, a page, a download and floods in turn",
  measure: async (field) => {
    const ends: (() => Promise<unknown>)[] = [];
    const program = async <Ready>(name: string, ...words: readonly string[]): Promise<Child<Ready>> => {
      const child = await Child.start<Ready>([
        fileURLToPath(new URL(`../programs/${name}.ts`, import.meta.url)),
        ...words,
      ]);
      ends.unshift(() => child.stop());
      return child;
    };
    try {
      return await measured(field, program, (end) => ends.unshift(end));
    } finally {
      for (const end of ends) await end();
    }
  },
};

async function measured(
  field: Field,
  program: <Ready>(name: string, ...words: readonly string[]) => Promise<Child<Ready>>,
  atEnd: (end: () => Promise<unknown>) => void,
): Promise<Table> {
  const { authority, folder, origin } = field.environment;
  const hostile = await program<{ readonly port: number }>("fault-origin");
  const pages = await program<{ readonly port: number }>("stream-origin", authority.leaf, authority.key);
  const good = await program<{ readonly secure: number }>("origin", authority.leaf, authority.key);
  const weir = await startWeir({ ...field.environment, origin: { ...origin, secure: good.ready.secure } }, "faults", {
    around: silentNames(folder),
    further: PAGE_HOSTS.flatMap((host) => ["--host-override", `${host}=127.0.0.1:${pages.ready.port}`]),
  });
  atEnd(() => weir.stop());
  const pid = weir.pids[0] ?? 0;
  const certificates = certificatesOf([weir], authority);
  const probe = await program("probe");
  await probe.ask({ host: SECURE_HOST, port: good.ready.secure, proxy: weir.secure.port, pid, certificates });
  const [flooder, soaker] = [await program<{ readonly names: readonly string[] }>("floods"), await program("floods")];
  // Real peers are other computers, so these take no processor from Weir.
  for (const { pid: peer } of [hostile, flooder, soaker]) setPriority(peer, PEER_PRIORITY);
  for (const child of [flooder, soaker]) {
    const [proxy, http2] = [weir.plain.port, { host: PAGE_HOSTS[0] ?? "", port: pages.ready.port }];
    const stage = { proxy, hostile: hostile.ready.port, http2, good: origin.plain, certificates };
    await child.ask<null>({ do: "stage", stage } satisfies FloodJob);
  }
  const browser =
    needsChromium() === null ? await browserThat([rootOf(field), weir.ca], optionFor(weir.secure, [])) : null;
  if (browser !== null) atEnd(() => browser.close());
  const earlier = await sessionWith(weir, probe);
  await probe.ask({ send: EARLIER });
  const start = { ...(await costAfter([pid])), descriptors: descriptorsOf(pid) };
  await probe.ask<Probed>({ take: true });

  await soaker.ask<null>({ do: "soak" } satisfies FloodJob);
  const loading = new AbortController();
  atEnd(async () => loading.abort());
  const loaded = pagesLoaded(browser, addressOf(PAGE_HOSTS, pages.ready.port), loading.signal);
  const only = process.env["WEIR_FLOODS"] ?? "";
  const names = flooder.ready.names.filter((name) => name.includes(only));
  const probed = new Map<string, Probed>();
  let peak = start.rss;
  const rounds = Math.max(1, Math.round((field.minutes * 60) / (names.length * LONGEST_FLOOD)));
  const seconds = (field.minutes * 60) / (names.length * rounds);
  const began: { readonly name: string; readonly at: number }[] = [];
  for (let turn = 0; turn < rounds * names.length; turn += 1) {
    const name = names[turn % names.length] ?? "";
    began.push({ name, at: Date.now() });
    await flooder.ask<null>({ do: "flood", name, seconds } satisfies FloodJob);
    const next = await probe.ask<Probed>({ take: true });
    probed.set(name, joined(probed.get(name), next));
    const rss = rssOf(pid);
    peak = Math.max(peak, rss);
    process.stderr.write(`${name}: ${wordsFor(next)}, ${(rss / MEBIBYTE).toFixed(0)} MiB\n`);
  }
  loading.abort();
  const [failedPages, soaked] = [await loaded, await soaker.ask<Soaked>({ do: "end" } satisfies FloodJob)];
  // Summed, because the last rows before New session may belong to either.
  const [before, since] = [earlier, "current"].map((session) => recordedIn(join(folder, "faults"), session));
  const lost = 2 * EARLIER - (before ?? 0) - (since ?? 0);
  await weir.page.command({ type: "clear" });
  await pause(60_000);
  const end = { ...(await costAfter([pid])), descriptors: descriptorsOf(pid) };

  const all = [...probed.values()].reduce(joined);
  const failed = [...all.failed, ...soaked.failed, ...failedPages];
  for (const { at, what } of failed) {
    const flood = began.findLast((one) => one.at <= at)?.name ?? "before the floods";
    process.stderr.write(`failed during "${flood}" at ${new Date(at).toISOString()}: ${what}\n`);
  }
  const more = end.rss - start.rss;
  const mebibytes = (bytes: number): string => `${(bytes / MEBIBYTE).toFixed(0)} MiB`;
  return {
    rows: [...probed].map(([subject, one]) => rowOf(subject, one)),
    verdicts: [
      atMost(
        "good requests failed: 0",
        0,
        failed.length,
        `${failed.length} of ${all.through.length} and ${soaked.sent} of the soak`,
      ),
      atMost(
        "the longest wait ≤ 300 ms",
        LONGEST_WAIT,
        longest(all.through),
        `${longest(all.through).toFixed(0)} ms (in which Weir's data thread ran for ${longest(all.work).toFixed(0)} ms; the server itself, asked directly: ${longest(all.direct).toFixed(0)} ms)`,
      ),
      atMost(
        "memory a minute after Clear ≤ 30 MiB more",
        MORE_MEMORY,
        more,
        `${mebibytes(start.rss)}, at most ${mebibytes(peak)}, then ${mebibytes(end.rss)}`,
      ),
      atMost(
        `descriptors ≤ ${MORE_DESCRIPTORS} more`,
        MORE_DESCRIPTORS,
        end.descriptors - start.descriptors,
        `${start.descriptors}, then ${end.descriptors}`,
      ),
      atMost(
        "rows recorded before that are lost: 0",
        0,
        lost,
        `${lost} of ${2 * EARLIER}: ${before} are left in an earlier session, ${since} in the current one`,
      ),
    ],
  };
}

/** Words that start a program for which the system's name server is silent; none where that is not permitted. */
function silentNames(folder: string): readonly string[] {
  const file = join(folder, "resolv.conf");
  // RFC 5737: an address that nobody has.
  writeFileSync(file, "nameserver 192.0.2.1\n");
  const script = `mount --bind '${file}' /etc/resolv.conf && exec "$@"`;
  const words = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh"];
  if (spawnSync(words[0] ?? "", [...words.slice(1), "true"]).status === 0) return words;
  process.stderr.write("unshare may not mount files here, so the system's own name server answers\n");
  return [];
}

/** Records requests and ends their session. Returns the session's id. */
async function sessionWith({ page }: RunningWeir, probe: Child<unknown>): Promise<string> {
  await probe.ask({ send: EARLIER });
  await page.command({ type: "new-session" });
  const { sessions } = await page.value("sessions");
  return sessions.find(({ state }) => state === "completed")?.id ?? "";
}

/** How many of the rows recorded before the floods `npm run export` still finds. */
function recordedIn(folder: string, session: string): number {
  const script = fileURLToPath(new URL("../../scripts/weir.mjs", import.meta.url));
  const words = ["export", "--data-dir", folder, "--session", session, "--format", "json", "--filter", "/before/"];
  const { stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", script, ...words], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (stdout === "") throw new Error(stderr);
  return (JSON.parse(stdout) as readonly unknown[]).length;
}

/** Loads the page every two seconds until `over`; returns the loads that failed. */
async function pagesLoaded(browser: Browser | null, address: string, over: AbortSignal): Promise<readonly Failed[]> {
  const failed: Failed[] = [];
  while (browser !== null && !over.aborted) {
    try {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(address, { waitUntil: "load" });
      const drawn = await page.evaluate(() => [...document.images].filter((image) => image.naturalWidth === 1).length);
      if (drawn !== RESOURCES)
        failed.push({ at: Date.now(), what: `page: ${drawn} of ${RESOURCES} pictures were drawn` });
      await context.close();
    } catch (error) {
      failed.push({ at: Date.now(), what: `page: ${(error as Error).message.split("\n", 1)[0]}` });
    }
    await pause(2_000);
  }
  return failed;
}

/** The longest wait with what Weir's data thread did in it, then the longest of each. */
function wordsFor({ through, work, queued, direct }: Probed): string {
  const at = through.indexOf(longest(through));
  const ms = (value = 0): string => value.toFixed(0);
  const inIt = `in it ran ${ms(work[at])}, queued ${ms(queued[at])}`;
  const most = `longest: ran ${ms(longest(work))}, queued ${ms(longest(queued))}, direct ${ms(longest(direct))}`;
  return `${ms(through[at])} ms (${inIt}; ${most})`;
}

function rowOf(subject: string, { through, work, queued, direct, failed }: Probed): Row {
  const p99 = (values: readonly number[]): number => quantile(Float64Array.from(values), 0.99);
  return {
    subject,
    figures: {
      sent: through.length,
      failed: failed.length,
      "p99 ms": p99(through),
      "longest ms": longest(through),
      "of it Weir's CPU, longest": longest(work),
      "of it queued for a CPU, longest": longest(queued),
      "direct p99": p99(direct),
      "direct longest": longest(direct),
    },
  };
}

function joined(one: Probed | undefined, other: Probed): Probed {
  if (one === undefined) return other;
  return {
    through: [...one.through, ...other.through],
    work: [...one.work, ...other.work],
    queued: [...one.queued, ...other.queued],
    direct: [...one.direct, ...other.direct],
    failed: [...one.failed, ...other.failed],
  };
}

function longest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
