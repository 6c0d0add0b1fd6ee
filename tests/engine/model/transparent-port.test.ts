import * as assert from "uvu/assert";
import {
  repeatedTransparentPort,
  transparentPortFor,
  transparentPortOf,
} from "../../../src/engine/model/transparent-port.ts";
import { describe } from "../../support/describe.ts";

describe("transparent port", (test) => {
  test("given a port alone, its target is that of https; else the one named", () => {
    assert.equal(transparentPortOf("8443"), { ok: true, value: { port: 8443, target: 443 } });
    assert.equal(transparentPortOf("8080=80"), { ok: true, value: { port: 8080, target: 80 } });
  });

  test("given anything else, says which form is expected", () => {
    for (const entry of ["", "0", "65536", "8443=", "8443=0", "8443=443=1", "a", " 8443", "8443=https://a.test"]) {
      const read = transparentPortOf(entry);
      assert.match(read.ok ? "" : read.problem, "does not have the form port or port=target port");
    }
  });

  test("given a port twice, names it", () => {
    assert.is(
      repeatedTransparentPort(["8443", "8080=80", "8443=444"]),
      "Port 8443 is named twice. One transparent port has one target port.",
    );
    assert.is(repeatedTransparentPort(["8443", "8080=443", "none"]), null);
  });

  test("given open ports, prefers the one for https; else the suggested one", () => {
    assert.is(transparentPortFor(["8080=80", "9443"]), 9443);
    assert.is(transparentPortFor(["8080=80"]), 8443);
  });
});
