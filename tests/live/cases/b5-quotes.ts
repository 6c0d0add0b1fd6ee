import { Agent, createServer, request as requestTo } from "node:http";
import type { AddressInfo } from "node:net";
import { liveCase, now, pause } from "../contract.ts";
import { bodyOf, sendJson } from "../http.ts";
import { answersOrdinary, browse, clientOf } from "../ordinary.ts";

/**
 * A cart's quote asks the price service behind it for one line after the other, so that a cart of 30 lines takes 30
 * calls. The true cost are all calls but the first of each quote; without the cause, one call carries all lines.
 */
export const live = liveCase({
  story: "A quote asks the price service behind it once for each line of the cart, one after the other.",
  draw: (draw) => {
    const [cart = "", channel = "", ...others] = draw.words(5);
    return {
      cart,
      channel,
      others,
      price: draw.real(8, 13),
      big: draw.real(0.25, 0.35),
      lines: draw.int(26, 38),
      buyers: draw.int(2, 3),
      quotes: draw.int(32, 38),
    };
  },
  causes: ({ cart }) => [
    { name: "lines", accepts: [{ kind: "slow-when", attribute: "request-size" }], at: [`POST /${cart}/quote`] },
  ],
  service: async ({ others, price }, run) => {
    const prices = createServer(async (request, response) => {
      const skus = JSON.parse((await bodyOf(request)).toString()) as string[];
      await run.work(price, 0.2);
      sendJson(
        response,
        skus.map((sku) => sku.length * 199),
      );
    });
    prices.keepAliveTimeout = 120_000;
    await new Promise<void>((resolve) => prices.listen(0, "127.0.0.1", resolve));
    const agent = new Agent({ keepAlive: true });
    const { port } = prices.address() as AddressInfo;
    const pricesOf = (skus: readonly string[]): Promise<number[]> =>
      new Promise((resolve, reject) => {
        const asking = requestTo({ port, method: "POST", path: "/prices", agent }, async (answer) => {
          const chunks: Buffer[] = [];
          for await (const chunk of answer) chunks.push(chunk as Buffer);
          resolve(JSON.parse(Buffer.concat(chunks).toString()));
        });
        asking.once("error", reject).end(JSON.stringify(skus));
      });
    await run.serve("api", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const body = (await bodyOf(request)).toString();
      const [first, ...further] = (JSON.parse(body).lines as { sku: string }[]).map(({ sku }) => sku);
      const all = run.isOn("lines") ? await pricesOf([first ?? ""]) : await pricesOf([first ?? "", ...further]);
      const since = now();
      if (run.isOn("lines")) for (const sku of further) all.push(...(await pricesOf([sku])));
      if (run.isOn("lines") && further.length > 0) run.added("lines", since, now(), clientOf(request));
      sendJson(response, { total: String(all.reduce((sum, one) => sum + one, 0)).padStart(9, "0"), currency: "EUR" });
    });
  },
  client: async ({ cart, channel, others, big, lines, buyers, quotes }, run) => {
    const buy = async (name: string, address: string): Promise<void> => {
      const buyer = run.actor(name, { userAgent: `cart-widget/6 (${name})`, address });
      const steps = Array.from({ length: quotes }, () => ({
        count: run.random.chance(big) ? run.random.int(Math.round(lines / 2), lines) : run.random.int(1, 4),
        from: run.random.pick(["web", "shop", "phone"]),
        gap: run.random.real(90, 300),
      }));
      for (const { count, from, gap } of steps) {
        await pause(gap);
        const wanted = Array.from({ length: count }, () => ({
          sku: run.random.text(12),
          amount: run.random.int(1, 9),
        }));
        await buyer.ask("POST", "api", `/${cart}/quote`, {
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ [channel]: from, currency: "EUR", lines: wanted }),
        });
      }
    };
    const buying = run.random.words(buyers).map((name, index) => buy(name, `127.0.0.${101 + index}`));
    await Promise.all([...buying, browse(run, "api", others, 26)]);
  },
});
