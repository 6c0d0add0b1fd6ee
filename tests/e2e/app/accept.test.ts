import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { weir } from "../../support/weir-in-folder.ts";

/** A HAR file in which each path of a host fails twelve times. */
function failing(folder: string, host: string, ...paths: readonly string[]): string {
  const entries = paths.flatMap((path, position) =>
    Array.from({ length: 12 }, (_, index) => ({
      startedDateTime: new Date(Date.UTC(2026, 2, 3, 10, position, index * 4)).toISOString(),
      time: 120,
      request: { method: "GET", url: `https://${host}${path}?number=${index}`, httpVersion: "HTTP/1.1", headers: [] },
      response: { status: 500, httpVersion: "HTTP/1.1", headers: [], content: { size: 0 }, bodySize: 0 },
      timings: { blocked: 0, dns: -1, connect: -1, ssl: -1, send: 1, wait: 115, receive: 4 },
    })),
  );
  const file = join(folder, `${host}.har`);
  writeFileSync(file, JSON.stringify({ log: { version: "1.2", entries } }));
  return file;
}

const FILE = "weir.accepted.json";

describe("weir accept", (test) => {
  test("given a known finding, makes weir check list it and pass; on another host by alias alone; once expired, fail", () =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, "weir.budget.json"), '{"findings":{"no":["errors"]}}');
      const har = failing(folder, "api.test", "/prices");
      const before = await weir(folder, "check", har);
      assert.is(before.code, 1);
      const [, fingerprint = ""] = /\[([0-9a-f]{16})\]\n/.exec(before.text) ?? [];
      const accepted = await weir(folder, "accept", fingerprint.slice(0, 6), har, "--reason", "Being replaced.");
      assert.equal(accepted, {
        code: 0,
        complaint: "",
        text: `Accepted in ${FILE}:\n  ${fingerprint}  errors GET api.test/prices\n`,
      });
      const path = join(folder, FILE);
      const written = readFileSync(path, "utf8");
      assert.equal(JSON.parse(written), {
        schema: 1,
        accepted: [
          {
            fingerprint,
            finding: "errors GET api.test/prices",
            reason: "Being replaced.",
            cost: { time: 1_440, count: 12, requests: 12, p50: 120, latencies: 12 },
          },
        ],
      });
      if (process.platform !== "win32") assert.is(statSync(path).mode & 0o777, 0o666 & ~process.umask());
      assert.equal(readdirSync(folder).toSorted(), ["api.test.har", FILE, "weir.budget.json"].toSorted());
      const after = await weir(folder, "check", har);
      assert.equal([after.code, after.complaint], [0, ""]);
      assert.match(after.text, /, 1 accepted\.\n {2}accepted {2}errors: .* \(accepted: Being replaced\.\) \[/);

      const staging = failing(folder, "staging.test", "/prices");
      const unknown = await weir(folder, "check", staging);
      assert.is(unknown.code, 1);
      assert.ok(unknown.text.includes(`${FILE}: ${fingerprint} (errors GET api.test/prices) fits no finding.\n`));
      assert.is((await weir(folder, "check", staging, "--host-alias", "staging.test=api.test")).code, 0);
      writeFileSync(join(folder, "errors.json"), '{"endpoints":{"*":{"errors":1}}}');
      const limits = ["--budget", "errors.json", "--host-alias", "staging.test=api.test"];
      const [onStaging, onApi] = await Promise.all([staging, har].map((one) => weir(folder, "check", one, ...limits)));
      assert.match(onStaging?.text ?? "", "  broken    GET https://api.test/prices: errors 100 %", "called alike");
      assert.is(onStaging?.text.replace("staging.test.har", "api.test.har"), onApi?.text);

      writeFileSync(path, written.replace('"Being replaced."', '"Being replaced.", "until": "2020-01-01"'));
      const expired = await weir(folder, "check", har);
      assert.is(expired.code, 1);
      assert.match(
        expired.text,
        / {2}broken +errors: .* \(accepted until 2020-01-01, which is over: Being replaced\.\)/,
      );
      // An entry is replaced, so that a new date is one command.
      const renewed = await weir(folder, "accept", "--all", har, "--reason", "Again.", "--until", "9999-12-31");
      assert.is(renewed.code, 0, renewed.complaint);
      assert.is(JSON.parse(readFileSync(path, "utf8")).accepted.length, 1);
      assert.match((await weir(folder, "check", har)).text, /accepted until 9999-12-31: Again\./);
      const unlimited = await weir(folder, "accept", "--all", har, "--reason", "Again.");
      assert.match(unlimited.text, / \(without a last day now, before: 9999-12-31\)\n$/);
    }));

  test("given what cannot be accepted, says why and writes nothing", () =>
    withFolder(async (folder) => {
      // Among 20 findings, two fingerprints begin with the same digit.
      const har = failing(folder, "api.test", ...Array.from({ length: 20 }, (_, index) => `/p${"x".repeat(index)}`));
      const said = async (...words: readonly string[]) => {
        const { code, text, complaint } = await weir(folder, "accept", ...words);
        assert.equal([code, text], [2, ""], complaint);
        return complaint.split("\n")[0] ?? "";
      };
      const why = ["--reason", "Known."];
      assert.match(await said(har, ...why), /^Give the fingerprint of a finding, /);
      assert.match(await said("--all", "abcd", har, ...why), /^Give fingerprints or --all, not both/);
      assert.match(await said("--all", har), /^--reason says why/);
      assert.match(await said("--all", har, "--reason", " "), /^--reason says why/);
      assert.match(await said("--all", har, ...why, "--until", "2020-01-01"), /^--until 2020-01-01 is over already/);
      assert.match(await said("--all", har, ...why, "--host-alias", "a"), /^--host-alias: "a" does not have the form/);
      assert.match(
        await said("0000000000000000", har, ...why),
        /^No finding has the fingerprint 0{16}\. There are: .* more\.$|\)\.$/,
      );
      const absent = await weir(folder, "check", har, "--accepted", "none.json");
      assert.match(absent.complaint, /budget|none\.json/);
      assert.ok(!existsSync(join(folder, FILE)));
      for (const broken of ["<<<<<<< HEAD", '{"name":"weir"}']) {
        writeFileSync(join(folder, FILE), broken);
        assert.match(
          await said("--all", har, ...why),
          /^weir\.accepted\.json: (?:Line 1: a merge left its conflict|Line 1: the file has no list)/,
        );
        assert.is(readFileSync(join(folder, FILE), "utf8"), broken);
      }
    }));
});
