import * as assert from "uvu/assert";
import type { Finding } from "../../../../../src/engine/model/finding.ts";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import { Scene, times } from "../../../../support/scene.ts";
import { lognormal, seeded } from "../../../../support/seeded.ts";

const slowWhenIn = (scene: Scene): readonly Finding[] =>
  scene.report().findings.filter(({ kind }) => kind === "slow-when");

const namesOf = (findings: readonly Finding[]) =>
  findings.map(({ attribute }) => `${attribute?.name}: ${attribute?.value}`).sort();

const pick = <One>(random: () => number, list: readonly One[]): One => list[Math.floor(random() * list.length)] as One;

describe("causes of one endpoint", (test) => {
  test("given a service that slows down by and by, the cost is near what the slowing added", () => {
    let near = 0;
    for (let seed = 1; seed <= rounds(20); seed += 1) {
      const random = seeded(seed);
      const scene = new Scene();
      const most = 100 + random() * 500;
      let real = 0;
      for (const index of times(120)) {
        const added = (most * index) / 120;
        real += added;
        scene.ask({ at: index * 2_600, target: `/a?n=${index}`, server: lognormal(random, 40, 0.25) + added });
      }
      const [finding] = slowWhenIn(scene);
      assert.is(finding?.attribute?.name, "time-in-session");
      const ratio = (finding?.time ?? 0) / real;
      if (Math.abs(ratio - 1) <= 0.3) near += 1;
      assert.ok(ratio <= 1.5);
    }
    assert.ok(near >= rounds(16), `${near} of ${rounds(20)}`);
  });

  test("given endpoints that share a pool of few places, all are slow under load, and none because of another", () => {
    let named = 0;
    for (let seed = 1; seed <= rounds(20); seed += 1) {
      const random = seeded(seed);
      const scene = new Scene();
      const work = 50 + random() * 60;
      const free = times(seed % 2 === 0 ? 2 : 3).map(() => 0);
      const [wall, user]: [number[], number[]] = [[], []];
      for (let burst = 300; wall.length < 90; burst += 1_200 + random() * 500)
        wall.push(...times(12).map((index) => burst + index * 0.3 + random()));
      for (let at = 0; at < (wall.at(-1) ?? 0); at += 150 + random() * 450) user.push(at);
      const calls = [...wall.map((at) => ({ at, name: "wall" })), ...user.map((at) => ({ at, name: "user" }))];
      for (const [index, { at, name }] of calls.sort((left, right) => left.at - right.at).entries()) {
        const position = free.indexOf(Math.min(...free));
        const end = Math.max(at, free[position] ?? 0) + lognormal(random, work, 0.15);
        free[position] = end;
        scene.ask({ at, target: `/${name}/${index}`, path: `/${name}/{id}`, client: name, server: end - at });
      }
      const found = scene.report().findings;
      assert.equal(
        namesOf(found).filter((name) => name.startsWith("while:")),
        [],
      );
      if (found.some(({ kind, attribute }) => kind === "one-at-a-time" || attribute?.name === "in-flight")) named += 1;
    }
    assert.ok(named >= rounds(18), `${named} of ${rounds(20)}`);
  });

  test("given a slow tenant and a slow machine, both are found, each with its own cost", () => {
    let near = 0;
    for (let seed = 1; seed <= rounds(10); seed += 1) {
      const random = seeded(seed);
      const scene = new Scene();
      const real = { tenant: 0, machine: 0 };
      const [byTenant, byMachine] = [120 + random() * 400, 120 + random() * 400];
      for (const index of times(200)) {
        const [tenant, machine] = [pick(random, ["acme", "b", "c"]), pick(random, ["n1", "n2", "n3", "n4"])];
        const added = { tenant: tenant === "acme" ? byTenant : 0, machine: machine === "n3" ? byMachine : 0 };
        real.tenant += added.tenant;
        real.machine += added.machine;
        scene.ask({
          at: index * 3_000,
          target: `/a?tenant=${tenant}&n=${index}`,
          response: { "x-served-by": machine },
          server: lognormal(random, 40, 0.3) + added.tenant + added.machine,
        });
      }
      const found = slowWhenIn(scene);
      assert.equal(namesOf(found), ["query:tenant: acme", "response-header:x-served-by: n3"]);
      for (const { attribute, time } of found) {
        const cost = attribute?.name === "query:tenant" ? real.tenant : real.machine;
        if (Math.abs((time ?? 0) / cost - 1) <= 0.3) near += 1;
        assert.ok((time ?? 0) <= 1.5 * cost);
      }
    }
    assert.ok(near >= rounds(16), `${near} of ${rounds(20)}`);
  });

  test("given one cause that shows in several attributes, there is one finding", () => {
    for (let seed = 1; seed <= rounds(20); seed += 1) {
      const random = seeded(seed);
      const scene = new Scene();
      for (const index of times(150)) {
        const tenant = pick(random, ["acme", "b", "c", "d"]);
        const limit = Math.ceil(random() * 500);
        const isSlow = tenant === "acme";
        const size = Math.round((isSlow ? 6_000 : 900) * (1 + random()) + limit * 40);
        scene.ask({
          at: index * 3_000,
          target: `/a?tenant=${tenant}&limit=${limit}`,
          response: { "x-shard": isSlow || random() < 0.04 ? "s9" : "s1" },
          bytes: size,
          server: lognormal(random, isSlow ? 300 : 40, 0.3),
        });
      }
      assert.equal(namesOf(slowWhenIn(scene)), ["query:tenant: acme"]);
    }
  });
});

describe("one cause at several endpoints", (test) => {
  const drawn = (
    seed: number,
    isSlowFor: (tenant: string, origin: string) => boolean,
    origins = ["https://api.test"],
  ) => {
    const random = seeded(seed);
    const scene = new Scene();
    const runs: { client: string; start: number; end: number; added: number }[] = [];
    for (const index of times(300)) {
      const [origin, tenant] = [pick(random, origins), pick(random, ["acme", "b", "c", "d"])];
      const path = pick(random, ["/a", "/b", "/c", "/d"]);
      const added = isSlowFor(tenant, origin) ? 250 : 0;
      const length = lognormal(random, 20 + 30 * path.charCodeAt(1) - 30 * 97, 0.3) + added;
      const at = Math.floor(index / 3) * 2_000 + (index % 3) * 4;
      runs.push({ client: "10.0.0.1 app", start: at, end: at + length, added });
      scene.ask({ at, origin, path, target: `${path}?tenant=${tenant}&n=${index}`, server: length });
    }
    return { scene, runs };
  };

  test("given a tenant that is slow at all endpoints of an origin, it is one finding of that origin, and overlaps cost once", () => {
    for (let seed = 1; seed <= rounds(10); seed += 1) {
      const { scene, runs } = drawn(seed, (tenant) => tenant === "acme");
      const [finding, ...others] = slowWhenIn(scene);
      assert.is(others.length, 0);
      assert.equal(finding?.attribute, { name: "query:tenant", value: "acme" });
      assert.is(finding?.endpoint, null);
      assert.is(finding?.origin, "https://api.test");
      assert.is(finding?.client, null);
      assert.match(finding?.summary ?? "", /slow requests to 4 endpoints of https:\/\/api\.test have `\?tenant=acme`/);
      const longest = (isWith: boolean) =>
        times(100).reduce((sum, burst) => {
          const own = runs.slice(burst * 3, burst * 3 + 3);
          const end = Math.max(...own.map((run) => run.end - (isWith ? 0 : run.added)));
          return sum + end - (own[0]?.start ?? 0);
        }, 0);
      const ratio = (finding?.time ?? 0) / (longest(true) - longest(false));
      assert.ok(ratio > 0.7 && ratio < 1.3, `seed ${seed}: ${ratio}`);
    }
  });

  test("given a pool that several endpoints share, their load is one finding though their thresholds differ", () => {
    for (let seed = 1; seed <= rounds(10); seed += 1) {
      const random = seeded(seed);
      const scene = new Scene();
      for (const burst of times(60))
        for (const index of times(2 + Math.floor(random() * 9))) {
          const path = pick(random, ["/a", "/b", "/c"]);
          const server = lognormal(random, 40 + (index > 5 ? 60 * (index - 5) : 0), 0.25);
          scene.ask({ at: burst * 5_000 + index, path, target: `${path}?n=${burst}.${index}`, server });
        }
      const found = slowWhenIn(scene);
      assert.equal(
        found.map(({ attribute }) => attribute?.name),
        ["in-flight"],
        found.map(({ summary }) => summary).join("; "),
      );
    }
  });

  test("given the same tenant slow at two origins, each origin has its finding", () => {
    const { scene } = drawn(3, (tenant) => tenant === "acme", ["https://one.test", "https://two.test"]);
    assert.equal(
      slowWhenIn(scene)
        .map(({ origin }) => origin)
        .sort(),
      ["https://one.test", "https://two.test"],
    );
  });

  test("given a tenant that is slow nowhere, nothing is said", () => {
    const { scene } = drawn(3, () => false);
    assert.equal(slowWhenIn(scene), []);
  });
});
