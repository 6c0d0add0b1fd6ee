import { liveCase, now, pause } from "../contract.ts";
import { bodyOf, sendJson } from "../http.ts";

export const live = liveCase({
  story: "A ledger is rebuilt from all its events for each entry, in batches from the event store, with no snapshot.",
  draw: (draw) => {
    const [ledgers = "", entries = "", prices = "", version = "", amount = ""] = draw.words(5);
    return {
      ledgers,
      entries,
      prices,
      version,
      amount,
      ledger: draw.text(8),
      commands: draw.int(58, 70),
      batch: draw.int(3, 4),
      trip: draw.real(5, 8),
      usual: draw.real(20, 34),
      looks: draw.int(16, 20),
    };
  },
  causes: ({ ledgers, entries }) => [
    {
      name: "replay",
      accepts: [{ kind: "slow-when", attribute: "time-in-session" }],
      at: [`POST /${ledgers}/*/${entries}`],
    },
  ],
  service: async ({ version, batch, trip, usual }, run) => {
    const events: number[] = [];
    await run.serve("books", async (request, response) => {
      const body = await bodyOf(request);
      await run.work(usual, 0.25);
      if (request.method === "GET") return sendJson(response, { price: run.random.int(100, 99_999) });
      const from = now();
      if (run.isOn("replay")) {
        for (let read = 0; read < events.length; read += batch) await run.work(trip, 0.2);
        if (events.length > 0) run.added("replay", from);
      }
      for (let count = run.random.int(1, 2); count > 0; count -= 1) events.push(body.length);
      sendJson(response, { [version]: run.random.text(14) });
    });
  },
  client: async ({ ledgers, ledger, entries, prices, version, amount, commands, looks }, run) => {
    const scanner = run.actor("scanner", { userAgent: "scanner/7", address: "127.0.0.2" });
    const office = run.actor("office", { userAgent: "office/2.4", address: "127.0.0.3" });
    const looking = (async () => {
      for (let count = 0; count < looks; count += 1) {
        await office.ask("GET", "books", `/${prices}/${run.random.int(1_000, 9_999)}`);
        await pause(run.random.real(320, 560));
      }
    })();
    let before = null;
    for (let count = 0; count < commands; count += 1) {
      const body = JSON.stringify({
        [version]: before === null ? "new" : before.json()[version],
        [amount]: run.random.int(1, 400),
      });
      before = await scanner.ask("POST", "books", `/${ledgers}/${ledger}/${entries}`, {
        body,
        headers: { "Content-Type": "application/json" },
        needs: before === null ? [] : [before],
      });
      await pause(run.random.real(4, 16));
    }
    await looking;
  },
});
