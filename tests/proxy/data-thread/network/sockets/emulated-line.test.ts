import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { Lane, LineDirection } from "../../../../../extensions/proxy/data-thread/network/sockets/emulated-line.ts";
import { describe } from "../../../../support/describe.ts";
import { WarpedClock } from "../../../../support/warped-clock.ts";

const anyFigures = fc.record({ delay: fc.integer({ min: 0, max: 500 }), rate: fc.integer({ min: 1, max: 2_000 }) });

describe("emulated slow line", (test) => {
  test("given pieces of several connections, delivers each connection's bytes in order, at the rate, after the delay", () => {
    const anyPieces = fc.array(fc.record({ lane: fc.nat(2), size: fc.integer({ min: 1, max: 40_000 }) }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(anyFigures, anyPieces, (figures, pieces) => {
        const clock = new WarpedClock(false);
        const start = clock.now();
        const direction = new LineDirection(figures, clock);
        const received: Buffer[][] = [[], [], []];
        let total = 0;
        const lanes = received.map(
          (into) =>
            new Lane(direction, (bytes) => {
              into.push(bytes);
              total += bytes.length;
              const passed = clock.now() - start;
              // No byte is early, and what had to be sent before it was sent at the rate.
              assert.ok(passed >= figures.delay + total / figures.rate - 0.5);
              assert.ok(passed <= figures.delay + total / figures.rate + 0.5);
            }),
        );
        const sent: Buffer[][] = [[], [], []];
        for (const [index, { lane, size }] of pieces.entries()) {
          const bytes = Buffer.alloc(size, index);
          sent[lane]?.push(bytes);
          lanes[lane]?.push(bytes);
        }
        while (clock.step());
        assert.equal(
          received.map((each) => Buffer.concat(each)),
          sent.map((each) => Buffer.concat(each)),
        );
        assert.ok(lanes.every(({ held }) => held === 0));
      }),
    );
  });

  test("given two connections that both send, serves them in turn", () => {
    fc.assert(
      fc.property(anyFigures, (figures) => {
        const clock = new WarpedClock(false);
        const direction = new LineDirection(figures, clock);
        const sizes = [0, 0];
        const lanes = sizes.map(
          (_, own) => new Lane(direction, (bytes) => (sizes[own] = (sizes[own] ?? 0) + bytes.length)),
        );
        for (const lane of lanes) lane.push(Buffer.alloc(60_000));
        const atOnce = 2 * Math.max(1_460, figures.rate);
        while ((sizes[0] ?? 0) < 60_000 && clock.step())
          assert.ok(Math.abs((sizes[0] ?? 0) - (sizes[1] ?? 0)) <= atOnce);
      }),
    );
  });

  test("given what is held, has room for no more than a tenth of a second and the bytes under way", () => {
    fc.assert(
      fc.property(anyFigures, (figures) => {
        const clock = new WarpedClock(false);
        const lane = new Lane(new LineDirection(figures, clock), () => {});
        let pushed = 0;
        for (; lane.hasRoom; pushed += 1_000) lane.push(Buffer.alloc(1_000));
        const most = Math.max(16 * 1024, Math.min(128 * 1024, figures.rate * 100)) + figures.rate * figures.delay;
        assert.ok(pushed <= most + 1_000, `${pushed} of ${most}`);
      }),
    );
  });

  test("given the line's end, delivers what is held at once, in order, and everything later without a wait", () => {
    fc.assert(
      fc.property(anyFigures, fc.nat(20), (figures, steps) => {
        const clock = new WarpedClock(false);
        const received: Buffer[] = [];
        const lane = new Lane(new LineDirection(figures, clock), (bytes) => received.push(bytes));
        const sent = Buffer.from(Array.from({ length: 30_000 }, (_, index) => index % 251));
        lane.push(sent);
        for (let step = 0; step < steps; step += 1) clock.step();
        const at = clock.now();
        lane.isOn = false;
        assert.ok(Buffer.concat(received).equals(sent));
        lane.push(Buffer.from("more"));
        assert.is(received.at(-1)?.toString(), "more");
        assert.is(clock.now(), at);
        assert.is(lane.held, 0);
      }),
    );
  });

  test("given a handshake to wait for, sends the first bytes that much later, and counts it as held", () => {
    fc.assert(
      fc.property(anyFigures, fc.integer({ min: 1, max: 900 }), (figures, handshake) => {
        const clock = new WarpedClock(false);
        const start = clock.now();
        let arrived = 0;
        const lane = new Lane(new LineDirection(figures, clock), () => (arrived = clock.now()));
        lane.openAfter(handshake);
        lane.push(Buffer.alloc(10));
        while (clock.step());
        const expected = handshake + 10 / figures.rate + figures.delay;
        assert.ok(Math.abs(arrived - start - expected) < 0.01);
        assert.ok(Math.abs(lane.heldTime - expected) < 0.01);
        assert.ok(Math.abs(lane.heldSince(start) - expected) < 0.01);
      }),
    );
  });
});
