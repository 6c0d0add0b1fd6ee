import { type Answer, liveCase, now, pause } from "../contract.ts";
import { bodyOf, segmentsOf, sendJson } from "../http.ts";
import { clientOf } from "../ordinary.ts";

/**
 * Records lie on shards; before each call a client asks the directory where its account is, and is told the same each
 * time. The true cost are all but the first answers of the directory; without the cause, the client keeps what it was
 * told.
 */
export const live = liveCase({
  story: "A client asks the directory for an account's shard before each call, although it was told before.",
  draw: (draw) => {
    const [locate = "", records = "", ...shards] = draw.words(7);
    return {
      locate,
      records,
      shards,
      lookup: draw.int(45, 110),
      usual: draw.int(40, 70),
      workers: draw.int(2, 3),
      calls: draw.int(18, 22),
    };
  },
  causes: ({ locate }) => [{ name: "lookup", accepts: [{ kind: "repeated-prerequisite" }], at: [`GET /${locate}/*`] }],
  // The directory says the same each time.
  admits: ({ locate }) => [
    { accepts: [{ kind: "duplicate-requests" }, { kind: "unchanged-refetches" }], at: [`GET /${locate}/*`] },
  ],
  service: async ({ shards, lookup, usual }, run) => {
    const told = new Set<string>();
    await run.serve("directory", async (request, response) => {
      const since = now();
      const [, account = ""] = segmentsOf(request);
      await run.work(lookup, 0.25);
      const shard = shards[Number.parseInt(account.slice(-2), 16) % shards.length] ?? "";
      sendJson(response, { account, shard: `${shard}-${account.slice(0, 6)}`, replicas: 2 });
      const key = `${account} ${clientOf(request)}`;
      if (told.has(key) && run.isOn("lookup")) run.added("lookup", since, now(), clientOf(request));
      told.add(key);
    });
    await run.serve("store", async (request, response) => {
      const body = await bodyOf(request);
      await run.work(usual, 0.35);
      sendJson(response, { path: request.url, stored: body.length, revision: run.random.text(10) });
    });
  },
  client: async ({ locate, records, workers, calls }, run) => {
    const work = async (name: string, address: string): Promise<void> => {
      const worker = run.actor(name, { userAgent: `ledger-sync/1.9 (${name})`, address });
      const accounts = [0, 1].map(() => Buffer.from(run.random.text(6)).toString("hex"));
      const steps = Array.from({ length: calls }, () => ({
        account: run.random.pick(accounts),
        record: run.random.int(10_000, 99_999),
        value: run.random.text(200),
        gap: run.random.real(120, 420),
      }));
      const known = new Map<string, Answer>();
      for (const { account, record, value, gap } of steps) {
        await pause(gap);
        const kept = run.isOn("lookup") ? undefined : known.get(account);
        const place = kept ?? (await worker.ask("GET", "directory", `/${locate}/${account}`));
        known.set(account, place);
        await worker.ask("PUT", "store", `/${place.json().shard}/${records}/${record}`, {
          headers: { "Content-Type": "text/plain" },
          body: value,
          needs: [place],
        });
      }
    };
    await Promise.all(run.random.words(workers).map((name, index) => work(name, `127.0.0.${51 + index}`)));
  },
});
