import { once } from "node:events";
import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import type { RankedFindings } from "../../../src/engine/messages/finding-messages.ts";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";

/** The planted causes: the kind, and the endpoint concerned. */
const PLANTED = [
  ["errors", "GET /broken"],
  ["rate-limited", "GET /limited"],
  ["retries", "GET /flaky"],
  ["redirects", "GET /old"],
  ["duplicate-requests", "GET /config"],
  ["n-plus-one", "GET /items/{id}/price"],
  ["uncompressed-responses", "GET /script"],
  ["cors-preflights", "OPTIONS /orders"],
  ["slow-when", "GET /teasers"],
] as const;

describe("findings in real traffic", (test) => {
  test("given planted causes, the window names each with its endpoint, and so does its copied report", () =>
    withTraffic(plant, async (found, page) => {
      const named = ofTraffic(found).map(({ kind, endpoint }) => `${kind} ${endpoint?.method} ${endpoint?.path}`);
      assert.equal(named.toSorted(), PLANTED.map(([kind, endpoint]) => `${kind} ${endpoint}`).toSorted());
      const markdown = String(await page.command({ type: "copy-findings", key: null }));
      assert.is(markdown.match(/^## /gm)?.length, found.total);
      const misses = found.findings.find(({ kind }) => kind === "slow-when");
      assert.equal(misses?.attribute, { name: "response-header:x-cache", value: "MISS" });
      const detail = await page.value({ view: "finding", key: misses?.key ?? "" });
      assert.ok(detail !== null && detail.exchanges.length > 0);
      for (const { target } of detail.exchanges) assert.match(target, /^\/teasers\?/);
      const id = misses?.exchanges[0];
      if (id === undefined) throw new Error("a finding without exchanges");
      const exchange = await page.value({ view: "exchange", exchange: id });
      assert.ok(exchange?.findings.some(({ key }) => key === misses?.key));
    }));

  test("given a healthy service, nothing stands out", () =>
    withTraffic(useWell, (found) => {
      assert.equal(
        ofTraffic(found).map(({ summary }) => summary),
        [],
      );
      assert.is(found.exchanges, PAGES * PARTS.length);
    }));
});

/** Without the findings that a busy machine causes for Weir itself. */
function ofTraffic({ findings }: RankedFindings): RankedFindings["findings"] {
  return findings.filter(({ kind }) => kind !== "proxy-overhead");
}

type Ask = (path: string, method?: string, headers?: OutgoingHttpHeaders) => Promise<IncomingMessage>;

/**
 * Runs `send` through a running Weir, and returns the findings that its window receives once everything was evaluated.
 */
async function withTraffic(
  send: (ask: Ask) => Promise<void>,
  act: (found: RankedFindings, page: PageClient) => unknown,
): Promise<void> {
  const server = createServer(serve());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const weir = await runningWeir(["--host-override", `shop.test=127.0.0.1:${(server.address() as AddressInfo).port}`]);
  const agent = new Agent({ keepAlive: true });
  let sent = 0;
  try {
    await send((path, method = "GET", headers = {}) => {
      sent += 1;
      return ask(weir, agent, path, method, headers);
    });
    const page = await PageClient.open(weir);
    const { found } = await page.value({ view: "findings", filter: "" }, (value) => value.found?.exchanges === sent);
    if (found === null) throw new Error("nothing was looked at");
    await act(found, page);
    page.close();
  } finally {
    agent.destroy();
    await weir.stop();
    server.closeAllConnections();
    server.close();
  }
}

async function ask(
  { proxy }: RunningWeir,
  agent: Agent,
  path: string,
  method: string,
  headers: OutgoingHttpHeaders,
): Promise<IncomingMessage> {
  const sent = request({
    host: proxy.host,
    port: proxy.port,
    agent,
    method,
    path: `http://shop.test${path}`,
    headers: { Host: "shop.test", "User-Agent": "app/1.0", "Accept-Encoding": "gzip", ...headers },
  });
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
  return response;
}

/** Longer than the gap within which two requests form a sequence (docs/specification.md, Dependency chain). */
const APART = 350;

async function plant(send: Ask): Promise<void> {
  for (let item = 0; item < 6; item += 1) {
    await send(`/broken?item=${item}`);
    if (item % 3 === 2) await pause(APART);
  }
  for (let time = 0; time < 8; time += 1) await send("/limited");
  await pause(APART);
  for (let time = 0; time < 4; time += 1) {
    await send("/flaky");
    await send("/flaky");
    await pause(APART);
  }
  for (let time = 0; time < 4; time += 1) {
    await send("/old");
    await send(`/new?time=${time}`);
    await pause(APART);
  }
  for (let time = 0; time < 4; time += 1) await send("/config");
  await pause(APART);
  await send("/items");
  for (let item = 1; item <= 8; item += 1) await send(`/items/${item}/price`);
  await pause(APART);
  for (let version = 0; version < 4; version += 1) await send(`/script?version=${version}`);
  await pause(APART);
  for (let order = 0; order < 4; order += 1) {
    const origin = { Origin: "http://page.test" };
    await send("/orders", "OPTIONS", { ...origin, "Access-Control-Request-Method": "POST" });
    await send("/orders", "POST", origin);
    await pause(APART);
  }
  for (let slot = 0; slot < 40; slot += 1) {
    await send(`/teasers?slot=${slot}`);
    if (slot % 4 === 3) await pause(APART);
  }
}

const PAGES = 8;
const PARTS = ["/v1/users/me", "/v2/cart", "/catalogue/list/latest", "/welcome"];

/** Pages that request everything they need in parallel, each something else. */
async function useWell(send: Ask): Promise<void> {
  for (let page = 0; page < PAGES; page += 1) {
    await Promise.all(PARTS.map((part) => send(`${part}?page=${page}`)));
    await pause(APART);
  }
}

function serve(): (request: IncomingMessage, response: ServerResponse) => void {
  const times = new Map<string, number>();
  return (asked, response) => {
    asked.resume();
    const url = new URL(asked.url ?? "/", "http://shop.test");
    const before = times.get(url.pathname) ?? 0;
    times.set(url.pathname, before + 1);
    const [after, status, headers, body] = answerTo(asked.method ?? "", url, before);
    const packed = headers["Content-Type"] === undefined ? gzipSync(body) : body;
    const coding = headers["Content-Type"] === undefined ? { "Content-Encoding": "gzip" } : {};
    const type = { "Content-Type": "application/json", "Cache-Control": "no-store" };
    setTimeout(() => response.writeHead(status, { ...type, ...coding, ...headers }).end(packed), after);
  };
}

/** Milliseconds until the response, its status, headers and body. */
type Answer = readonly [after: number, status: number, headers: Record<string, string>, body: string];

function answerTo(method: string, { pathname, search }: URL, before: number): Answer {
  const fresh = JSON.stringify({ pathname, search, before });
  switch (pathname) {
    case "/broken":
      return [20, 500, {}, "{}"];
    case "/limited":
      return before % 2 === 0 ? [20, 429, { "Retry-After": "0" }, "{}"] : [20, 200, {}, fresh];
    case "/flaky":
      return before % 2 === 0 ? [60, 503, {}, "{}"] : [60, 200, {}, fresh];
    case "/old":
      return [100, 301, { Location: "/new" }, ""];
    case "/config":
      return [120, 200, {}, '{"currency":"EUR"}'];
    case "/script":
      return [
        20,
        200,
        { "Content-Type": "text/javascript" },
        `// ${search}\n${"export const one = 1;\n".repeat(8_000)}`,
      ];
    case "/orders":
      return method === "OPTIONS" ? [100, 204, { "Access-Control-Allow-Origin": "*" }, ""] : [40, 201, {}, fresh];
    case "/teasers":
      return before % 4 === 0 ? [250, 200, { "X-Cache": "MISS" }, fresh] : [10, 200, { "X-Cache": "HIT" }, fresh];
    default:
      return [50, 200, {}, fresh];
  }
}
