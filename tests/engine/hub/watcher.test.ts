import * as assert from "uvu/assert";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import { probeOf } from "../../../src/engine/hub/probe.ts";
import { python } from "../../../src/engine/hub/targets/python.ts";
import { SIGHTING_VERDICTS, validationVerdictOf } from "../../../src/engine/hub/validation-verdict.ts";
import type { Cause, Watch, WatchEvent } from "../../../src/engine/hub/watcher.ts";
import { IDLE, remaining, watch } from "../../../src/engine/hub/watcher.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { rejectedTunnel, requestStarted } from "../../support/probe-event.ts";

const PROBE = probeOf(python, "probe.weir.test", 8686);

describe("validation watcher", (test) => {
  test("given an idle watcher, Run Test starts watching with the target's time limit", () => {
    const watching = running();
    assert.is(watching.state, "watching");
    assert.is(remaining(watching, at(1_000)), 30_000);
    assert.is(remaining(watching, at(11_000)), 20_000);
    assert.is(remaining(IDLE, at(0)), 0);
  });

  test("given a watching watcher, a captured probe request confirms the test with its exchange", () => {
    const confirmed = after(running(), requestStarted({ id: 7, at: 2_000 }));
    assert.is(confirmed.state, "confirmed");
    assert.is(confirmed.state === "confirmed" && confirmed.exchange, 7);
  });

  test("given a probe request from before Run Test, does not confirm", () => {
    assert.is(after(running(), requestStarted({ at: 999 })).state, "watching");
    assert.is(after(running(), requestStarted({ at: 1_000 })).state, "confirmed");
  });

  test("given an unrelated event or another tunnel's end, keeps the state; a rejection adds a suspect", () => {
    const [started, rejected] = rejectedTunnel(3, 2_000, "client-rejected-certificate", "PROBE.weir.test:443");
    const [other, , ended] = [...rejectedTunnel(4, 2_000, "client-aborted"), { ...rejected, id: 5 as ExchangeId }];
    const both = after(running(), started, other);
    assert.is(after(both, ended), both);
    assert.is(after(both, { type: "events-dropped", at: at(2_500), count: 1 }), both);
    const once = after(both, rejected);
    assert.equal(once.state === "watching" ? once.suspects : null, [4]);
    assert.equal(once.state === "watching" ? once.sightings.map(({ kind }) => kind) : null, ["certificate-rejected"]);
  });

  const causes: readonly Cause[] = ["session-cleared", "new-session", "recording-paused", "proxy-stopped", "by-user"];
  for (const cause of causes) {
    test(`given a watching watcher, ${cause} cancels the test for good`, () => {
      const cancelled = watch(running(), { type: "cancel", at: at(5_000), cause });
      assert.is(cancelled.state, "cancelled");
      assert.is(after(cancelled, requestStarted({ at: 6_000 })), cancelled);
    });
  }

  test("given a watching watcher, times out exactly at its limit", () => {
    assert.is(watch(running(), { type: "tick", at: at(30_999) }).state, "watching");
    assert.is(watch(running(), { type: "tick", at: at(31_000) }).state, "timed-out");
  });

  test("given an extension, times out 30 s later", () => {
    const extended = watch(running(), { type: "extend" });
    assert.is(watch(extended, { type: "tick", at: at(60_999) }).state, "watching");
    assert.is(watch(extended, { type: "tick", at: at(61_000) }).state, "timed-out");
  });

  test("given an idle or confirmed watcher, only Run Test changes the state", () => {
    const events: readonly WatchEvent[] = [
      { type: "tick", at: at(99_000) },
      { type: "extend" },
      { type: "cancel", at: at(2), cause: "by-user" },
      { type: "captured", event: requestStarted({ at: 2_000 }) },
    ];
    for (const event of events) assert.is(watch(IDLE, event), IDLE);
    const confirmed = after(running(), requestStarted({ at: 2_000 }));
    for (const event of events) assert.is(watch(confirmed, event), confirmed);
    assert.is(watch(confirmed, { type: "run", at: at(9_000), probe: PROBE }).state, "watching");
  });

  test("given clients that reject the certificate, counts the rejections and keeps watching", () => {
    const once = after(running(), ...rejectedTunnel(3, 2_000, "client-rejected-certificate"));
    const twice = after(once, ...rejectedTunnel(4, 3_000, "client-rejected-certificate"));
    assert.is(twice.state, "watching");
    const [sighting] = twice.state === "watching" ? twice.sightings : [];
    assert.is(sighting?.kind, "certificate-rejected");
    assert.is(sighting?.count, 2);
    assert.is(sighting?.detail, "said client-rejected-certificate");
    assert.is(after(twice, requestStarted({ at: 4_000 })).state, "confirmed");
  });

  test("given a client that closes without an alert, reports the close and keeps watching", () => {
    const closed = (ms: number, authority = "probe.weir.test:443") =>
      watch(running(), { type: "closed", at: at(ms), authority });
    const seen = closed(2_000);
    assert.equal(seen.state === "watching" ? seen.sightings.map(({ kind }) => kind) : null, ["closed-silently"]);
    const verdict = validationVerdictOf(watch(seen, { type: "tick", at: at(31_000) }), python);
    assert.match(verdict.title, "closed the connection after receiving Weir's certificate");
    assert.is(after(seen, requestStarted({ at: 3_000 })).state, "confirmed");
    assert.equal(closed(999), running());
    assert.equal(closed(2_000, "other.test:443"), running());
    assert.is(watch(IDLE, { type: "closed", at: at(2_000), authority: "probe.weir.test:443" }), IDLE);
  });

  test("given a TLS handshake that failed for another reason, does not report a rejected certificate", () => {
    const seen = after(running(), ...rejectedTunnel(3, 2_000, "client-tls-failed"));
    assert.equal(seen.state === "watching" ? seen.sightings.map(({ kind }) => kind) : null, ["tls-failed"]);
    assert.match(
      validationVerdictOf(watch(seen, { type: "tick", at: at(31_000) }), python).title,
      "its TLS handshake failed",
    );
  });

  test("given a rejected tunnel to another host or an aborted tunnel, reports nothing", () => {
    const other = after(running(), ...rejectedTunnel(3, 2_000, "client-rejected-certificate", "example.com:443"));
    const aborted = after(other, ...rejectedTunnel(4, 2_000, "client-aborted"));
    assert.equal(aborted.state === "watching" ? aborted.sightings : null, []);
  });

  test("given a probe request without TLS, reports it and does not confirm", () => {
    const seen = after(running(), requestStarted({ at: 2_000, origin: "http://probe.weir.test" }));
    assert.equal(seen.state === "watching" ? seen.sightings.map(({ kind }) => kind) : null, ["without-tls"]);
  });

  for (const [what, head, protocol, detail] of [
    ["TLS", "\x16\x03\x01\x02\x00\x01\x00", "http/1.1", "The first byte was that of a TLS handshake."],
    ["SOCKS 5", "\x05\x02\x00\x01", "socks5", "A SOCKS request was refused. The request's row in Traffic says why."],
    ["SOCKS 4", "\x04\x01\x01\xbb", "socks5", "A SOCKS request was refused. The request's row in Traffic says why."],
  ] as const) {
    test(`given ${what} sent to the port, reports non-HTTP traffic and keeps watching`, () => {
      const bytes = requestStarted({ at: 2_000, method: "?", target: "/", head, protocol, tags: ["malformed"] });
      const seen = after(running(), bytes);
      assert.is(seen.state, "watching");
      const [sighting] = seen.state === "watching" ? seen.sightings : [];
      assert.equal([sighting?.kind, sighting?.detail], ["no-http", detail]);
      assert.match(
        validationVerdictOf(watch(seen, { type: "tick", at: at(31_000) }), python).title,
        "Non-HTTP traffic",
      );
      const before = after(running(), { ...bytes, at: at(999) });
      assert.equal(before.state === "watching" ? before.sightings : null, []);
    });
  }

  test("given a malformed HTTP request, does not report another protocol", () => {
    const broken = requestStarted({ at: 2_000, head: "GET / HTTP/9\r\n\r\n", tags: ["malformed"] });
    assert.equal(after(running(), broken), running());
  });

  test("given another request to the probe host, reports what it requested and keeps watching", () => {
    const asked = requestStarted({ at: 2_000, target: `/anything/weir/ruby?${"x".repeat(500)}` });
    const seen = after(running(), asked);
    assert.is(seen.state, "watching");
    const [sighting] = seen.state === "watching" ? seen.sightings : [];
    assert.is(sighting?.kind, "probe-host");
    assert.match(sighting?.detail ?? "", /^It requested GET \/anything\/weir\/ruby\?x+\.$/);
    assert.ok((sighting?.detail ?? "").length < 200);
    const late = validationVerdictOf(watch(seen, { type: "tick", at: at(31_000) }), python);
    assert.match(late.title, "requested the probe host but not this target's URL");
    assert.is(late.tone, "bad");
  });

  test("given any state, the verdict's texts never contain the state's name", () => {
    const late = watch(running(), { type: "tick", at: at(31_000) });
    const rejected = watch(after(running(), ...rejectedTunnel(3, 2_000, "client-rejected-certificate")), {
      type: "tick",
      at: at(31_000),
    });
    const watches: readonly Watch[] = [
      IDLE,
      running(),
      late,
      rejected,
      after(running(), requestStarted({ at: 2_000 })),
      ...causes.map((cause) => watch(running(), { type: "cancel", at: at(2_000), cause })),
    ];
    for (const each of watches) {
      const { title, text, fix } = validationVerdictOf(each, python);
      assert.not.match([title, text, fix].join(" "), /\b(idle|watching|confirmed|cancelled|timed[ -]out)\b/i);
    }
  });

  test("given each state, the verdict has its tone and title, and a stopped test names the cause", () => {
    const heads = (state: Watch) => [validationVerdictOf(state, python).tone, validationVerdictOf(state, python).title];
    assert.equal(heads(IDLE), ["quiet", "Not validated yet"]);
    assert.equal(heads(running()), ["waiting", "Waiting for the request"]);
    assert.equal(heads(after(running(), requestStarted({ at: 2_000 }))), ["good", "Captured"]);
    assert.equal(heads(watch(running(), { type: "tick", at: at(31_000) })), ["bad", "No request was seen yet"]);
    const said: Readonly<Record<Cause, string>> = {
      "session-cleared": "The session was cleared while the test waited.",
      "new-session": "A new session was started while the test waited.",
      "recording-paused": "Recording was paused while the test waited.",
      "proxy-stopped": "The proxy stopped while the test waited.",
      "by-user": "You stopped the test.",
    };
    for (const cause of causes) {
      const stopped = watch(running(), { type: "cancel", at: at(2_000), cause });
      assert.equal(heads(stopped), ["quiet", "Test stopped"]);
      assert.equal(
        [validationVerdictOf(stopped, python).text, validationVerdictOf(stopped, python).fix],
        [said[cause], "Run the test again."],
      );
    }
    const tones = (
      [
        "certificate-rejected",
        "closed-silently",
        "tls-failed",
        "without-tls",
        "no-http",
        "direct",
        "probe-host",
      ] as const
    ).map((kind) => SIGHTING_VERDICTS[kind].tone);
    assert.equal(tones, ["bad", "bad", "bad", "bad", "bad", "bad", "quiet"]);
  });

  test("given a captured probe request, the verdict says that it does not identify the sender", () => {
    const verdict = validationVerdictOf(after(running(), requestStarted({ at: 2_000 })), python);
    assert.match(verdict.text, "does not identify which app, browser or process sent the request");
  });

  test("given a time-out, names only possible causes: no blocked DNS for a host that Weir itself resolves", () => {
    const late = (probeHost: string) => {
      const probe = probeOf(python, probeHost, 8686);
      const begun = watch(IDLE, { type: "run", at: at(1_000), probe });
      return validationVerdictOf(watch(begun, { type: "tick", at: at(31_000) }), python).text;
    };
    assert.match(late("echo.example"), "the probe host may be unreachable, DNS may be blocked");
    assert.match(late("probe.weir.test"), "A client that cannot resolve probe.weir.test bypassed the proxy");
    assert.not.match(late("probe.weir.test"), "DNS");
  });

  test("given a time-out, advises on the network if nothing was seen, else names what was seen", () => {
    const tick: WatchEvent = { type: "tick", at: at(31_000) };
    assert.match(
      validationVerdictOf(watch(running(), tick), python).fix ?? "",
      "from a network that can reach the probe host",
    );
    const rejected = after(running(), ...rejectedTunnel(3, 2_000, "client-rejected-certificate"));
    assert.match(validationVerdictOf(watch(rejected, tick), python).title, "rejected the certificate");
    const clear = after(rejected, requestStarted({ at: 3_000, origin: "http://probe.weir.test" }));
    assert.match(validationVerdictOf(watch(clear, tick), python).title, "without TLS");
    const direct = SIGHTING_VERDICTS.direct;
    assert.match(direct.title, "reached Weir but not through the proxy setting");
  });
});

function running(): Watch {
  return watch(IDLE, { type: "run", at: at(1_000), probe: PROBE });
}

function after(start: Watch, ...events: readonly CaptureEvent[]): Watch {
  return events.reduce((state, event) => watch(state, { type: "captured", event }), start);
}

function at(time: number): Instant {
  return time as Instant;
}
