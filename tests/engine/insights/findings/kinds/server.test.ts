import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { serverTimingOf } from "../../../../../src/engine/insights/findings/server-timing.ts";
import { trafficOf } from "../../../../../src/engine/insights/findings/traffic.ts";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import { type Asked, Scene, times } from "../../../../support/scene.ts";
import { lognormal, seeded } from "../../../../support/seeded.ts";

const asked = (sketch: (index: number, random: () => number) => Partial<Asked>, count = 30) => {
  const random = seeded(9);
  const scene = new Scene();
  for (const index of times(count))
    scene.ask({ at: index * 7_000, target: `/search?q=${index}`, ...sketch(index, random) });
  return scene;
};

describe("slow-server", (test) => {
  test("given a slow server without a narrower cause, its time is the upper bound, and Server-Timing is quoted", () => {
    const finding = asked((_, random) => {
      const server = lognormal(random, 400, 0.3);
      return {
        server,
        response: {
          "server-timing": `cache;desc="a, b", db;dur=${(server * 0.8).toFixed(1)}, total;dur=${server.toFixed(1)}`,
        },
      };
    }).only();
    assert.is(finding.kind, "slow-server");
    assert.is(finding.count, 30);
    assert.match(finding.advice, /"db"/);
    assert.match(finding.basis, /^Up to/);
  });

  test("given two clear groups of times, names both, and not the median between them", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 6, max: 9 }),
        fc.integer({ min: 300, max: 900 }),
        fc.double({ min: 1.6, max: 4, noNaN: true }),
        (seed, count, usual, factor) => {
          const random = seeded(seed);
          const server = (at: number) => at * (1 + random() * 0.02);
          const of = (serverOf: (index: number) => number) =>
            asked((index) => ({ server: serverOf(index) }), 2 * count).only();
          const { summary, evidence } = of((index) => server(index % 2 === 0 ? usual : usual * factor));
          const said = /took about ([\d,]+) ms or about ([\d,]+) ms to begin/.exec(summary);
          const [low, high] = [said?.[1], said?.[2]].map((text) => Number(text?.replace(",", "")));
          assert.ok(
            Math.abs((low ?? 0) / usual - 1) < 0.03 && Math.abs((high ?? 0) / usual / factor - 1) < 0.03,
            summary,
          );
          assert.ok(evidence.some(({ value }) => value.includes(`(${count} requests)`)));
          // Spread evenly: one drawn group in 600 looks like two.
          assert.match(of((index) => usual * (1 + index * (factor - 1) * 0.02)).summary, /took a median of/);
        },
      ),
      { numRuns: rounds(30) },
    );
  });

  test("given few bodies of different sizes, the finding says whether the time grows with them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 10, max: 18 }), (seed, count) => {
        const random = seeded(seed);
        const sizes = times(count).map(() => 50_000 + random() * 400_000);
        const of = (serverOf: (size: number) => number) =>
          asked((index) => {
            const size = Math.round(sizes[index] ?? 0);
            return { method: "POST", target: "/photos", sentBytes: size, server: serverOf(size) };
          }, count).only();
        const grows = of((size) => (220 + size / 900) * (1 + random() * 0.05));
        assert.is(grows.kind, "slow-server");
        assert.match(grows.advice, /grows with the size/);
        assert.is(grows.evidence.filter(({ name }) => /half/.test(name)).length, 2);
        const falls = of((size) => 300 + (450_000 - size) / 5_000);
        assert.not.match(falls.advice, /grows with the size/);
        assert.match(falls.basis, /nothing that distinguishes/);
      }),
      { numRuns: rounds(30) },
    );
  });

  /** A client that asks several endpoints, and a few long jobs that take about this share of its waiting. */
  const withJobs = (seed: number, share: number) => {
    const random = seeded(seed);
    const scene = new Scene();
    const name = ["import", "report", "export"][seed % 3];
    const jobs = times(1 + Math.floor(random() * 6)).map(() => 1_200 + random() * 3_000);
    const total = jobs.reduce((sum, length) => sum + length, 0);
    const others: number[] = [];
    for (let waited = 0; waited < total / share - total; waited += others.at(-1) ?? 0)
      others.push(lognormal(random, 90, 0.35));
    const every = Math.max(1, Math.floor(others.length / jobs.length));
    let at = 0;
    for (const [index, server] of others.entries()) {
      const job = index % every === 0 ? jobs[index / every] : undefined;
      if (job !== undefined) {
        scene.ask({ at, method: "POST", target: `/${name}`, sent: `rows ${index}`, server: job });
        at += job + 2_100;
      }
      scene.ask({ at, target: `/${"abcdef"[index % 6]}?n=${index}`, server });
      at += server + 2_100 * (0.5 + random());
    }
    return { report: scene.report(), name };
  };

  test("given long jobs below a tenth of a client's waiting, they are told in where the time went alone", () => {
    for (const seed of times(rounds(20))) {
      const { report, name } = withJobs(seed, 0.04 + (0.05 * seed) / 20);
      assert.equal(report.findings, []);
      assert.ok(report.where.slowest.some(({ endpoint }) => endpoint.path === `/${name}`));
    }
  });

  test("given long jobs that are much of the waiting, they stay", () => {
    for (const seed of times(rounds(20))) {
      const { report, name } = withJobs(seed, 0.3 + (0.4 * seed) / 20);
      const [finding, ...more] = report.findings;
      assert.equal([finding?.kind, finding?.endpoint?.path, more], ["slow-server", `/${name}`, []]);
    }
  });

  test("given quick servers, slow transfers, or a small share of the waiting, nothing is said", () => {
    assert.equal(asked((_, random) => ({ server: lognormal(random, 120, 0.3) })).kinds(), []);
    const beside = asked(() => ({ server: 250 }), 6);
    for (const index of times(400))
      beside.ask({ at: index * 500, target: `/b?n=${index}`, client: "10.0.0.9 app", server: 90 });
    assert.equal(beside.kinds(), []);
  });

  test("given a server and a transfer that take half of the time each, it is a slow endpoint all the same", () => {
    const kinds = asked((_, random) => {
      const half = lognormal(random, 300, 0.2);
      return { server: half, transfer: half * 0.98, bytes: 1_000 };
    }).kinds();
    assert.equal(kinds, ["slow-server"]);
  });

  test("given one slow request among others that come once each, it is named, and nothing is called a median", () => {
    const random = seeded(71);
    for (const _ of times(rounds(20))) {
      const scene = new Scene();
      const slow = Math.floor(random() * 30);
      for (const index of times(30)) {
        const server = index === slow ? 1_500 + random() * 8_000 : lognormal(random, 60, 0.4);
        scene.ask({ at: index * 12_000, target: `/part${index}/view`, server });
      }
      const finding = scene.only();
      assert.equal([finding.kind, finding.count, finding.endpoint?.path], ["slow-server", 1, `/part${slow}/view`]);
      assert.equal([...finding.exchanges], [slow + 1]);
      assert.match(finding.summary, / in 1 request\.$/);
      assert.not.match(JSON.stringify(finding), /median/);
    }
  });

  test("given slow requests to rare endpoints at the same time, they are one finding, and later ones another", () => {
    const scene = new Scene();
    for (const [index, server] of [900, 1_400, 1_100].entries())
      scene.ask({ at: index * 10, target: `/panel${index}`, server });
    scene.ask({ at: 9_000, target: "/later", server: 800 });
    const { findings } = scene.report();
    assert.equal(
      findings.map(({ kind, count, endpoint }) => [kind, count, endpoint?.path]),
      [
        ["slow-server", 3, "/panel1"],
        ["slow-server", 1, "/later"],
      ],
    );
    assert.match(findings[0]?.summary ?? "", /900 ms to 1,400 ms .* GET \/panel1 and 2 other endpoints/);
  });

  test("given one request below 500 ms, a small share, or a common endpoint with one slow page, nothing is said", () => {
    const once = (server: number, others: number) => {
      const scene = new Scene();
      scene.ask({ at: 0, target: "/one", server });
      for (const index of times(others)) scene.ask({ at: 5_000 + index * 900, target: `/other${index}`, server: 80 });
      return scene.kinds();
    };
    assert.equal(once(490, 10), []);
    assert.equal(once(700, 200), []);
    assert.equal(once(700, 20), ["slow-server"]);
    assert.equal(asked((index) => ({ server: index === 7 ? 2_000 : 60 })).kinds(), []);
  });

  test("given a first document of more than 600 ms, it is named with less than a tenth of the waiting", () => {
    const load = (document: number, pages: readonly number[]) => {
      const scene = new Scene();
      for (const [index, server] of [document, ...pages].entries())
        scene.ask({ at: index * 60_000, target: `/page${index}`, type: "text/html", server });
      for (const index of times(120)) scene.ask({ at: 2_000 + index * 450, target: `/file${index}`, server: 80 });
      return scene.kinds();
    };
    assert.equal(load(640, []), ["slow-server"]);
    assert.equal(load(560, []), []);
    assert.equal(load(640, [90, 120, 100]), []);
  });

  test("given a slow operation whose requests are duplicates, it is named beside them", () => {
    const scene = new Scene();
    for (const index of times(4))
      for (const [again, operation] of ["Cart", "Report", "Report"].entries())
        scene.ask({
          at: index * 20_000 + again * 3_000,
          method: "POST",
          target: "/graphql",
          operation,
          sent: `${operation} ${index}`,
          body: `${operation} ${index}`,
          server: operation === "Report" ? 1_200 : 40,
        });
    const slow = scene.report().findings.filter(({ kind }) => kind === "slow-when" || kind === "slow-server");
    assert.is(slow[0]?.endpoint?.operation, "Report");
  });

  test("given long polls, they are no slow server and no waiting", () => {
    const scene = new Scene();
    let at = 0;
    for (const index of times(20)) {
      scene.ask({ at, target: `/wait?after=${index}`, server: 9_000 + index * 200 });
      at += 9_000 + index * 200 + 20;
    }
    const { findings, waiting } = scene.report();
    assert.equal([findings, waiting], [[], 0]);
  });
});

describe("slow-server and long polls", (test) => {
  test("given slow answers that are asked for after a pause, it is a slow server", () => {
    const scene = new Scene();
    for (const index of times(20))
      scene.ask({ at: index * 9_000, target: `/report?n=${index}`, server: 3_000 + index * 20 });
    assert.equal(scene.kinds(), ["slow-server"]);
  });

  test("given a slow server that is asked again at once, as in a loop, its waiting counts", () => {
    const scene = new Scene();
    let at = 0;
    for (const index of times(40)) {
      scene.ask({ at, target: `/orders?id=${index}`, server: 1_500, transfer: 0 });
      at += 1_505;
    }
    assert.is(scene.report().waiting, 40 * 1_500);
    assert.is.not(scene.kinds().length, 0);
  });

  test("given a steady poll that was answered late twice and then asked again at once, its waiting counts", () => {
    const scene = new Scene();
    let next = 0;
    for (const index of times(40)) {
      const server = index === 5 || index === 20 ? 6_200 : 40;
      scene.ask({ at: next, target: "/news", server, transfer: 0 });
      next = Math.max(next + 1_000, next + server + 5);
    }
    assert.is(scene.report().waiting, 38 * 40 + 2 * 6_200);
  });
});

describe("Server-Timing header", (test) => {
  test("given entries with quoted commas, durations and descriptions in any form, all are read", () => {
    const scene = new Scene();
    scene.ask({ at: 0, response: { "server-timing": 'miss, db;dur=53.2;desc="a, b", app ; desc=x ; dur="7", =bad' } });
    const [request] = trafficOf(scene.facts, []).requests;
    assert.equal(request === undefined ? null : serverTimingOf(request), [
      { name: "miss", duration: null, description: null },
      { name: "db", duration: 53.2, description: "a, b" },
      { name: "app", duration: 7, description: "x" },
    ]);
  });
});

describe("proxy-overhead", (test) => {
  test("given Weir's own time of at least 5 ms and a tenth of the latency, it is a finding", () => {
    const finding = asked(() => ({ weir: 12 })).only();
    assert.is(finding.kind, "proxy-overhead");
    assert.is(finding.time, 30 * 12);
  });

  test("given less, or none that is known, nothing is said", () => {
    assert.equal(asked(() => ({ weir: 4.9 })).kinds(), []);
    assert.equal(asked(() => ({ weir: 9, server: 120 })).kinds(), []);
    assert.equal(asked(() => ({})).kinds(), []);
  });
});
