import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { goldenTexts } from "../../../scripts/golden.ts";
import type { Form, Target, Values, Variant } from "../../../src/engine/hub/target.ts";
import { CATEGORIES, headingsOf, setupOf } from "../../../src/engine/hub/target.ts";
import { TARGETS, targetOf } from "../../../src/engine/hub/targets/index.ts";
import { describe } from "../../support/describe.ts";

/** The hub's own pages, and Validate's verdicts, which are in no target. */
const PAGES = join(import.meta.dirname, "../../../src/ui/views/hub");
const SAID = ["preflight.ts", "validation-verdict.ts"].map((name) =>
  join(import.meta.dirname, "../../../src/engine/hub", name),
);

const VALUES: Values = {
  host: "127.0.0.1",
  port: 18_686,
  lan: null,
  ca: "/ada/weir-ca.pem",
  bundle: "/ada/weir-ca-bundle.pem",
  der: "/ada/weir-ca.cer",
  keyHash: "hash=",
  url: "https://probe.weir.test/anything/weir/x",
  reverse: 9001,
  transparent: 8443,
};

/** docs/specification.md, Categories, slugs. */
const SLUGS: Readonly<Record<(typeof CATEGORIES)[number], string>> = {
  Runtimes: "python nodejs ruby go rust java php dotnet deno bun",
  "Command line": "curl terminal wget httpie git npm",
  Browsers: "firefox chromium",
  "API clients": "postman insomnia rapidapi-mac bruno",
  Frameworks: "nextjs electron",
  Containers: "docker",
  "Devices and emulators": "ios-device ios-simulator android-device android-emulator tvos-watchos visionos phone-socks",
  "Mobile frameworks": "flutter react-native",
  "Without an HTTP proxy setting": "socks reverse transparent proxychains tun2proxy proxybridge",
};

/** The required snippet variants: target, section, and the ids of its variants. */
const SEED_VARIANTS: readonly (readonly [slug: string, place: string | null, ids: string])[] = [
  ["python", "In the program", "requests httpx aiohttp urllib3"],
  ["nodejs", "In the program", "axios node-https got"],
  ["ruby", "In the program", "net-http httparty faraday"],
  ["go", "In the program", "net-http resty"],
  ["rust", "In the program", "reqwest"],
  ["curl", null, "command environment"],
  ["java", "Keystore import", "keystore"],
  ["java", "In the program", "httpclient"],
  ["firefox", null, "network-settings authority-import localhost-probe"],
  ["postman", null, "proxy-settings ca-certificate collection command-line-preflight"],
  ["insomnia", null, "proxy-settings ca-certificate command-line-preflight"],
  ["rapidapi-mac", null, "system-proxy keychain-trust command-line-preflight"],
  ["docker", null, "run"],
  ["electron", null, "proxy-server set-proxy"],
  ["nextjs", null, "route-handler instrumentation environment"],
];

/** A page must not imply that anything is set up automatically. */
const IMPLIES_AUTOMATION = [
  /\bautomat/i,
  /\bauto-/i,
  /\bone[- ]click/i,
  /\bfor you\b/i,
  /\bpairs?\b/i,
  /\bWeir (?:will |can |also )?(?:installs?|configures?|trusts?|imports?|pairs?|sets?|changes?|launches|launch|opens?|runs?|starts?|adds?|enables?|edits?|rewrites?|patches|registers?)\b/,
  /\b(?:networksetup|security add-trusted-cert|simctl|adb|osascript|certmgr|Import-Certificate|update-ca-certificates)\b/,
];

/** Verification is never switched off, and no text advises it. */
const SWITCHES_VERIFICATION_OFF = [
  /insecure/i,
  /(?:^|\s)-k\b/m,
  /verify\s*[=:]\s*(?:False|false|no\b|0)/,
  /rejectUnauthorized/i,
  /NODE_TLS_REJECT/,
  /CERT_NONE|VERIFY_NONE/,
  /no-check-certificate/,
  /ignore-certificate-errors(?!-spki-list\^?=)/,
  /strict-ssl/,
  /sslVerify|SSL_NO_VERIFY/i,
  /danger_accept|accept_invalid/,
  /ServerCertificateCustomValidationCallback|TrustManager/,
  /SSL_VERIFYPEER|verify_peer/,
  /--ssl-revoke-best-effort|--ssl-no-revoke/,
];

describe("Setup Hub targets", (test) => {
  test("given a proxy at an IPv6 address, writes brackets before the port, and none where only a host is asked for", () => {
    const at = { ...VALUES, host: "::1" };
    for (const target of TARGETS) {
      const { slug, variants } = target;
      const texts = variants.flatMap(({ id, forms }) => forms.map((form) => [id, form.text(at)] as const));
      for (const [id, text] of [...texts, ...setupOf(target, at).map(({ code }) => ["setup", code ?? ""] as const)]) {
        assert.not.match(text, "::1:18686", `${slug} ${id}`);
        // Brackets only together with a port, as in a URL; a host given separately has none.
        const alone = text.replaceAll(/\[::1\]:\d+/g, "");
        assert.not.match(alone, "[::1]", `${slug} ${id}`);
      }
    }
    for (const variant of targetOf("nodejs")?.variants ?? [])
      if (["axios", "got"].includes(variant.id))
        assert.match(variant.forms[0]?.text(at) ?? "", '{ protocol: "http:", hostname: "::1", port: 18686 }');
  });

  test("given Node.js, says of no block for all versions that it leaves the code alone", () => {
    const shell = known("nodejs").variants.find(({ id }) => id === "environment");
    assert.is(shell?.heading, "From the shell, also for fetch");
    const versions = new Map(shell?.forms.map(({ version, installFor }) => [version, installFor]));
    const expected = new Map([
      ["Node.js 20 and newer", "Node.js 20 to 22.20 and 23 to 24.4, whose own programs need the lines for fetch above"],
      ["Node.js 22.21, 24.5 and newer", undefined],
    ]);
    assert.equal([...versions], [...expected]);
  });

  test("given each category, lists the specification's targets in order", () => {
    for (const category of CATEGORIES)
      assert.is(
        TARGETS.filter((target) => target.category === category)
          .map(({ slug }) => slug)
          .join(" "),
        SLUGS[category],
      );
    assert.is(TARGETS.length, 40);
    assert.is(targetOf("nobody"), null);
  });

  for (const [slug, place, ids] of SEED_VARIANTS) {
    test(`given ${slug}, lists the required variants${place === null ? "" : ` (${place})`}: ${ids}`, () => {
      const variants = known(slug).variants.filter((variant) => place === null || variant.heading === place);
      assert.is(variants.map(({ id }) => id).join(" "), ids);
    });
  }

  test("given Node.js, the text of each variant that is shown first fits every version from 20 on", () => {
    for (const { id, forms } of known("nodejs").variants)
      assert.ok([null, "Node.js 20 and newer"].includes(forms[0]?.version ?? null), id);
  });

  test("given a target without a snippet, it is guide-only, and a device or a mobile framework", () => {
    for (const { slug, support, variants, category } of TARGETS) {
      const guide = category === "Devices and emulators" || category === "Mobile frameworks";
      assert.is(support === "Guide only", guide, slug);
      assert.is(variants.length === 0, guide, slug);
    }
  });

  test("given any target, fills its five tabs", () => {
    for (const target of TARGETS) {
      const { slug, overview, summary, probe, knownErrors: troubles } = target;
      for (const text of [summary, ...Object.values(overview), probe.how]) assert.match(text, /^\S.{3,}\.$/s, slug);
      assert.ok(setupOf(target, VALUES).length >= 3, slug);
      assert.ok(
        target.trust?.kind === "no-certificate" ||
          troubles.some(({ meaning }) => meaning.includes("does not trust Weir's certificate")),
        slug,
      );
      assert.ok(
        troubles.some(({ meaning }) => meaning.includes("Nothing listens")),
        slug,
      );
      assert.ok(
        troubles.some(({ meaning }) => meaning.includes("bypassed the proxy")),
        slug,
      );
    }
  });

  test("given LAN listening off and on, the setup steps show the current addresses", () => {
    assert.match(stepsOf("curl", VALUES), "http://127.0.0.1:18686");
    assert.match(stepsOf("android-emulator", VALUES), "10.0.2.2:18686");
    for (const slug of ["ios-device", "android-device", "visionos", "tvos-watchos", "docker"]) {
      assert.match(stepsOf(slug, VALUES), "Reachable from the local network", slug);
      assert.match(stepsOf(slug, { ...VALUES, lan: "192.168.1.20" }), "192.168.1.20:18686", slug);
    }
  });

  test("given a device or mobile framework, the setup steps contain the required instructions", () => {
    const expected: Readonly<Record<string, readonly string[]>> = {
      "ios-device": ["Configure Proxy", "profile", "Certificate Trust Settings"],
      "ios-simulator": ["loopback", "Drag the PEM", "Cold-launch"],
      "android-device": ["Manual", "CA certificate", "network-security-config", 'src="user"'],
      "android-emulator": ["10.0.2.2", "Extended controls", "press Apply", "AndroidWifi", "CA certificate"],
      "tvos-watchos": ["iOS simulator page", "iOS device page"],
      visionos: ["Certificate Trust Settings"],
      flutter: ["findProxy", "iOS or Android page"],
      "react-native": ["Metro", "open it again"],
    };
    for (const [slug, words] of Object.entries(expected))
      for (const word of words) assert.match(stepsOf(slug, VALUES), word, slug);
    for (const slug of ["tvos-watchos", "visionos"])
      assert.match(known(slug).overview.today, "no pairing workflow", slug);
  });

  test("given all texts of the hub, none implies that Weir sets up anything automatically", () => {
    for (const [where, text] of allTexts()) {
      const plain = text.replaceAll("There is no pairing", "").replaceAll("no dedicated pairing", "");
      for (const pattern of IMPLIES_AUTOMATION) assert.not.match(plain, pattern, where);
    }
  });

  test("given all texts of the hub, none turns certificate verification off", () => {
    for (const [where, text] of allTexts())
      for (const pattern of SWITCHES_VERIFICATION_OFF) assert.not.match(text, pattern, where);
  });

  test("given a Windows path, Java's trust store option has the full path and no Unicode escape", () => {
    const folder = "C:\\data\\users\\Ada's files\\";
    const values = { ...VALUES, ca: `${folder}weir-ca.pem` };
    for (const slug of ["java", "socks"])
      for (const { language, forms } of known(slug).variants)
        if (language === "java")
          for (const form of forms) {
            const text = form.text(values);
            assert.match(text, "-Djavax.net.ssl.trustStore=C:/data/users/Ada's files/weir-cacerts");
            assert.not.match(text, "\\u");
          }
  });

  test("given an environment block, sets both letter cases and an empty NO_PROXY", () => {
    let blocks = 0;
    for (const [, , text] of snippets()) {
      if (!/^(?:export \w+=|set -gx|\$env:|set ")/m.test(text)) continue;
      blocks += 1;
      for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"])
        assert.match(text, new RegExp(`\\b${name}\\b.*http://127\\.0\\.0\\.1:18686`));
      for (const name of ["NO_PROXY", "no_proxy"])
        assert.match(text, new RegExp(`\\b${name}(?:=(?:''|")?| ''| = '')$`, "m"));
    }
    assert.ok(blocks > 50);
  });

  test("given a trust setting, names the bundle if it replaces trust and the root if it adds trust", () => {
    const replace =
      /(?:REQUESTS_CA_BUNDLE|SSL_CERT_FILE|CURL_CA_BUNDLE|GIT_SSL_CAINFO|AWS_CA_BUNDLE|npm_config_cafile|--cacert|--cafile|--verify|sslCAInfo=|session\.verify|ca_certs=|ca_file|ssl_ca_file|CURLOPT_CAINFO|"cafile"|certificateAuthority = readFileSync\(|\bca: )/;
    const add =
      /(?:NODE_EXTRA_CA_CERTS|DENO_CERT|--ca-certificate|--ssl-extra-ca-certs|load_verify_locations|keytool -importcert|certutil -A)/;
    let looked = 0;
    for (const [target, , text] of snippets()) {
      // bru's --cacert adds roots (--ignore-truststore would replace them), and a container sees the
      // bundle at another path.
      if (target.slug === "bruno" || target.slug === "docker") continue;
      for (const line of text.split("\n")) {
        if (!line.includes("/ada/weir-ca")) continue;
        looked += 1;
        if (replace.test(line)) assert.match(line, VALUES.bundle, line);
        if (add.test(line)) assert.match(line, VALUES.ca, line);
      }
    }
    assert.ok(looked > 100);
    // Insomnia passes its curl only that file.
    const [certificate] = known("insomnia").variants.filter(({ id }) => id === "ca-certificate");
    assert.match(certificate?.forms[0]?.text(VALUES) ?? "", VALUES.bundle);
    assert.match(stepsOf("insomnia", VALUES), VALUES.bundle);
    assert.not.match(stepsOf("insomnia", VALUES), VALUES.ca);
  });

  test("given Electron's setProxy call, offers it for CommonJS and for ES modules", () => {
    const [setProxy] = known("electron").variants.filter(({ id }) => id === "set-proxy");
    const [commonJs, module] = setProxy?.forms.map((form) => form.text(VALUES).split("\n")[0]) ?? [];
    assert.is(commonJs, 'const { app, net, session } = require("electron");');
    assert.is(module, 'import { app, net, session } from "electron";');
  });

  test("given any snippet, addresses the proxy by number and http, never as localhost", () => {
    for (const [, variant, text] of snippets()) {
      assert.not.match(text, /https:\/\/127\.0\.0\.1:18686/);
      if (variant.id !== "localhost-probe") assert.not.match(text, /localhost:18686/);
    }
  });

  test("given a URL with brackets or braces, curl gets --globoff, and otherwise not", () => {
    let commands = 0;
    for (const [url, isTold] of [
      [VALUES.url, false],
      ["https://a.test/?ids[]=1", true],
      ["https://a.test/{a,b}", true],
      ["https://[2001:db8::1]/", true],
    ] as const) {
      for (const slug of ["curl", "terminal", "docker"]) {
        for (const form of known(slug).variants.flatMap(({ forms }) => forms)) {
          const lines = form.text({ ...VALUES, url }).split("\n");
          const asking = lines.filter((line) => line.includes(url) && line.includes("curl"));
          commands += asking.length;
          for (const line of asking) assert.is(line.includes(" --globoff "), isTold, line);
        }
      }
    }
    assert.ok(commands > 20);
  });

  test("given a bundle path with a colon, docker mounts the bundle with --mount, otherwise with -v", () => {
    const mountOf = (bundle: string): string => {
      const form = known("docker").variants[0]?.forms.find(({ shell }) => shell === "sh");
      const text = form?.text({ ...VALUES, lan: "192.168.1.20", bundle }) ?? "";
      return text.slice("docker run --rm ".length, text.indexOf(" curlimages")).replaceAll("'", "");
    };
    assert.is(mountOf("/w/b.pem"), "-v /w/b.pem:/weir-ca.pem:ro");
    assert.is(mountOf("C:\\w\\b.pem"), "-v C:\\w\\b.pem:/weir-ca.pem:ro");
    assert.is(mountOf("/w:1/b.pem"), "--mount type=bind,source=/w:1/b.pem,target=/weir-ca.pem,readonly");
    assert.is(mountOf("/w:1, 2/b.pem"), `--mount type=bind,"source=/w:1, 2/b.pem",target=/weir-ca.pem,readonly`);
  });

  test("given lines for PowerShell, no unquoted word starts with a hyphen and has a dot, where PowerShell splits the word", () => {
    const steps = TARGETS.flatMap((target) => setupOf(target, VALUES).map(({ code }) => code ?? ""));
    const comments = [...snippets()].flatMap(([, , text]) => /^\/\/ (java .*)$/m.exec(text)?.[1] ?? []);
    const typed = [...snippets()].flatMap(([, , text, shell]) => (shell === "powershell" ? text : []));
    assert.is(comments.length, 2);
    for (const text of [...steps, ...comments, ...typed])
      assert.not.match(text.replaceAll(/'[^']*'|"[^"]*"/g, ""), /(?:^|\s)-\w[^\s.]*\./m, text);
  });

  test("given variants with the same heading, lists them together", () => {
    const places = headingsOf(known("python"));
    assert.equal(
      places.map(({ heading: place, variants }) => [place, variants.length]),
      [
        ["In the program", 4],
        ["From the shell, without touching code", 1],
      ],
    );
  });

  test("given a target labelled as proven, its variants were run as the label says", () => {
    for (const { slug, support, variants } of TARGETS) {
      const ran = variants.filter((variant) => variant.forms.some((form) => form.ran !== null));
      if (support === "Proven end-to-end") assert.is(ran.length, variants.length, slug);
      if (support === "Proven when the tool is present") assert.ok(ran.length > 0, slug);
    }
  });
});

function known(slug: string): Target {
  const target = targetOf(slug);
  if (target === null) throw new Error(`no target ${slug}`);
  return target;
}

function stepsOf(slug: string, values: Values): string {
  return setupOf(known(slug), values)
    .map(({ text, code }) => `${text} ${code ?? ""}`)
    .join("\n");
}

function* snippets(): Generator<readonly [Target, Variant, string, shell: Form["shell"]]> {
  for (const target of TARGETS) {
    for (const variant of target.variants)
      for (const form of variant.forms) yield [target, variant, form.text(VALUES), form.shell];
  }
}

/** All texts of the hub that a user can read, each with its location. */
function* allTexts(): Generator<readonly [where: string, text: string]> {
  for (const target of TARGETS) {
    const { slug, name, summary, overview, probe, variants, knownErrors: troubles, trust } = target;
    const texts = [
      name,
      summary,
      ...Object.values(overview),
      probe.how,
      ...Object.values(trust ?? {}).flat(),
      stepsOf(slug, VALUES),
      stepsOf(slug, { ...VALUES, lan: "10.1.1.1" }),
    ];
    for (const { title, heading: place, note } of variants) texts.push(title, place, note ?? "");
    for (const { text, meaning, fix } of troubles) texts.push(text, meaning, fix);
    for (const text of texts) yield [slug, text];
  }
  yield* goldenTexts();
  const pages = readdirSync(PAGES).filter((name) => name.endsWith(".html"));
  for (const path of [...pages.map((name) => join(PAGES, name)), ...SAID]) yield [path, readFileSync(path, "utf8")];
}
