import { type ClientRun, liveCase, pause } from "../contract.ts";
import { bodyOf, segmentsOf, sendJson } from "../http.ts";
import { arrivals } from "../ordinary.ts";

/**
 * Nothing is wrong: metrics are scraped from three hosts at a steady pace and differ each time, a balancer checks their
 * health, a scheduler starts a few jobs at once, and people ask for pages whose latency varies.
 */
export const live = liveCase({
  story: "Healthy: steady scrapes whose answers always differ, health checks, jobs started at once, and people.",
  draw: (draw) => {
    const [pages = "", search = "", jobs = "", ...hosts] = draw.words(6);
    return {
      pages,
      search,
      jobs,
      hosts,
      metrics: draw.int(8, 16),
      page: draw.int(40, 70),
      every: draw.int(900, 1_200),
      people: draw.int(3, 4),
    };
  },
  causes: () => [],
  service: async ({ hosts, jobs, search, metrics, page }, run) => {
    for (const host of hosts) {
      let count = 0;
      await run.serve(host, async (request, response) => {
        count += 1;
        const [name = ""] = segmentsOf(request);
        const body = await bodyOf(request);
        if (name === "healthz") {
          response.writeHead(204).end();
          return;
        }
        if (name === "metrics") {
          await run.work(metrics, 0.3);
          const text = `http_requests_total{host="${host}"} ${count}\nprocess_cpu_seconds_total ${process.cpuUsage().user / 1e6}\n`;
          response
            .writeHead(200, { "Content-Type": "text/plain; version=0.0.4", "Content-Length": text.length })
            .end(text);
          return;
        }
        if (name === jobs) {
          await run.work(page * 1.3, 0.4);
          return sendJson(response, { job: run.random.text(18), accepted: body.length });
        }
        await run.work(name === search ? page * 1.4 : page, 0.6);
        sendJson(response, { of: request.url, text: run.random.text(run.random.int(200, 700)) });
      });
    }
  },
  client: async ({ hosts, pages, search, jobs, every, people }, run) => {
    await Promise.all([
      ...hosts.map((host, index) => scrape(run, host, every, index)),
      check(run, hosts),
      schedule(run, hosts, jobs),
      ...run.random.words(people).map((name, index) => read(run, hosts, [pages, search], name, 161 + index)),
    ]);
  },
});

async function scrape(run: ClientRun, host: string, every: number, index: number): Promise<void> {
  const scraper = run.actor(`scraper ${host}`, { userAgent: "prometheus/2.53", address: `127.0.0.${151 + index}` });
  await pause((every / 3) * index);
  const start = Date.now();
  for (let count = 1; count <= 10; count += 1) {
    await scraper.ask("GET", host, "/metrics", { headers: { Accept: "text/plain;version=0.0.4" } });
    await pause(start + count * every - Date.now());
  }
}

async function check(run: ClientRun, hosts: readonly string[]): Promise<void> {
  const balancer = run.actor("balancer", { userAgent: "balancer-check/1", address: "127.0.0.155" });
  for (let count = 0; count < 5; count += 1) {
    for (const host of hosts) await balancer.ask("GET", host, "/healthz");
    await pause(2_000);
  }
}

/** Starts four different jobs at once, which need nothing of each other. */
async function schedule(run: ClientRun, hosts: readonly string[], jobs: string): Promise<void> {
  const scheduler = run.actor("scheduler", { userAgent: "cron-runner/0.9", address: "127.0.0.156", sockets: 12 });
  for (let count = 0; count < 3; count += 1) {
    await pause(2_600);
    await Promise.all(
      ["rotate", "index", "report", "prune"].map((job) =>
        scheduler.ask("POST", run.random.pick(hosts), `/${jobs}/${job}`, {
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ day: count, key: run.random.text(10) }),
        }),
      ),
    );
  }
}

function read(run: ClientRun, hosts: readonly string[], paths: readonly string[], name: string, last: number) {
  const person = run.actor(name, { userAgent: `browser/129 (${name})`, address: `127.0.0.${last}` });
  const steps = Array.from({ length: 32 }, () => ({
    host: run.random.pick(hosts),
    path: run.random.chance(0.3)
      ? `/${paths[1]}?q=${run.random.text(run.random.int(3, 12))}`
      : `/${paths[0]}/${run.random.int(100, 999)}`,
  }));
  return arrivals(run.random, steps.length, 310, (at) =>
    person.ask("GET", steps[at]?.host ?? "", steps[at]?.path ?? ""),
  );
}
