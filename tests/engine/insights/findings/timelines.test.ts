import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { Timelines } from "../../../../src/engine/insights/findings/timelines.ts";
import { awaitedSpanOf } from "../../../../src/engine/insights/findings/traffic.ts";
import { describe } from "../../../support/describe.ts";
import { Scene } from "../../../support/scene.ts";

const requests = fc.array(
  fc.record({ pause: fc.nat(300), length: fc.integer({ min: 1, max: 200 }), shorter: fc.nat(200) }),
  { minLength: 1, maxLength: 20 },
);

/** The traffic of one client, and by request a length that it might have taken instead. */
function trafficOf(drawn: readonly { pause: number; length: number; shorter: number }[]) {
  const scene = new Scene();
  let at = 0;
  for (const { pause, length } of drawn) {
    at += pause;
    scene.ask({ at, target: "/", server: length, transfer: 0 });
  }
  const traffic = scene.traffic();
  const [first] = traffic.requests;
  const lengths = new Map(traffic.requests.map((one, index) => [one, drawn[index]?.shorter ?? 0]));
  return { traffic, lengths, client: first?.client ?? "" };
}

describe("timelines of clients", (test) => {
  test("given no other lengths, the client waits as long as it did", () => {
    fc.assert(
      fc.property(requests, (drawn) => {
        const { traffic, client } = trafficOf(drawn);
        const timeline = traffic.timelines.of(client);
        assert.is(timeline.waiting, traffic.totals.waiting);
        assert.ok(Math.abs(timeline.waitingWith(new Map()) - timeline.waiting) < 1e-6);
      }),
    );
  });

  test("given several questions to one timeline, answers each as a new timeline does", () => {
    fc.assert(
      fc.property(requests, (drawn) => {
        const { traffic, lengths, client } = trafficOf(drawn);
        const { byClient, links, timelines } = traffic;
        for (const [request, length] of lengths) {
          const fresh = new Timelines(byClient, links, awaitedSpanOf).of(client);
          const one = new Map([[request, length]]);
          assert.is(timelines.of(client).waitingWith(one), fresh.waitingWith(one));
        }
      }),
    );
  });
});
