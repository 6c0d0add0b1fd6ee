import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { parseSettings, settingProblem } from "../../../src/engine/model/setting-rules.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import { describe } from "../../support/describe.ts";

const PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const MEGABYTE = 1024 * 1024;

const SOUND: readonly (readonly [key: string, ...values: unknown[]])[] = [
  ["fixedThreshold", null, 1, 600_000],
  ["oversizedFactor", 1.1, 2, 100],
  ["oversizedFloor", 0, 10_240],
  [
    "captureInclude",
    [],
    ["*.example.com", "localhost", "[::1]", "10.0.0.1"],
    ["::1", "2001:db8::*", "fe80::", "bücher.example"],
  ],
  ["captureExclude", [], ["*"]],
  ["passThrough", [], ["bank.example"]],
  ["hostOverrides", [], ["a.test=127.0.0.1:80", "b.test=[::1]:65535", "c.test=host:1", "ü.test=a:1", "[::1]=a:1"]],
  ["transparentPorts", [], ["8443", "8080=80"]],
  ["reversePorts", [], ["9001=https://api.example.com", "9002=http://[::1]:8080"]],
  ["tlsExceptions", [], ["a.test", "[::1]"]],
  ["upstreamProxy", null, "http://proxy.test:3128", "https://ada:p%40ss@[::1]"],
  ["upstreamProxyBypass", [], ["*.test"]],
  [
    "clientCertificates",
    [],
    [{ host: "*.test", file: "/home/ada/a.pem", passphrase: null }],
    [{ host: "a.test", file: "C:\\a.pfx", passphrase: "x" }],
  ],
  ["hostAuthorities", [], [{ host: "*.test", file: "ca.pem", certificates: PEM + PEM }]],
  ["privateTargetsFromLan", true, false],
  ["http2", true, false],
  ["http1Hosts", [], ["*.example.com", "localhost"]],
  ["bodyCap", 0, 100 * MEGABYTE],
  ["sessionBodyCap", MEGABYTE, 1024 * MEGABYTE],
  ["rowCap", 1_000, 1_000_000],
  ["chainGap", 0, 300, 10_000],
  ["stableLatencyPercent", 0, 12.5, 100],
  ["stableLatencyMs", 0, 0.5, 60_000],
  ["stablePayloadPercent", 0, 5, 100],
  ["stablePayloadBytes", 0, 1_024],
  ["stableErrorPoints", 0, 0.5, 100],
  ["groupSimilarPaths", true, false],
  ["pathRules", [], ["/shop/*/item/*"], ["!/tags/*", "api.test/users/*"]],
  ["historyKept", 10, 50, 1_000],
  ["dataCap", 64 * MEGABYTE, 5_120 * MEGABYTE],
  ["theme", "system", "light", "dark"],
  ["hiddenHosts", [], ["api.test", "localhost:8080", "[::1]:81"]],
  ["showHiddenHosts", true, false],
  ["panelHeight", null, 100, 420],
  ["inspectorBeside", null, true, false],
  ["timelineLabels", null, 160, 420],
  ["trafficColumns", null, [], ["+client", "-type=80", "latency=120"]],
  ["trafficSort", null, "latency", "-size"],
  ["recentFilters", [], ["status:5xx OR (slow: host:a)", 'endpoint:"GET https://a.test/"']],
  [
    "probeHost",
    "probe.weir.test",
    "Echo.example.com:8443",
    "localhost",
    "127.0.0.1:8443",
    "3com.test",
    "a.0xcafe.test",
  ],
];

const MANY_PORTS = Array.from({ length: 101 }, (_, index) => `${index + 1}=https://a.test`);
const MANY_TARGETS = Array.from({ length: 101 }, (_, index) => String(index + 1));

const WRONG: readonly (readonly [key: string, ...values: unknown[]])[] = [
  ["fixedThreshold", 0, 600_001, 1.5, -1, "5", undefined, Number.NaN, Number.POSITIVE_INFINITY, [], {}],
  ["oversizedFactor", 1, 100.1, null, "2", Number.NaN],
  ["oversizedFloor", -1, 0.5, null],
  ["captureInclude", null, "a", [1], [""], ["a b"], ["a/b"], ["https://a"], ["a\n"], ["x".repeat(400)]],
  ["captureExclude", new Array(1_001).fill("a")],
  ["passThrough", {}, [["a"]], ["a.test:443"], ["*:443"], ["a.test:"], ["[::1]:443"]],
  [
    "hostOverrides",
    ["a"],
    ["a=b"],
    ["a=b:0"],
    ["a=b:65536"],
    ["a b=c:1"],
    ["a=::1:80"],
    ["=b:1"],
    ["a:80=b:1"],
    ["[::1]:80=b:1"],
    ["*.a=b:1"],
    ["a=ü:1"],
  ],
  ["transparentPorts", null, ["a"], ["0"], ["8443=0"], ["8443", "8443=80"], MANY_TARGETS],
  ["reversePorts", null, ["a"], ["9001=ftp://a"], ["9001=https://a/b"], ["1=http://a", "1=http://b"], MANY_PORTS],
  ["tlsExceptions", null, ["*"], ["*.test"], ["a b"]],
  ["upstreamProxy", "", "proxy.test:3128", "socks5://a.test", 1, undefined],
  ["upstreamProxyBypass", null, ["a/b"]],
  ["hiddenHosts", null, [""], ["*.test"], ["a/b"], ["a b"], ['a"b'], new Array(1_001).fill("a")],
  ["showHiddenHosts", null, 1],
  [
    "clientCertificates",
    null,
    ["a"],
    [null],
    [{ host: "a.test", file: "/a" }],
    [{ host: "", file: "/a", passphrase: null }],
    [{ host: "a b", file: "/a", passphrase: null }],
    [{ host: "a.test", file: "a.pem", passphrase: null }],
    [{ host: "a.test", file: "/a", passphrase: 1 }],
    [{ host: "a.test", file: "/a", passphrase: null, key: "x" }],
  ],
  [
    "hostAuthorities",
    null,
    ["a"],
    [{ host: "", file: "ca.pem", certificates: PEM }],
    [{ host: "a b", file: "ca.pem", certificates: PEM }],
    [{ host: "a.test", file: "ca.pem", certificates: "" }],
    [{ host: "a.test", file: "ca.pem", certificates: `${PEM}-----BEGIN PRIVATE KEY-----` }],
    [{ host: "a.test", file: "ca.pem", certificates: PEM, key: "x" }],
    Array.from({ length: 2 }, () => ({ host: "a.test", file: "ca.pem", certificates: PEM.repeat(1_500) })),
  ],
  ["privateTargetsFromLan", 1, null],
  ["http2", 1, null, "on"],
  ["http1Hosts", null, ["a b"], ["https://a"]],
  ["bodyCap", -1, 100 * MEGABYTE + 1, "10"],
  ["sessionBodyCap", 0, null],
  ["rowCap", 999, 1_000_001],
  ["chainGap", -1, 10_001, 0.5, null, "300"],
  ["stableLatencyPercent", -1, 101, null, Number.NaN],
  ["stableLatencyMs", -1, 60_001, "10"],
  ["stablePayloadPercent", 100.1, true],
  ["stablePayloadBytes", -1, 1.5],
  ["stableErrorPoints", -0.1, 101],
  ["groupSimilarPaths", 1, null, "on"],
  ["pathRules", "/shop/*", [1], [""], ["no star"]],
  ["historyKept", 9, 1_001, 20.5],
  ["dataCap", 0, 64 * MEGABYTE - 1, null],
  ["theme", "blue", null, ""],
  ["panelHeight", 99, 100.5, "300"],
  ["inspectorBeside", 1, "on"],
  ["timelineLabels", 99, 160.5, "300"],
  ["trafficColumns", "type", {}, [1], ["a b"], ["type=12345"], ["<b>"], new Array(101).fill("type")],
  ["trafficSort", "", "--size", "size desc", 1, ["size"]],
  ["recentFilters", null, "a", [""], [1], ["a".repeat(1_001)], new Array(11).fill("a")],
  [
    "probeHost",
    "",
    null,
    "https://a.b",
    "a b",
    "a/b",
    "a:0",
    "a:0443",
    "a:65536",
    ".a",
    "a..b",
    "x".repeat(256),
    "[::1]",
  ],
  ["probeHost", "123", "999.1.1.1", "1.2.3", "1.2.3.4.5", "127.0.0.01", "echo.0x7f:443", "1.2.3.4."],
  ["constructor", 1],
  ["__proto__", 1],
  ["toString", 1],
];

describe("setting rules", (test) => {
  test("given each setting, accepts its valid values and its default", () => {
    for (const [key, ...values] of SOUND) {
      for (const value of values) assert.is(settingProblem(key, value), null, `${key}: ${JSON.stringify(value)}`);
    }
    assert.equal(SOUND.map(([key]) => key).sort(), Object.keys(DEFAULT_SETTINGS).sort());
    for (const [key, value] of Object.entries(DEFAULT_SETTINGS)) assert.is(settingProblem(key, value), null, key);
  });

  test("given an invalid value, refuses it with a sentence", () => {
    for (const [key, ...values] of WRONG) {
      for (const value of values) {
        assert.match(settingProblem(key, value) ?? "", /^[A-Z"].*\.$/s, `${key}: ${JSON.stringify(value)}`);
      }
    }
  });

  test("given a host pattern with a port, refuses it and names the port as the reason", () => {
    for (const key of ["captureInclude", "captureExclude", "passThrough", "upstreamProxyBypass", "http1Hosts"])
      assert.is(settingProblem(key, ["a.test:8443"]), '"a.test:8443" must be the host alone, without a port.', key);
  });

  test("given a probe host with non-ASCII letters, the refusal names its form in a request", () => {
    assert.match(settingProblem("probeHost", "b\u00fccher.example") ?? "", "xn--");
    assert.is(settingProblem("probeHost", "xn--bcher-kva.example:8443"), null);
  });

  test("given a stored list with an invalid entry, drops that entry only", () => {
    const { settings, problems } = parseSettings({
      hostOverrides: ["a.test=127.0.0.1:1", "b.test:80=127.0.0.1:2", 3, "c.test=127.0.0.1:4"],
      captureExclude: new Array(2_000).fill("a.test"),
      theme: ["dark"],
    });
    const hostOverrides = ["a.test=127.0.0.1:1", "c.test=127.0.0.1:4"];
    assert.equal(settings, { ...DEFAULT_SETTINGS, hostOverrides, captureExclude: new Array(1_000).fill("a.test") });
    assert.is(problems.length, 3);
  });

  test("given a stored list far beyond its limit, keeps what fits, and reads an entry a few times at most", () => {
    const MOST = 1_000;
    const certificates = "-----BEGIN CERTIFICATE-----A-----END CERTIFICATE-----\n";
    let reads = 0;
    const authorities = Array.from({ length: 20_000 }, (_, at) => ({
      host: `${at}.test`,
      file: "ca.pem",
      get certificates() {
        reads += 1;
        return certificates;
      },
    }));
    const kept = parseSettings({ hostAuthorities: authorities }).settings.hostAuthorities;
    assert.equal(
      kept,
      Array.from({ length: MOST }, (_, at) => ({ host: `${at}.test`, file: "ca.pem", certificates })),
    );
    assert.ok(reads <= 10 * MOST, `${reads} reads`);
    let looks = 0;
    const patterns = new Proxy(new Array(100_000).fill("a.test"), {
      get: (list, name, proxy) => {
        looks += 1;
        return Reflect.get(list, name, proxy);
      },
    });
    assert.is(parseSettings({ captureExclude: patterns }).settings.captureExclude.length, MOST);
    assert.ok(looks <= 10 * MOST, `${looks} looks`);
  });

  test("given stored CA files that are too large together, keeps those that fit", () => {
    const certificates = `-----BEGIN CERTIFICATE-----${"A".repeat(50_000)}-----END CERTIFICATE-----`;
    const stored = [0, 1, 2, 3].map((at) => ({ host: `${at}.test`, file: "ca.pem", certificates }));
    assert.equal(parseSettings({ hostAuthorities: stored }).settings.hostAuthorities, stored.slice(0, 2));
  });

  test("given stored reverse ports of which some share a port, keeps the first of each port", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 12 }), (ports) => {
        const stored = ports.map((port, index) => `${port}=https://${index}.test`);
        const { settings, problems } = parseSettings({ reversePorts: stored });
        const kept = stored.filter((_, index) => ports[index] !== 0 && ports.indexOf(ports[index] ?? 0) === index);
        assert.equal(settings.reversePorts, kept);
        assert.is(problems.length, kept.length === stored.length ? 0 : 1);
      }),
    );
  });

  test("given stored settings, keeps the valid values and reports the invalid one", () => {
    const { settings, problems } = parseSettings({ theme: "dark", bodyCap: -1, other: 1, passThrough: ["a.example"] });
    assert.equal(settings, { ...DEFAULT_SETTINGS, theme: "dark", passThrough: ["a.example"] });
    assert.is(problems.length, 1);
  });

  test("given anything stored, the settings are complete and frozen", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (stored) => {
        const { settings } = parseSettings(stored);
        assert.equal(Object.keys(settings), Object.keys(DEFAULT_SETTINGS));
        assert.ok(Object.isFrozen(settings));
      }),
    );
  });
});
