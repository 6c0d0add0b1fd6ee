import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { explain } from "../../../src/engine/hub/doctor.ts";
import { doctorCommand } from "../../../src/engine/hub/doctor-command.ts";
import type { Values } from "../../../src/engine/hub/target.ts";
import { terminal } from "../../../src/engine/hub/targets/terminal.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

const VALUES: Values = {
  host: "127.0.0.1",
  port: 8686,
  lan: null,
  ca: "/ada/weir-ca.pem",
  bundle: "/ada/weir-ca-bundle.pem",
  der: "/ada/weir-ca.cer",
  keyHash: "hash=",
  url: "https://example.com/",
  reverse: 9001,
  transparent: 8443,
};
const OURS = "http://127.0.0.1:8686";
const ALL = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"].map((name) => `${name}=${OURS}`).join("\n");

describe("doctor diagnosis", (test) => {
  const cases: readonly (readonly [title: string, output: string, expected: RegExp, tone: string])[] = [
    ["all four proxy variables set to Weir", ALL, /point at Weir \(127\.0\.0\.1:8686\)/, "good"],
    ["no proxy variable", "node: v26.1.0", /connect directly/, "bad"],
    ["no proxy variable, in cmd's output", "v26.1.0\nPython 3.12.0", /connect directly/, "bad"],
    [
      "proxy variables with another port",
      ALL.replaceAll("8686", "8080"),
      /points at 127\.0\.0\.1:8080; Weir listens on 127\.0\.0\.1:8686/,
      "bad",
    ],
    [
      "proxy URLs with a SOCKS 4 scheme",
      ALL.replaceAll("http:", "socks4a:"),
      /socks4a:\/\/\. The proxy URL must start/,
      "bad",
    ],
    ["proxy URLs with the https scheme", ALL.replaceAll("http:", "https:"), /must start with http/, "bad"],
    ["proxy URLs with localhost", ALL.replaceAll("127.0.0.1", "localhost"), /may resolve to the IPv6 address/, "note"],
    [
      "proxy URLs without a scheme",
      ALL.replaceAll("http://", ""),
      /_PROXY has no scheme\. .* Set \w+_PROXY to http:\/\/127\.0\.0\.1:8686\./,
      "bad",
    ],
    ["proxy URLs with a password but no scheme", ALL.replaceAll("http://", "me:secret@"), /has no scheme/, "bad"],
    [
      "proxy URLs with a SOCKS 5 scheme",
      ALL.replaceAll("http:", "SOCKS5h:"),
      /begins with socks5h:\/\/\. Weir speaks SOCKS 5, but many tools do not/,
      "bad",
    ],
    [
      "proxy URLs with a password",
      ALL.replaceAll("//", "//me:secret@"),
      /has a user name and password, which Weir does not need/,
      "note",
    ],
    [
      "proxy URLs with this machine's LAN address",
      ALL.replaceAll("127.0.0.1", "192.0.2.7"),
      /while Weir is reachable from the local network/,
      "note",
    ],
    [
      "proxy URLs with another machine's address",
      ALL.replaceAll("127.0.0.1", "192.0.2.8"),
      /points at 192\.0\.2\.8:8686; Weir listens/,
      "bad",
    ],
    [
      "proxy variables in upper case only",
      `HTTP_PROXY=${OURS}\nHTTPS_PROXY=${OURS}`,
      /https_proxy is not set in lower case, .* wget/,
      "bad",
    ],
    ["NO_PROXY with hosts", `${ALL}\nNO_PROXY=localhost,.corp`, /NO_PROXY excludes localhost,\.corp/, "bad"],
    ["NO_PROXY=*", `${ALL}\nno_proxy=*`, /no_proxy excludes everything/, "bad"],
    [
      "ALL_PROXY with another proxy",
      `${ALL}\nall_proxy=socks5://me:x@corp:1080/`,
      /all_proxy points at corp:1080, and Deno/,
      "bad",
    ],
    ["a DER file in SSL_CERT_FILE", `${ALL}\nSSL_CERT_FILE=/ada/weir-ca.cer`, /must be PEM/, "bad"],
    [
      "a missing file in SSL_CERT_FILE",
      `${ALL}\nSSL_CERT_FILE=/gone.pem\nSSL_CERT_FILE is no pem`,
      /is missing or not a PEM/,
      "bad",
    ],
    [
      "the root in place of the bundle in SSL_CERT_FILE",
      `${ALL}\nSSL_CERT_FILE=/ada/weir-ca.pem`,
      /Set \w+ to \/ada\/weir-ca-bundle\.pem/,
      "bad",
    ],
    [
      "Weir's bundle in SSL_CERT_FILE",
      `${ALL}\nSSL_CERT_FILE=/ada/weir-ca-bundle.pem`,
      /names Weir's certificate file/,
      "good",
    ],
    ["another certificate file", `${ALL}\nNODE_EXTRA_CA_CERTS=/corp.pem`, /do not trust Weir/, "note"],
    ["Node.js 20", `${ALL}\nnode: v20.20.2`, /20\.20 silently ignores NODE_USE_ENV_PROXY/, "bad"],
    ["Node.js 22.20", `${ALL}\nnode: v22.20.0`, /ignores/, "bad"],
    ["Node.js 22.21", `${ALL}\nNODE_USE_ENV_PROXY=1\nnode: v22.21.0`, /uses the proxy variables\./, "good"],
    ["Node.js 24.4", `${ALL}\nnode: v24.4.1`, /fetch only/, "bad"],
    ["Node.js 26 without NODE_USE_ENV_PROXY", `${ALL}\nnode: v26.1.0`, /only with NODE_USE_ENV_PROXY=1/, "note"],
    [
      "a certificate check that is turned off",
      `${ALL}\nGIT_SSL_NO_VERIFY=true`,
      /GIT_SSL_NO_VERIFY turns off certificate checks/,
      "bad",
    ],
    [
      "another proxy with a password",
      ALL.replaceAll("http://127.0.0.1:8686", "http://me:secret@corp:3128"),
      /points at corp:3128/,
      "bad",
    ],
    [
      "Python 3.11",
      `${ALL}\npython3: Python 3.11.2`,
      /Python 3\.11: requests, httpx .* urllib3 ignores them\.$/,
      "note",
    ],
    ["Python 3.13 in cmd", `${ALL}\nPython 3.13.1`, /Python 3\.13: .* strictly; Weir's certificates pass/, "note"],
    ["curl", `${ALL}\ncurl: curl 7.88.1 (x86_64-pc-linux-gnu) OpenSSL/3.0.17`, /curl 7\.88 uses/, "good"],
    ["Windows' own curl", `${ALL}\ncurl 8.13.0 (Windows) libcurl/8.13.0 Schannel zlib`, /8\.13 .* Schannel/, "bad"],
    ["text that is not the command's output", "hello", /not the output of the command/, "bad"],
    ["an error of another program", "Error: connect ECONNREFUSED", /not the output of the command/, "bad"],
  ];
  for (const [title, output, expected, tone] of cases) {
    test(`given ${title}, explains the effect with the right tone`, () => {
      const findings = explain(output, { ...VALUES, lan: "192.0.2.7" }, "sh");
      const found = findings.find((finding) => expected.test(finding.text));
      assert.ok(found !== undefined, JSON.stringify(findings));
      assert.is(found.tone, tone);
    });
  }

  test("given LAN listening off, flags the LAN address, and reports each wrong variable once", () => {
    const elsewhere = explain(ALL.replaceAll("127.0.0.1", "192.0.2.7"), VALUES, "sh");
    assert.equal(new Set(elsewhere.map(({ tone }) => tone)), new Set(["bad"]));
    for (const prefix of ["", "socks5://", "http://me:secret@"]) {
      const findings = explain(ALL.replaceAll("http://", prefix), VALUES, "sh");
      assert.is(findings.length, 4);
      assert.not.match(JSON.stringify(findings), /points at|secret/);
    }
  });

  const silent: readonly (readonly [title: string, output: string])[] = [
    ["empty variables", `${ALL}\nNO_PROXY=\nno_proxy=\nALL_PROXY=\nSSL_CERT_FILE=\nGIT_SSL_NO_VERIFY=`],
    [
      "proxy URLs with a final slash, and ALL_PROXY set to Weir",
      `${ALL.replaceAll("8686", "8686/")}\nALL_PROXY=${OURS}/`,
    ],
    ["certificate checks that are on", `${ALL}\nNODE_TLS_REJECT_UNAUTHORIZED=1\nPYTHONHTTPSVERIFY=1`],
    ["unknown variables", `${ALL}\nFTP_PROXY=http://corp:3128`],
  ];
  for (const [title, output] of silent) {
    test(`given ${title}, finds nothing wrong`, () => {
      assert.equal(textsOf(output), [["good", "The proxy variables point at Weir (127.0.0.1:8686)."]]);
    });
  }

  test("given one wrong or missing proxy variable, reports only that variable", () => {
    const elsewhere = "HTTP_PROXY points at corp:3128; Weir listens on 127.0.0.1:8686.";
    assert.equal(textsOf(ALL.replace(OURS, "http://corp:3128")), [["bad", elsewhere]]);
    const [[, missing = ""] = [], ...others] = textsOf(ALL.replace(/^http_proxy.*\n/m, ""));
    assert.match(missing, /^http_proxy is not set in lower case\. For http URLs curl/);
    assert.equal(others, []);
  });

  test("given a missing variable, names the scheme, or the lower-case name where the shell has both", () => {
    const cases: readonly (readonly [output: string, inSh: readonly string[], inCmd: readonly string[]])[] = [
      [`http_proxy=${OURS}`, ["HTTPS_PROXY is not set:"], ["HTTPS_PROXY is not set:"]],
      [
        `HTTPS_PROXY=${OURS}`,
        ["https_proxy is not set in lower case,", "HTTP_PROXY is not set:"],
        ["HTTP_PROXY is not set:"],
      ],
      [
        `HTTP_PROXY=${OURS}\nhttps_proxy=${OURS}`,
        ["http_proxy is not set in lower case."],
        ["The proxy variables point at Weir"],
      ],
    ];
    for (const [output, inSh, inCmd] of cases) {
      for (const [shell, expected] of [
        ["sh", inSh],
        ["fish", inSh],
        ["powershell", inCmd],
        ["cmd", inCmd],
      ] as const) {
        const found = explain(output, VALUES, shell);
        assert.is(found.length, expected.length, `${output} in ${shell}`);
        for (const [index, words] of expected.entries())
          assert.ok(found[index]?.text.startsWith(words), found[index]?.text);
      }
    }
  });

  test("given NO_PROXY and ALL_PROXY in both cases, reports each variable that bypasses Weir", () => {
    const output = `${ALL}\nNO_PROXY=corp, *\nno_proxy=corp\nALL_PROXY=http://corp:1/\nall_proxy=corp:2`;
    assert.equal(
      textsOf(output).map(([tone, text]) => `${tone} ${text.split(/[:,]? (?:from|and) /)[0]}`),
      [
        "good The proxy variables point at Weir (127.0.0.1:8686).",
        "bad ALL_PROXY points at corp:1",
        "bad all_proxy points at corp:2",
        "bad NO_PROXY excludes everything",
        "bad no_proxy excludes corp",
      ],
    );
  });

  test("given a Node.js version, knows whether that version fully supports NODE_USE_ENV_PROXY", () => {
    const toneOf = (version: string) => textsOf(`${ALL}\nNODE_USE_ENV_PROXY=1\nnode: v${version}`)[1]?.[0];
    for (const version of ["22.21.0", "22.22.1", "24.5.0", "24.10.0", "25.0.0", "26.1.0"])
      assert.is(toneOf(version), "good", version);
    for (const version of ["18.20.0", "20.21.0", "22.20.9", "23.21.0", "24.4.1"])
      assert.is(toneOf(version), "bad", version);
  });

  test("given PowerShell or cmd, does not ask for lower-case variables", () => {
    const output = `HTTP_PROXY=${OURS}\nHTTPS_PROXY=${OURS}`;
    for (const shell of ["powershell", "cmd"] as const)
      assert.match(explain(output, VALUES, shell)[0]?.text ?? "", "point at Weir");
  });

  test("given proxy URLs with a password, never repeats the password", () => {
    const output = `${ALL}\nALL_PROXY=${OURS}`.replaceAll("http://127.0.0.1:8686", "http://me:secret@corp:3128");
    assert.not.match(JSON.stringify(explain(output, VALUES, "sh")), "secret");
  });

  for (const shell of ["sh", "fish"] as const) {
    test(
      `given the Any terminal block pasted in ${shell}, finds nothing wrong`,
      () =>
        withFolder(async (folder) => {
          const [ca, bundle] = [join(folder, "weir-ca.pem"), join(folder, "weir-ca-bundle.pem")];
          for (const path of [ca, bundle]) writeFileSync(path, "-----BEGIN CERTIFICATE-----\n");
          const values = { ...VALUES, ca, bundle };
          const block = terminal.variants[0]?.forms.find((form) => form.shell === shell)?.text(values) ?? "";
          // The block's last line would send a request to the URL.
          const lines = [...block.split("\n").slice(0, -1), doctorCommand(shell)];
          const env = { NO_PROXY: "*", ALL_PROXY: "http://corp:3128" };
          const { output } = await runTool([shell, "-c", lines.join("\n")], folder, { env });
          const findings = explain(output, values, shell);
          assert.equal(
            findings.filter(({ tone }) => tone === "bad"),
            [],
            output,
          );
          assert.is(findings.filter(({ text }) => text.endsWith("names Weir's certificate file.")).length, 8, output);
        }),
      { skip: needs(shell, "grep") },
    );
  }
});

/** Tone and text of each result. */
function textsOf(output: string): readonly (readonly [tone: string, text: string])[] {
  return explain(output, VALUES, "sh").map(({ tone, text }) => [tone, text]);
}
