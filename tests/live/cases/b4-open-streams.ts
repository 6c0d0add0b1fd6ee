import type { ServerResponse } from "node:http";
import { needsChromium, withBrowser } from "../../support/browser.ts";
import { liveCase } from "../contract.ts";
import { sendJson, targetOf } from "../http.ts";

/*
 * Each of five widgets keeps an EventSource open, which takes five of the six connections that a browser opens to a
 * host, so that the page's calls share the last one. The truth is the pair: without the cause, the streams have a
 * host of their own.
 */

export const live = liveCase({
  story: "Five open event streams leave the browser one connection to the host, on which all calls have to queue.",
  skip: needsChromium,
  // Over HTTP/2 there would be no limit.
  scheme: "http",
  draw: (draw) => {
    const [a, b, c, d, e, f] = draw.words(6);
    return {
      calls: [`/${a}/summary`, `/${b}/latest`, `/${c}/by-hour/today`, `/${d}`, `/${e}/open/count`, `/${f}/map/tiles/2`],
      streams: [`/${a}/summary/live`, `/${b}/events`, `/${c}/by-hour/feed/all`, `/${d}/ticker`, `/${e}/open/count/now`],
      usual: draw.real(55, 85),
      pauses: Array.from({ length: draw.int(9, 11) }, () => draw.real(520, 950)),
    };
  },
  causes: () => [{ name: "streams", accepts: [{ kind: "connection-queueing" }], at: ["desk", "push"], unlogged: true }],
  // The calls do go one after another, although not because the page wants it.
  admits: () => [{ accepts: [{ kind: "sequential-requests" }], at: ["desk"] }],
  service: async ({ calls, streams, usual, pauses }, run) => {
    const host = run.isOn("streams") ? "desk" : "push";
    const facts = JSON.stringify({ calls, streams, pauses, push: `http://${host}.${run.domain}` });
    const page = `<!doctype html><title>Desk</title><h1>Desk</h1><output></output>
<script type="application/json" id="facts">${facts}</script><script type="module">${SCRIPT}</script>`;
    for (const name of ["desk", "push"])
      await run.serve(name, async (request, response) => {
        const { pathname } = targetOf(request);
        if (pathname === "/") return response.writeHead(200, { "Content-Type": "text/html" }).end(page);
        if (streams.includes(pathname)) return stream(response, () => run.random.lognormal(460, 0.2));
        if (!calls.includes(pathname)) return response.writeHead(204).end();
        await run.work(usual, 0.22);
        return sendJson(response, { of: pathname, value: run.random.text(90) }, { "Cache-Control": "no-store" });
      });
  },
  client: async ({ pauses }, run) => {
    const proxy = { server: run.proxy ?? "" };
    await withBrowser(async (browser) => {
      const page = await (await browser.newContext({ proxy })).newPage();
      await page.goto(`http://desk.${run.domain}/`);
      await page.waitForFunction((rounds) => document.title === `Desk ${rounds}`, pauses.length, { timeout: 60_000 });
    });
  },
});

/** Opens the streams, and asks for everything anew whenever the user has chosen another day. */
const SCRIPT = `
const { calls, streams, pauses, push } = JSON.parse(document.querySelector("#facts").textContent);
for (const path of streams)
  new EventSource(push + path).onmessage = ({ data }) => document.querySelector("output").append(data);
let round = 0;
for (const pause of pauses) {
  await new Promise((resolve) => setTimeout(resolve, pause));
  round += 1;
  await Promise.all(calls.map((path) => fetch(path + "?day=" + round).then((answer) => answer.json())));
  document.title = "Desk " + round;
}`;

function stream(response: ServerResponse, gap: () => number): void {
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "Access-Control-Allow-Origin": "*",
  });
  const send = (): void => {
    if (response.destroyed) return;
    response.write(`data: ${Date.now() % 10_000}\n\n`);
    setTimeout(send, gap());
  };
  send();
}
