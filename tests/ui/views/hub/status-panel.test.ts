import * as assert from "uvu/assert";
import { probeOf } from "../../../../src/engine/hub/probe.ts";
import { python } from "../../../../src/engine/hub/targets/python.ts";
import type { HubState } from "../../../../src/engine/messages/hub-messages.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { minuteText } from "../../../../src/ui/format/clock.ts";
import { statusPartsOf } from "../../../../src/ui/views/hub/status-panel.ts";
import { describe } from "../../../support/describe.ts";
import { HUB, hubNow, NOON, UNTESTED } from "./hub-state.ts";

const parts = (slug: string, hub: HubState = HUB, state = UNTESTED) =>
  statusPartsOf(hubNow(slug, { hub, state }), hub, NOON).map(({ mark, title, rows }) => [
    mark,
    title,
    rows.map(({ name, value }) => `${name}: ${value}`),
  ]);

describe("status panel of the Setup Hub", (test) => {
  test("given a working proxy and certificate, shows both and the state of the target's test", () => {
    assert.equal(parts("python"), [
      [
        "check",
        "Proxy running",
        ["Address: 127.0.0.1:8686", "Reach: this computer only", "Recording: on, 1,396 captured"],
      ],
      [
        "check",
        "Certificate ready",
        ["SHA-256: 7C41 9B0E … D29E 5F02", "Exported: weir-ca.pem, 12:30", "System trust: not trusted"],
      ],
      ["info", "Python: not validated yet", ["Probe seen: not yet"]],
    ]);
  });

  test("given a stopped proxy and a failed export, says what is wrong in words", () => {
    const { conditions } = HUB;
    const wrong: HubState = {
      ...HUB,
      exportedAt: null,
      trustReadAt: null,
      conditions: {
        ...conditions,
        proxy: { ...conditions.proxy, running: false },
        recording: false,
        certificate: { ...conditions.certificate, trustedBySystem: null, exportProblem: "The folder is gone." },
      },
    };
    const [proxy, certificate] = parts("python", wrong);
    assert.equal(proxy?.slice(0, 2), ["error", "Proxy stopped"]);
    assert.equal(certificate?.slice(0, 2), ["error", "Certificate not exported"]);
    assert.match(JSON.stringify([proxy, certificate]), /paused, 1,396.*Exported: no".*being read/);
  });

  test("given a certificate that expires soon, shows a warning with its last valid date", () => {
    const [, certificate] = statusPartsOf(hubNow("python"), { ...HUB, endWarning: "It ends in 12 days." }, NOON);
    assert.equal([certificate?.mark, certificate?.title], ["warning", "Certificate needs renewal"]);
    const end = certificate?.rows.find(({ name }) => name === "Valid to");
    assert.equal(
      [end?.value, end?.title],
      [minuteText(Date.UTC(2031, 10, 20, 12, 30) as Instant), "It ends in 12 days."],
    );
  });

  test("given an IPv6 address, puts brackets around it before the port", () => {
    const proxy = { ...HUB.conditions.proxy, address: "fd00::5" };
    const conditions = { ...HUB.conditions, proxy, lan: "fd00::5" };
    const [part] = parts("python", { ...HUB, values: { ...HUB.values, lan: "fd00::5" }, conditions });
    assert.equal(part?.[2]?.slice(0, 2), ["Address: [fd00::5]:8686", "Reach: this computer and [fd00::5]:8686"]);
  });

  test("given a proxy that listens on the LAN, shows the address for other devices", () => {
    const lan = {
      ...HUB,
      values: { ...HUB.values, lan: "192.168.1.5" },
      conditions: { ...HUB.conditions, lan: "192.168.1.5" },
    };
    assert.match(JSON.stringify(parts("docker", lan)), "this computer and 192.168.1.5:8686");
  });

  test("given captured probes, links each exchange to Traffic once, while Traffic still has it", () => {
    const exchanges = (seen: number | null, passed: number | null) => {
      const state = {
        ...UNTESTED,
        seen: { at: NOON, exchange: seen as ExchangeId | null },
        confirmedAt: NOON,
        exchange: passed as ExchangeId | null,
      };
      const [, , target] = statusPartsOf(hubNow("python", { state }), HUB, NOON);
      return target?.rows.map(({ name, value, exchange }) => [name, value, exchange]);
    };
    assert.equal(exchanges(8, 7), [
      ["Probe seen", "12:30", 8],
      ["Test passed", "12:30", 7],
    ]);
    assert.equal(exchanges(7, 7)?.[1], ["Test passed", "12:30", null]);
    assert.equal(exchanges(null, null)?.[0], ["Probe seen", "12:30", null]);
  });

  test("given the sample request, leads to Validate, unless another program sent it or a test ran", () => {
    const shown = (slug: string, program: string, change: Parameters<typeof hubNow>[1] = {}) => {
      const client = `${program}/1.0 at 127.0.0.1`;
      const hub = { ...HUB, sample: { at: NOON, exchange: null, client, program } };
      const part = statusPartsOf(hubNow(slug, { hub, ...change }), hub, NOON)[2];
      return [part?.rows[0]?.value, part?.next.includes("run the same lines with the probe URL")];
    };
    assert.equal(shown("python", "Python"), ["12:30, from Python/1.0 at 127.0.0.1", true]);
    assert.equal(shown("python", "curl"), ["12:30, with another program's User-Agent (curl/1.0 at 127.0.0.1)", false]);
    assert.equal(shown("rust", "curl")[1], false, "its snippets send no User-Agent");
    assert.equal(shown("terminal", "curl"), ["12:30, from curl/1.0 at 127.0.0.1", true]);
    assert.equal(shown("rust", "")[1], true);
    assert.equal(shown("python", "Python", { tab: "validate" })[1], false);
    const watch = {
      state: "timed-out" as const,
      at: NOON,
      startedAt: NOON,
      sightings: [],
      probe: probeOf(python, "a.test", 1),
    };
    assert.equal(shown("python", "Python", { state: { ...UNTESTED, watch } })[1], false);
  });

  test("given the sample request, shows its time, client and exchange, unless the target's snippets send another URL", () => {
    const hub = {
      ...HUB,
      sample: { at: NOON, exchange: 9 as ExchangeId, client: "curl/8.5.0 at 127.0.0.1", program: "curl" },
    };
    const rows = (slug: string, sample: string | null = null) =>
      statusPartsOf(hubNow(slug, { hub, sample }), hub, NOON)[2]?.rows.map((row) => [
        row.name,
        row.value,
        row.exchange,
      ]);
    const probe = ["Probe seen", "not yet", null];
    assert.equal(rows("curl"), [["Sample seen", "12:30, from curl/8.5.0 at 127.0.0.1", 9], probe]);
    assert.equal(rows("curl", "https://api.shop.test/"), [probe]);
    assert.equal(rows("git"), [probe]);
    assert.equal(rows("ios-device"), [probe]);
  });

  test("given a passed test and a copied snippet, shows the times of both with the target", () => {
    const copies = [{ form: "requests", at: NOON, port: 8080, fingerprint: HUB.conditions.certificate.fingerprint }];
    const [, , target] = parts("python", HUB, { ...UNTESTED, confirmedAt: NOON, copies });
    assert.equal(target?.[2], ["Probe seen: not yet", "Test passed: 12:30", "Snippet: copied 12:30, out of date"]);
  });
});
