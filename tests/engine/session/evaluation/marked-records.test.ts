import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { NO_PATHS } from "../../../../src/engine/insights/links/critical-paths.ts";
import { unitsOf } from "../../../../src/engine/insights/what-if/timed-units.ts";
import { loadsOf } from "../../../../src/engine/insights/where/page-loads.ts";
import type { ChangeMark, ChangeMarked } from "../../../../src/engine/model/experiment.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { markedRecordsOf } from "../../../../src/engine/session/evaluation/marked-records.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";
import { Scene } from "../../../support/scene.ts";

const TURNS = 6;
const EACH = 5;
/** Between the starts of two walks, ms. */
const APART = 10_000;

interface Drawn {
  /** How much longer the second request takes in B, ms. */
  readonly longer: number;
  /** Ten values from 0 to 1. */
  readonly noise: readonly number[];
  /** Whether the second request of this walk fails at once. */
  readonly fails?: (walk: number, mark: ChangeMark) => boolean;
  /** The paths of further requests that always fail. */
  readonly broken?: readonly string[];
}

/** Walks of a client: a list, then its prices, in turns with A and with B. */
function inTurns({ longer, noise, fails = () => false, broken = [] }: Drawn) {
  const scene = new Scene();
  const marks: ChangeMarked[] = [];
  for (let walk = 0; walk < TURNS * EACH; walk += 1) {
    const mark = Math.floor(walk / EACH) % 2 === 0 ? "A" : "B";
    const at = (walk + 1) * APART;
    if (walk % EACH === 0) marks.push({ at: (at - 1) as Instant, mark });
    const list = scene.ask({ at, target: "/list", server: 100, transfer: 0 });
    const isFailed = fails(walk, mark);
    const server = isFailed ? 1 : 200 + (mark === "B" ? longer : 0) + 20 * (noise[walk % noise.length] ?? 0);
    const status = isFailed ? 503 : 200;
    scene.prove(list, scene.ask({ at: at + 110, target: "/prices", server, transfer: 0, status }));
    for (const target of broken)
      scene.prove(list, scene.ask({ at: at + 110, target, server: 5, transfer: 0, status: 404 }));
  }
  return { scene, marks };
}

const recordsOf = ({ scene, marks }: ReturnType<typeof inTurns>, without = 0) => {
  const traffic = scene.traffic();
  const loads = loadsOf(traffic, NO_PATHS, () => null);
  return markedRecordsOf(unitsOf(traffic, loads), marks.slice(without));
};

const noise = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 7, maxLength: 7 });

describe("A/B comparison records", (test) => {
  test("given a service that is slower in B, says so for its walks, and names the endpoint", () =>
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 900 }), noise, (longer, drawn) => {
        const [record, ...more] = recordsOf(inTurns({ longer, noise: drawn }));
        assert.equal(more, []);
        assert.equal([record?.path, record?.unit, record?.verdict, record?.turns], ["/list", "walk", "slower", TURNS]);
        assert.equal(record?.counts, { A: 15, B: 15 });
        assert.equal(record?.texts.length, 1);
        assert.match(record?.texts[0] ?? "", /^B is slower: .* 15 walks of A, 15 of B\.$/);
        assert.equal(
          record?.endpoints.map(({ path, verdict }) => [path, verdict]),
          [["/prices", "slower"]],
        );
        assert.match(record?.endpoints[0]?.text ?? "", /^B is slower: .* 15 requests of A, 15 of B\.$/);
      }),
      { numRuns: rounds(25) },
    ));

  test("given no difference, names no endpoint, and says neither faster nor slower", () =>
    fc.assert(
      fc.property(noise, (drawn) => {
        // The same noise for A as for B.
        const [record] = recordsOf(inTurns({ longer: 0, noise: drawn.slice(0, EACH) }));
        assert.ok(record !== undefined && !["faster", "slower"].includes(record.verdict), JSON.stringify(record));
        assert.equal(record?.endpoints, []);
      }),
      { numRuns: rounds(25) },
    ));

  test("given requests that fail fast in some walks, leaves these out and counts them; a request that always fails stays", () =>
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(29), { minLength: 1, maxLength: 8 }), noise, (failing, drawn) => {
        const story = { longer: 300, noise: drawn, fails: (walk: number) => failing.includes(walk), broken: ["/gone"] };
        const [record] = recordsOf(inTurns(story));
        assert.is((record?.counts.A ?? 0) + (record?.counts.B ?? 0), TURNS * EACH - failing.length);
        assert.is(record?.verdict, "slower");
        const walks = failing.length === 1 ? "1 walk" : `${failing.length} walks`;
        assert.is(record?.texts.at(-1), `${walks} left out: a mark came before the end, or a request failed.`);
      }),
      { numRuns: rounds(25) },
    ));

  test("given a B that only fails, is not faster", () => {
    const [record] = recordsOf(inTurns({ longer: 0, noise: [0.5], fails: (_, mark) => mark === "B" }));
    assert.equal([record?.verdict, record?.counts], ["unknown", { A: 15, B: 0 }]);
    assert.equal(record?.texts.slice(0, 1), ["Only 15 walks of A, none of B yet."]);
  });

  test("given a mark within a walk, leaves the walk out; walks before the first mark count for neither side", () => {
    const story = inTurns({ longer: 300, noise: [0.5] });
    const marks = story.marks.map((one) => ({ ...one, at: (one.at + 51) as Instant }));
    const [record] = recordsOf({ ...story, marks });
    // The walk before the first mark ended after it.
    assert.equal(record?.counts, { A: 12, B: 12 });
    assert.match(record?.texts.at(-1) ?? "", /^6 walks left out/);
    const [later] = recordsOf(story, 1);
    assert.equal(later?.counts, { A: 10, B: 15 });
    assert.is(later?.texts.length, 1);
  });

  test("given no mark, compares nothing", () =>
    assert.equal(recordsOf(inTurns({ longer: 9, noise: [0.5] }), TURNS), []));
});
