import { spawnSync } from "node:child_process";
import * as assert from "uvu/assert";
import { doctorCommand, explain } from "../../../src/engine/hub/doctor.ts";
import type { Values } from "../../../src/engine/hub/target.ts";
import { describe } from "../../support/describe.ts";
import { needs } from "../../support/which.ts";

const VALUES: Values = {
  host: "127.0.0.1",
  port: 8686,
  lan: null,
  ca: "/ada/weir-ca.pem",
  bundle: "/ada/weir-ca-bundle.pem",
  der: "/ada/weir-ca.cer",
  url: "https://example.com/",
};
const OURS = "http://127.0.0.1:8686";
const ALL = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"].map((name) => `${name}=${OURS}`).join("\n");

describe("the doctor", (test) => {
  const cases: readonly (readonly [title: string, output: string, expected: RegExp, tone: string])[] = [
    ["all four variables right", ALL, /point at Weir \(127\.0\.0\.1:8686\)/, "good"],
    ["no proxy variable", "node: v26.1.0", /go directly/, "bad"],
    ["no proxy variable, as cmd prints it", "v26.1.0\nPython 3.12.0", /go directly/, "bad"],
    [
      "another port",
      ALL.replaceAll("8686", "8080"),
      /points at 127\.0\.0\.1:8080; Weir listens on 127\.0\.0\.1:8686/,
      "bad",
    ],
    ["https scheme", ALL.replaceAll("http:", "https:"), /plain http/, "bad"],
    ["localhost", ALL.replaceAll("127.0.0.1", "localhost"), /may be the IPv6 address/, "note"],
    ["only upper case", `HTTP_PROXY=${OURS}\nHTTPS_PROXY=${OURS}`, /https_proxy is not set in lower case: wget/, "bad"],
    ["NO_PROXY", `${ALL}\nNO_PROXY=localhost,.corp`, /NO_PROXY leaves out localhost,\.corp/, "bad"],
    ["NO_PROXY of all", `${ALL}\nno_proxy=*`, /no_proxy leaves out everything/, "bad"],
    ["ALL_PROXY", `${ALL}\nall_proxy=socks5://me:x@corp:1080/`, /all_proxy points at corp:1080, and Deno/, "bad"],
    ["a DER file", `${ALL}\nSSL_CERT_FILE=/ada/weir-ca.cer`, /must be PEM/, "bad"],
    ["a missing file", `${ALL}\nSSL_CERT_FILE=/gone.pem\nSSL_CERT_FILE is no pem`, /not there or is no PEM/, "bad"],
    [
      "the root where the bundle belongs",
      `${ALL}\nSSL_CERT_FILE=/ada/weir-ca.pem`,
      /should be \/ada\/weir-ca-bundle\.pem/,
      "bad",
    ],
    ["our bundle", `${ALL}\nSSL_CERT_FILE=/ada/weir-ca-bundle.pem`, /names Weir's file/, "good"],
    ["another file", `${ALL}\nNODE_EXTRA_CA_CERTS=/corp.pem`, /do not trust Weir/, "note"],
    ["Node.js 20", `${ALL}\nnode: v20.20.2`, /20\.20 ignores NODE_USE_ENV_PROXY/, "bad"],
    ["Node.js 22.20", `${ALL}\nnode: v22.20.0`, /ignores/, "bad"],
    ["Node.js 22.21", `${ALL}\nNODE_USE_ENV_PROXY=1\nnode: v22.21.0`, /uses the proxy variables\./, "good"],
    ["Node.js 24.4", `${ALL}\nnode: v24.4.1`, /fetch only/, "bad"],
    ["Node.js 26 without the switch", `${ALL}\nnode: v26.1.0`, /only with NODE_USE_ENV_PROXY=1/, "note"],
    ["a switched-off check", `${ALL}\nGIT_SSL_NO_VERIFY=true`, /GIT_SSL_NO_VERIFY switches the check/, "bad"],
    [
      "a proxy with a password",
      ALL.replaceAll("http://127.0.0.1:8686", "http://me:secret@corp:3128"),
      /points at corp:3128/,
      "bad",
    ],
    ["Python 3.11", `${ALL}\npython3: Python 3.11.2`, /Python 3\.11: requests, httpx .* by themselves\.$/, "note"],
    ["Python 3.13 in cmd", `${ALL}\nPython 3.13.1`, /Python 3\.13: .* strictly; Weir's own pass/, "note"],
    ["curl", `${ALL}\ncurl: curl 7.88.1 (x86_64-pc-linux-gnu) OpenSSL/3.0.17`, /curl 7\.88 uses/, "good"],
    ["Windows' own curl", `${ALL}\ncurl 8.13.0 (Windows) libcurl/8.13.0 Schannel zlib`, /8\.13 .* Schannel/, "bad"],
    ["something else", "hello", /whole output/, "note"],
  ];
  for (const [title, output, expected, tone] of cases) {
    test(`explains ${title}`, () => {
      const findings = explain(output, VALUES, "sh");
      const found = findings.find((finding) => expected.test(finding.text));
      assert.ok(found !== undefined, JSON.stringify(findings));
      assert.is(found.tone, tone);
    });
  }

  test("expects no second letter case where Windows knows but one", () => {
    const output = `HTTP_PROXY=${OURS}\nHTTPS_PROXY=${OURS}`;
    for (const shell of ["powershell", "cmd"] as const)
      assert.match(explain(output, VALUES, shell)[0]?.text ?? "", "point at Weir");
  });

  test("never repeats a password", () => {
    const output = `${ALL}\nALL_PROXY=${OURS}`.replaceAll("http://127.0.0.1:8686", "http://me:secret@corp:3128");
    assert.not.match(JSON.stringify(explain(output, VALUES, "sh")), "secret");
  });

  for (const [shell, program] of [
    ["sh", "sh"],
    ["sh", "bash"],
    ["sh", "zsh"],
    ["fish", "fish"],
  ] as const) {
    test(
      `its command in ${program} prints what is explained, and changes nothing`,
      () => {
        const env = { PATH: process.env["PATH"], HOME: "/nonexistent", https_proxy: OURS, SSL_CERT_FILE: "/gone.pem" };
        const { stdout } = spawnSync(program, ["-c", doctorCommand(shell)], { env, encoding: "utf8", timeout: 15_000 });
        assert.match(stdout, `https_proxy=${OURS}\n`);
        assert.match(stdout, "SSL_CERT_FILE is no pem\n");
        assert.match(stdout, /^node: v\d+\./m);
      },
      { skip: needs(program, "node") },
    );
  }

  test("no command writes, sets or deletes", () => {
    for (const shell of ["sh", "fish", "powershell", "cmd"] as const)
      assert.not.match(doctorCommand(shell), /(?:^|[^2])>(?!&)|Remove-|Set-|New-|\brm\b|\bexport\b|\bsetx\b/m);
  });
});
