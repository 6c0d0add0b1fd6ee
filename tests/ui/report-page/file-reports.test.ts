import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { FileReports } from "../../../src/ui/report-page/file-reports.ts";
import { type FromWorker, MOST_BYTES } from "../../../src/ui/report-page/report-messages.ts";
import { describe } from "../../support/describe.ts";
import { zipOf } from "../../support/made-zip.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const FIXTURES = fileURLToPath(new URL("../../fixtures/", import.meta.url));
const WEIR = fileURLToPath(new URL("../../../scripts/weir.mjs", import.meta.url));
const FACTS = { version: "1.2.3", madeAt: "2026-11-29T08:00:00.000Z", redact: true };
const HAR_FILES = readdirSync(FIXTURES, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".har"))
  .map((name) => join(FIXTURES, name));

/** Runs a command in a folder. Returns its output and its messages. */
function weir(folder: string, ...words: readonly string[]): { readonly text: string; readonly complaint: string } {
  const { stdout, stderr } = spawnSync(process.execPath, [WEIR, ...words], {
    cwd: folder,
    env: { ...process.env, TMPDIR: folder },
    encoding: "utf8",
    maxBuffer: 1024 ** 3,
  });
  return { text: stdout, complaint: stderr };
}

const fileOf = (path: string) => new File([readFileSync(path)], basename(path));

async function reported(files: readonly File[], most = MOST_BYTES): Promise<readonly FromWorker[]> {
  const said: FromWorker[] = [];
  await new FileReports(most).report(files, FACTS, (message) => said.push(message));
  return said;
}

const htmlIn = (said: readonly FromWorker[]) => said.flatMap((one) => (one.type === "report" ? [one.html] : [])).join();
const refusedIn = (said: readonly FromWorker[]) =>
  said.flatMap((one) => (one.type === "refused" ? [`${one.name}: ${one.problem}`] : []));

describe("reports of files in the page", (test) => {
  test("given the HAR files of real tools, makes the report and the redacted files that the command makes", () =>
    withFolder(async (folder) => {
      assert.ok(HAR_FILES.length > 10);
      const { text, complaint } = weir(folder, "report", "--format", "html", ...HAR_FILES);
      const [, version = "", madeAt = ""] = /Made by Weir (\S+) on (\S+)\. /.exec(text) ?? [];
      const reports = new FileReports();
      const said: FromWorker[] = [];
      const facts = { version, madeAt, redact: true };
      await reports.report(HAR_FILES.map(fileOf), facts, (message) => said.push(message));
      assert.is(htmlIn(said), text);
      for (const line of refusedIn(said)) assert.ok(complaint.includes(line.slice(line.indexOf(": ") + 2)), line);
      const steps = said.flatMap((one) => (one.type === "progress" ? [one.step] : []));
      assert.ok(["Reading", "Analyzing"].every((word) => steps.some((step) => step.startsWith(word))));

      const names = said.flatMap((one) => (one.type === "report" ? one.names : []));
      for (const index of [0, names.length - 1]) {
        const path = HAR_FILES.find((file) => basename(file) === names[index]) ?? "";
        const exported = weir(folder, "export", path, "--format", "har").text;
        const saved: FromWorker[] = [];
        await reports.saveHar(index, (message) => saved.push(message));
        const last = saved.at(-1);
        assert.is(last?.type === "har" ? last.name : "", `${basename(path, ".har")}-redacted.har`);
        assert.is(last?.type === "har" ? await last.file.text() : "", exported);
      }
    }));

  test("given a zip archive with bodies beside its HAR file, reads them as the command does, within the same limits", () =>
    withFolder(async (folder) => {
      const bodies = {
        "a.json": Buffer.from(JSON.stringify({ text: "body ".repeat(2_000) })),
        "bomb.txt": Buffer.alloc(9_000_000, " "),
      };
      const entries = Object.keys(bodies).map((_file, index) => ({
        startedDateTime: new Date(1.79e12 + index * 1_000).toISOString(),
        time: 100,
        request: { method: "GET", url: `http://api.test/${_file}`, httpVersion: "HTTP/1.1", headers: [] },
        response: { status: 200, headers: [], content: { mimeType: "text/plain", size: 1, _file }, bodySize: 9_000 },
        timings: { send: 1, wait: 90, receive: 9 },
      }));
      const har = Buffer.from(JSON.stringify({ log: { entries } }));
      const zip = new Uint8Array(zipOf([["har.har", har], ...Object.entries(bodies)], 8));
      writeFileSync(join(folder, "a.zip"), zip);
      const { text, complaint } = weir(folder, "export", "a.zip", "--format", "har");
      assert.match(text, "body body");
      const [, version = ""] = /"name":"Weir","version":"([^"]*)"/.exec(text) ?? [];
      const reports = new FileReports();
      const said: FromWorker[] = [];
      await reports.report([new File([zip], "a.zip")], { ...FACTS, version }, (message) => said.push(message));
      assert.match(refusedIn(said).join(), /^a\.zip: 1 body could not be read\. "bomb\.txt": .*200 times its size/);
      assert.match(complaint, refusedIn(said).join().slice("a.zip: ".length));
      await reports.saveHar(0, (message) => said.push(message));
      const last = said.at(-1);
      assert.ok(last?.type === "har" && (await last.file.text()) === text);
      assert.match(
        refusedIn(await reported([new File([zip], "a.zip")], har.length)).at(-1) ?? "",
        "reads at most 300 MB",
      );
    }));

  test("given files that are no HAR file, names each with the reason, and reports the others", async () => {
    const [path = ""] = HAR_FILES;
    const packed = gzipSync(readFileSync(path));
    const said = await reported([
      new File(["text"], "notes.txt"),
      new File([], "empty.har"),
      new File(['{"log":{"entries":[]}}'], "none.har"),
      new File(['{"log":{"entries":['], "cut.har"),
      new File([packed.subarray(0, packed.length / 2)], "cut.har.gz"),
      new File([packed], "packed.har.gz"),
    ]);
    assert.equal(refusedIn(said), [
      "notes.txt: This is not a HAR file: it is not one JSON object.",
      "empty.har: This file is empty.",
      "none.har: The file holds no exchange.",
      "cut.har: This file was cut off: its JSON is incomplete.",
      "cut.har.gz: This compressed file is damaged or was cut off.",
    ]);
    const plain = htmlIn(await reported([fileOf(path)]));
    assert.is(htmlIn(said), plain.replaceAll(basename(path), "packed.har.gz"));
  });

  test("given more bytes than are read, plain, together or unpacked, says to use the command", async () => {
    const [path = ""] = HAR_FILES;
    const { size } = fileOf(path);
    const bomb = new File([gzipSync(Buffer.alloc(4 * size, " "))], "bomb.har.gz");
    for (const [files, names] of [
      [[fileOf(path)], []],
      [[fileOf(path), fileOf(path)], [basename(path)]],
      [[bomb], []],
    ] as const) {
      const said = await reported(files, files.length === 1 && files[0] !== bomb ? size - 1 : 2 * size - 1);
      const refused = refusedIn(said);
      assert.is(refused.length, 1);
      assert.match(refused[0] ?? "", /: This page reads at most 300 MB\. The command reads larger files: weir report /);
      assert.equal(
        said.flatMap((one) => (one.type === "report" ? one.names : [])),
        names,
      );
    }
  });

  test("given no file that can be read, makes no report", async () => {
    const last = (await reported([new File(["x"], "x.har")])).at(-1);
    assert.equal(last?.type === "report" ? last.names : null, []);
  });
});
