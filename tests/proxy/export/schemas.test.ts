import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { type ExportForm, exportText } from "../../../extensions/proxy/export/export-text.ts";
import { type OpenedSource, openSource, type Wanted } from "../../../extensions/proxy/export/opened-source.ts";
import { reportOf } from "../../../extensions/proxy/export/session-report.ts";
import { keptFiguresOf } from "../../../extensions/proxy/export/stored-figures.ts";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { SettingsFile } from "../../../extensions/proxy/storage/settings-file.ts";
import { documentTexts, SCHEMAS } from "../../../scripts/schemas.ts";
import { acceptedText } from "../../../src/engine/budget/accepted-file.ts";
import { withAcceptance } from "../../../src/engine/budget/accepted-verdicts.ts";
import { verdictsOf } from "../../../src/engine/budget/endpoint-verdicts.ts";
import { verdictText } from "../../../src/engine/budget/verdict-texts.ts";
import { HAR_SEPARATOR, harEnd, harStart } from "../../../src/engine/interchange/har.ts";
import { EXPORT_TABLES } from "../../../src/engine/messages/exchange-messages.ts";
import { FINDING_KINDS } from "../../../src/engine/model/finding.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { NUMBER_BOUNDS } from "../../../src/engine/model/setting-rules.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import { endpointStatsOf } from "../../../src/engine/session/lists/endpoint-lists.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { anyExchanges, eventsOf, instant } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { entryText, harSource } from "../../support/har-source.ts";
import { schemaProblems } from "../../support/json-schema.ts";
import { IS_QUICK, rounds, someOf } from "../../support/rounds.ts";
import { simulatedExperiment } from "../../support/simulated-experiments.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { message } from "../storage/story.ts";

const DOCS = fileURLToPath(new URL("../../../docs/", import.meta.url));
/** Of each HAR file; findings need some hundreds, schemas do not. */
const ENTRIES = IS_QUICK ? 100 : Number.POSITIVE_INFINITY;
const DIAGNOSIS = new URL("../../diagnosis/", import.meta.url);

interface Class {
  readonly name: string;
  readonly make: (
    random: unknown,
  ) => Promise<{ readonly har: { readonly log: { readonly entries: readonly unknown[] } } }>;
}

/** HAR files with a planted cause each, one of every tenth class. */
async function plantedHars(folder: string): Promise<readonly Wanted[]> {
  const { causes } = (await import(new URL("causes.mjs", DIAGNOSIS).href)) as { causes: readonly Class[] };
  const { Random } = await import(new URL("world/random.mjs", DIAGNOSIS).href);
  const made: Wanted[] = [];
  for (const { name, make } of someOf(causes.filter((_, index) => index % 10 === 3))) {
    const file = join(folder, `${made.length}.har`);
    const { log } = (await make(new Random(name))).har;
    writeFileSync(file, JSON.stringify({ log: { ...log, entries: log.entries.slice(0, ENTRIES) } }));
    made.push({ file });
  }
  return made;
}

/** Drawn sessions in one data folder, each with ten requests to one endpoint, so that the later ones have trends. */
function drawnSessions(folder: string): readonly Wanted[] {
  const store = SessionStore.open(folder, 1024 ** 3);
  return fc.sample(anyExchanges(IS_QUICK ? 50 : 200), rounds(6)).map((exchanges, index) => {
    const at = index * 10_000_000;
    const id = store.startSession(instant(at));
    const session = new Session();
    const last = exchanges.at(-1)?.instants.startTime ?? 0;
    const same = Array.from({ length: 10 }, (_, more) => {
      const start = last + (more + 1) * 1_000;
      return exchange({ id: exchanges.length + more + 1, target: "/same", start, end: start + 50 + more });
    });
    for (const one of [...exchanges, ...same]) {
      const events = eventsOf(one);
      session.apply(events);
      store.append(events);
    }
    const later = { endpoint: "GET https://api.test/later", follows: 1, asked: 1 };
    const experiment = simulatedExperiment(index, [later, { follows: 0, asked: 0.9 }], {
      target: "GET https://api.test/same",
      client: index % 2 === 0 ? null : "127.0.0.1",
      blocks: 2 * (index + 1),
    }).ended;
    store.append([{ type: "experiment-ended", at: instant(at), experiment }]);
    store.endSession(instant(at + 9_000_000), keptFiguresOf(session));
    return { session: id, dataDir: folder };
  });
}

async function textOf(source: OpenedSource, form: ExportForm): Promise<string> {
  const pieces = unwrap(exportText(source, form, "", true));
  let text = "";
  for await (const piece of pieces) text += piece.text;
  return text;
}

function isValid(name: string, value: unknown, what: string): void {
  const schema = SCHEMAS[`weir.${name}.schema.json`];
  if (schema === undefined) throw new Error(`there is no schema ${name}`);
  assert.equal(schemaProblems(schema, value).slice(0, 5), [], `${name} of ${what}`);
}

async function eachSource(body: (source: OpenedSource) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    for (const wanted of [...(await plantedHars(folder)), ...drawnSessions(join(folder, "data"))]) {
      const source = unwrap(await openSource(wanted));
      await body(source);
      source.close();
    }
  });
}

describe("published JSON schemas", (test) => {
  test("given the sources, docs/schema contains the schemas that they generate (npm run golden writes them)", () => {
    for (const [path, text] of documentTexts()) assert.fixture(text, readFileSync(join(DOCS, path), "utf8"), path);
  });

  test("given exports, reports and verdicts of drawn sessions and of HAR files, describe each", async () => {
    const budget = { endpoints: { "*": { p95: 10, n: 9, count: 100, errors: 1 } }, findings: { no: FINDING_KINDS } };
    const filled = new Set<string>();
    await eachSource(async (source) => {
      for (const table of EXPORT_TABLES) {
        const rows = JSON.parse(await textOf(source, { format: "json", table }));
        isValid(table, rows, source.name);
        isValid(table, [{ source: source.name, rows }], source.name);
        if (rows.length > 0) filled.add(table);
      }
      isValid("exchanges", JSON.parse(await textOf(source, { format: "json", table: null })), source.name);
      isValid("har", JSON.parse(await textOf(source, { format: "har", table: null })), source.name);
      const report = await reportOf(source, true);
      isValid("report", report, source.name);
      if ((report?.experiments?.length ?? 0) > 0) filled.add("experiments");
      isValid("report", [report, report], source.name);
      const requested = source.session.tallies
        .counted()
        .map((tally) => ({ endpoint: tally.endpoint, requests: tally.requests, stats: endpointStatsOf(tally) }));
      const verdicts = verdictsOf(budget, requested, report?.findings ?? []);
      const entries = (report?.findings ?? []).slice(0, 4).map(({ fingerprint = "" }, index) => ({
        fingerprint,
        reason: "Known.",
        cost: { time: 1, count: 1, requests: 9, p50: 0.1, latencies: 9 },
        ...(index % 2 === 0 ? { until: "2020-01-01" } : {}),
      }));
      isValid("accepted", JSON.parse(acceptedText({ schema: 1, accepted: entries })), source.name);
      const grown = () => ({ from: "1 ms in 9 requests", to: "2 ms in 9 requests" });
      const accepted = withAcceptance(verdicts.verdicts, report?.findings ?? [], entries, "2026-01-01", grown);
      const judged = {
        source: source.name,
        ...verdicts,
        verdicts: accepted,
        gone: [{ kind: "errors", summary: "Five.", fingerprint: "0" }],
        changed: [{ endpoint: "GET https://a.test/", verdict: "slower", detail: "" }],
      } as const;
      const text = verdictText([judged], "json", {
        version: "1",
        budget: null,
        notes: ["A note."],
        baseline: "main.har",
        accepted: null,
      });
      isValid("check", JSON.parse(text), source.name);
    });
    if (!IS_QUICK) assert.equal([...filled].sort(), [...EXPORT_TABLES, "experiments"].toSorted());
  });

  test("given HAR entries of every kind, describe each field with an underscore", () => {
    const problem = "unknown coding";
    const said = { ...message(1, Buffer.from("said")), cut: true };
    const drawn = fc.sample(anyExchanges(), 20).flat();
    const entries = [
      ...drawn.map((one) => ({ ...harSource(), exchange: one })),
      harSource({ requestBody: Uint8Array.of(255), cutAt: 1, annotation: { mark: "flag", comment: "look" } }),
      harSource({ responseBody: "x", problem, contentEncoding: "x", decodedBodySize: null, encodedBodySize: 9 }),
      {
        ...harSource({ tags: ["websocket"], program: "curl", messages: [said] }),
        initiator: { url: "https://a.test/", isScript: true },
      },
      {
        ...harSource(),
        pageref: "page_1",
        fields: {
          _initiator: "https://a.test/",
          _initiator_detail: "{}",
          _initiator_type: "parser",
          _priority: "High",
          _initialPriority: "Low",
          _initial_priority: "Low",
        },
      },
    ];
    const text = [true, false].map((redact) => entries.map((one) => entryText(one, redact)).join(HAR_SEPARATOR));
    const documents = text.map((list) => JSON.parse(harStart("1", [], true) + list + harEnd(1)));
    for (const document of documents) isValid("har", document, "a drawn document");
    const named = new Set(JSON.stringify(documents).match(/"_\w+"(?=:)/g));
    const described = new Set(JSON.stringify(SCHEMAS["weir.har.schema.json"]).match(/"_\w+"(?=:)/g));
    assert.equal([...named].sort(), [...described].sort());
  });

  test("given a value that differs, name the place", () => {
    const entry = JSON.parse(entryText(harSource({ annotation: { mark: "flag", comment: "" } }), true));
    const problemsOf = (more: object) =>
      schemaProblems(SCHEMAS["weir.har.schema.json"] ?? {}, { log: { entries: [{ ...entry, ...more }] } });
    assert.equal(problemsOf({}), []);
    assert.equal(problemsOf({ _mark: "heart" }), ['$.log.entries[0]._mark: enum "heart"']);
    assert.equal(problemsOf({ _other: 1 }), ["$.log.entries[0]._other: is no name"]);
    const row = { ...exchange(), schema: 1 };
    assert.ok(schemaProblems(SCHEMAS["weir.latency.schema.json"] ?? {}, [row]).length > 0);
  });

  test("given settings, describe the defaults, what is stored, and the bounds", () =>
    withFolder((folder) => {
      isValid("settings", DEFAULT_SETTINGS, "the defaults");
      const file = SettingsFile.open(folder);
      assert.is(file.change("theme", "dark"), null);
      assert.is(file.change("clientCertificates", [{ host: "a.test", file: "/a.pem", passphrase: null }]), null);
      isValid("settings", JSON.parse(readFileSync(join(folder, "settings.json"), "utf8")), "a file");
      const problemsOf = (key: string, value: unknown) =>
        schemaProblems(SCHEMAS["weir.settings.schema.json"] ?? {}, { [key]: value }).length > 0;
      for (const [key, { least, most }] of Object.entries(NUMBER_BOUNDS)) {
        const values = [least, most, least - 1, most + 1];
        assert.equal(
          values.map((value) => problemsOf(key, value)),
          [false, false, true, true],
          key,
        );
        for (const value of values) assert.is(file.change(key, value) !== null, problemsOf(key, value), key);
      }
    }));
});
