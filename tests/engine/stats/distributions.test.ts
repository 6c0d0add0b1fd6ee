import * as assert from "uvu/assert";
import { binomialAtLeast, logChoose, normalAbove, studentOutside } from "../../../src/engine/stats/distributions.ts";
import { describe } from "../../support/describe.ts";

const isNear = (value: number, wanted: number) =>
  assert.ok(Math.abs(value / wanted - 1) < 1e-5, `${value} against ${wanted}`);

describe("distributions", (test) => {
  test("given published tables, the normal distribution's tail equals them", () => {
    isNear(normalAbove(0), 0.5);
    isNear(normalAbove(1.959963985), 0.025);
    isNear(normalAbove(-1.959963985), 0.975);
    isNear(normalAbove(5), 2.866515719e-7);
  });

  test("given published tables, Student's distribution equals them", () => {
    isNear(studentOutside(12.7062047, 1), 0.05);
    isNear(studentOutside(2.2281389, 10), 0.05);
    isNear(studentOutside(-2.7499957, 30), 0.01);
    isNear(studentOutside(0, 7), 1);
  });

  test("given counts, returns binomial coefficients and the chance of at least so many successes", () => {
    isNear(Math.exp(logChoose(52, 5)), 2_598_960);
    isNear(Math.exp(logChoose(9, 0)), 1);
    isNear(binomialAtLeast(3, 3, 0.5), 0.125);
    isNear(binomialAtLeast(0, 10, 0.2), 1);
    isNear(binomialAtLeast(2, 10, 0.1), 0.2639010709);
  });
});
