import * as fc from "fast-check";

/** Arbitrary starts that are nearly in order: some are late by up to `late`. */
export const nearly = (late: number, maxLength: number) =>
  fc.array(fc.record({ step: fc.nat(2), late: fc.oneof(fc.constant(0), fc.nat(late)) }), { maxLength }).map((steps) => {
    let now = 0;
    return steps.map(({ step, late: by }) => {
      now += step;
      return Math.max(0, now - by);
    });
  });
