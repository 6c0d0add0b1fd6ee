import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { type ExportForm, exportText } from "../../../extensions/proxy/export/export-text.ts";
import { type OpenedSource, openSource } from "../../../extensions/proxy/export/opened-source.ts";
import { reportOf } from "../../../extensions/proxy/export/session-report.ts";
import { toolsOf } from "../../../scripts/mcp/tools.ts";
import { verdictsOf } from "../../../src/engine/budget/endpoint-verdicts.ts";
import { regressionsOf } from "../../../src/engine/budget/regressions.ts";
import { VERDICT_FORMATS, verdictText } from "../../../src/engine/budget/verdict-texts.ts";
import { reportHtml } from "../../../src/engine/interchange/report-html.ts";
import { findingMarkdown, reportMarkdown, reportText } from "../../../src/engine/interchange/report-text.ts";
import { EXPORT_TABLES } from "../../../src/engine/messages/exchange-messages.ts";
import { FINDING_KINDS } from "../../../src/engine/model/finding.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { compareRows } from "../../../src/engine/session/lists/compare-list.ts";
import { endpointStatsOf, latencyRows } from "../../../src/engine/session/lists/endpoint-lists.ts";
import { figuresOf } from "../../../src/engine/session/lists/figures.ts";
import { describe } from "../../support/describe.ts";
import {
  eventsOfModel,
  MODEL_APIS,
  pathOfModel,
  requestOfModel,
  streamTypeOf,
  wholeOfModel,
} from "../../support/model-streams.ts";
import { someOf } from "../../support/rounds.ts";
import { withFolder } from "../../support/temporary-folder.ts";

/** A request in which `secret` is somewhere. */
interface Placement {
  readonly path?: string;
  readonly request?: Readonly<Record<string, string>>;
  readonly response?: Readonly<Record<string, string>>;
  readonly sent?: string;
  readonly received?: string;
  readonly comment?: string;
  readonly statusText?: string;
}

const NAMES = [
  ...["token", "access_token", "apiKey", "password", "pwd", "client_secret", "sid", "sessionId", "sig", "otp", "pin"],
  ...["cardNumber", "cvv", "ssn", "mfaCode", "iban", "code_verifier", "X-Amz-Signature", "SAMLResponse", "jwt"],
];
const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.";
const inPercents = encodeURIComponent;

/** The prompt of a call to a language model, and each kind of its answer. */
const PROMPTS: readonly ((secret: string) => Placement)[] = MODEL_APIS.flatMap((api) => {
  const path = pathOfModel(api, "small");
  const answer = (secret: string) => ({ model: "small", words: ["a", secret, "b"], input: 9, output: 3, cached: 0 });
  return [
    (secret) => ({ path, sent: requestOfModel(api, "small", `Answer in short. ${secret}`, "hello") }),
    (secret) => ({ path, sent: requestOfModel(api, "small", "Answer in short.", `say ${secret}`) }),
    (secret) => ({ path, sent: "{}", received: wholeOfModel(api, answer(secret)) }),
    (secret) => ({
      path,
      sent: "{}",
      response: { "Content-Type": streamTypeOf(api) },
      received: eventsOfModel(api, answer(secret))
        .map(({ text }) => text)
        .join(""),
    }),
  ] satisfies readonly ((secret: string) => Placement)[];
});

/** Where a secret can be, each with a secret of its own. */
const EVERY_PLACEMENT: readonly ((secret: string) => Placement)[] = [
  ...NAMES.map((name) => (secret: string) => ({ path: `/q?page=1&${name}=${secret}` })),
  ...NAMES.map((name) => (secret: string) => ({ path: `/p/a;${name}=${secret}/b` })),
  ...NAMES.map((name) => (secret: string) => ({
    request: { "Content-Type": FORM },
    sent: `a=1&${name}=${secret}&b=2`,
  })),
  ...NAMES.map((name) => (secret: string) => ({ received: JSON.stringify({ kept: [{ a: 1, [name]: secret }] }) })),
  ...NAMES.map((name) => (secret: string) => ({ sent: JSON.stringify([{ name, value: secret }]) })),
  ...["Authorization", "Cookie", "X-Api-Key", "Proxy-Authorization", "X-Auth-Token", "DPoP"].map(
    (name) => (secret: string) => ({ request: { [name]: `a=${secret}` } }),
  ),
  ...["Set-Cookie", "X-Csrf-Token", "Authentication-Info"].map((name) => (secret: string) => ({
    response: { [name]: `a=${secret}; Path=/` },
  })),
  (secret) => ({ path: `/verify/${JWT}${secret}` }),
  (secret) => ({ path: `/verify/x/${JWT}${secret}/y` }),
  (secret) => ({ path: `/proxy/https://u:${secret}@b.test/x` }),
  (secret) => ({ path: `/proxy/https:/u:${secret}@b.test/x` }),
  (secret) => ({ path: `/key/sk_live_${secret}${secret}` }),
  (secret) => ({ path: `/bot12345678:AA${secret.repeat(3)}/send` }),
  (secret) => ({ path: `/a?next=${inPercents(`/b?token=${secret}`)}` }),
  (secret) => ({ path: `/a?next=${inPercents(inPercents(`https://u:${secret}@b.test/`))}` }),
  (secret) => ({ path: `/a?state=${Buffer.from(`{"token":"${secret}"}`).toString("base64url")}` }),
  (secret) => ({ path: `/a?json=${inPercents(`{"password":"${secret}"}`)}` }),
  (secret) => ({ path: `/cb?code=${secret}&state=x` }),
  (secret) => ({ path: `/cb?q=1#access_token=${secret}` }),
  (secret) => ({ path: `/a?query=${inPercents(`{ login(password: "${secret}") { id } }`)}` }),
  (secret) => ({ request: { Referer: `https://b.test/?key=${secret}` } }),
  (secret) => ({ request: { "User-Agent": `agent token=${secret}` } }),
  (secret) => ({ request: { Cookie: secret } }),
  (secret) => ({ response: { "Set-Cookie": secret } }),
  (secret) => ({ response: { Location: `/next;jsessionid=${secret}?a=1` } }),
  (secret) => ({ response: { Link: `</b?token=${secret}>; rel="next"` } }),
  (secret) => ({ response: { "Content-Type": `text/html; token=${secret}` } }),
  (secret) => ({ request: { "Sec-WebSocket-Protocol": `graphql-ws, ${secret}` } }),
  (secret) => ({ request: { "X-Up": `Bearer ${secret}` } }),
  (secret) => ({ comment: `it said token=${secret}` }),
  (secret) => ({ comment: `Authorization: Bearer ${secret}` }),
  (secret) => ({ statusText: `OK token=${secret}` }),
  ...["text/html", "application/xml", "application/yaml", "text/javascript", "text/plain", "image/svg+xml"].map(
    (type) => (secret: string) => ({ response: { "Content-Type": type }, received: `password: |\n  ${secret}\n` }),
  ),
  (secret) => ({ received: `{"cut":{"token":"${secret}` }),
  (secret) => ({ received: JSON.stringify({ choices: [{ message: { content: secret } }] }) }),
  (secret) => ({ sent: JSON.stringify({ query: `{ login(password: """${secret}""") { id } }` }) }),
  (secret) => ({ sent: JSON.stringify({ query: `{ login(pin: ${secret}) { id } }` }) }),
  (secret) => ({ sent: JSON.stringify({ pem: `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----` }) }),
  (secret) => ({ received: JSON.stringify({ inner: JSON.stringify({ inner: `a=1&token=${secret}` }) }) }),
  (secret) => ({
    request: { "Content-Type": "multipart/form-data; boundary=b" },
    sent: `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${secret}\r\n--b--\r\n`,
  }),
  (secret) => ({ response: { "Content-Type": "text/event-stream" }, received: `data: {"token":"${secret}"}\n\n` }),
  ...PROMPTS,
];
const PLACEMENTS = someOf(EVERY_PLACEMENT);

const FORM = "application/x-www-form-urlencoded";

function secretOf(index: number): string {
  return `cAn4ry${String(index).padStart(4, "0")}Xq7`;
}

/** Each placement in six requests, the last of them slow, so that tables and findings have it. */
function harText(): string {
  const entries = PLACEMENTS.flatMap((placed, index) =>
    [0, 1, 2, 3, 4, 5].map((turn) => entryOf(placed(secretOf(index)), index, index * 60 + turn * 3, turn)),
  );
  return JSON.stringify({ log: { version: "1.2", creator: { name: "x", version: "1" }, entries } });
}

function entryOf(placed: Placement, index: number, second: number, turn: number): object {
  const {
    path = `/plain/${String.fromCharCode(97 + (index % 26))}${index}`,
    request = {},
    response = {},
    sent,
    received,
  } = placed;
  const fields = (all: Readonly<Record<string, string>>) =>
    Object.entries(all).map(([name, value]) => ({ name, value }));
  const time = turn === 5 ? 3_000 : 900;
  return {
    startedDateTime: new Date(Date.UTC(2026, 2, 1) + second * 1_000).toISOString(),
    time,
    request: {
      method: sent === undefined ? "GET" : "POST",
      url: `https://api.test${path}`,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: fields({ Host: "api.test", ...request }),
      queryString: [],
      headersSize: -1,
      bodySize: -1,
      ...(sent === undefined
        ? {}
        : { postData: { mimeType: request["Content-Type"] ?? "application/json", text: sent } }),
    },
    response: {
      status: turn % 2 === 1 ? 500 : 200,
      statusText: placed.statusText ?? "OK",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: fields({ "Content-Type": "application/json", ...response }),
      redirectURL: "",
      headersSize: -1,
      bodySize: (received ?? "{}").length,
      content: {
        size: (received ?? "{}").length,
        mimeType: response["Content-Type"] ?? "application/json",
        text: received ?? "{}",
      },
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    ...(placed.comment === undefined ? {} : { comment: placed.comment }),
  };
}

describe("secrets in every output", (test) => {
  test("given secrets in more than a hundred places, no report, export, check, answer or copy holds one", () =>
    withFolder(async (folder) => {
      const file = join(folder, "places.har");
      writeFileSync(file, harText());
      assert.ok(EVERY_PLACEMENT.length > 100);
      const source = unwrap(await openSource({ file }));
      const held: string[] = [];
      try {
        for await (const [exit, text] of exitsOf(source, file)) {
          assert.ok(text.length > 100, `${exit}: ${text}`);
          const found = PLACEMENTS.flatMap((_, index) =>
            formsOf(secretOf(index)).some((form) => text.includes(form)) ? [index] : [],
          );
          if (found.length > 0)
            held.push(
              `${exit}: ${found.map((index) => PLACEMENTS[index]?.("SECRET")).map((one) => JSON.stringify(one))}`,
            );
        }
      } finally {
        source.close();
      }
      assert.equal(held, []);
    }));
});

/** The secret, and as it is in base64. */
function formsOf(secret: string): readonly string[] {
  return [
    secret,
    ...[0, 1, 2].map((shift) =>
      Buffer.from(`${"x".repeat(shift)}${secret}`)
        .toString("base64")
        .slice(4, -4),
    ),
  ];
}

async function* exitsOf(source: OpenedSource, file: string): AsyncGenerator<readonly [exit: string, text: string]> {
  const { session, settings } = source;
  const forms: readonly ExportForm[] = [
    ...(["har", "json", "csv", "md"] as const).map((format) => ({ format, table: null })),
    ...EXPORT_TABLES.flatMap((table) => (["json", "csv", "md"] as const).map((format) => ({ format, table }))),
  ];
  for (const form of forms) {
    let text = "";
    for await (const piece of unwrap(exportText(source, form, "", true))) text += piece.text;
    yield [`export ${form.table ?? ""} ${form.format}`, text.padEnd(101)];
  }
  const report = await reportOf(source, true);
  if (report === null) throw new Error("no report");
  assert.ok(report.findings.length > 2, `${report.findings.length} findings`);
  const endpoints = unwrap(latencyRows(session, [], { column: "p95", descending: true }, ALL)).records;
  yield ["report text", [...reportText(report)].join("")];
  yield ["report md", [...reportMarkdown(report)].join("")];
  yield ["report json", JSON.stringify(report)];
  const page = { report, endpoints: endpoints.map((row) => ({ ...row, histogram: [] })), named: null };
  yield ["report html", [...reportHtml([page], { version: "1", madeAt: "", redact: true })].join("")];
  yield [
    "copied findings",
    report.findings.flatMap((finding, index) => [...findingMarkdown(finding, index + 1)]).join(""),
  ];
  const requested = session.tallies
    .counted()
    .map((tally) => ({ endpoint: tally.endpoint, requests: tally.requests, stats: endpointStatsOf(tally) }));
  const budget = { endpoints: { "*": { p95: 1, count: 1 } }, findings: { no: FINDING_KINDS } };
  const figures = figuresOf(session);
  const compared = unwrap(
    compareRows({ left: figures, right: figures }, settings, [], { column: "verdict", descending: true }, ALL),
  ).records;
  const slower = regressionsOf(
    compared.map((one) => ({ ...one, verdict: "slower" as const })),
    () => "",
  );
  const { verdicts } = verdictsOf(budget, requested, report.findings);
  const judged = { source: "a", verdicts: [...verdicts, ...slower.verdicts], unjudged: 0, gone: [], changed: [] };
  for (const format of VERDICT_FORMATS)
    yield [
      `check ${format}`,
      verdictText([judged], format, { version: "1", budget: null, notes: [], baseline: null, accepted: null }),
    ];
  for (const tool of toolsOf({ files: [file], dataDir: file })) {
    if (tool.name === "sessions") continue;
    const given = tool.name === "compare" ? { before: file, limit: 1_000 } : {};
    if (tool.name !== "exchange") yield [`mcp ${tool.name}`, (await tool.call(given)).join("\n")];
    else
      for (let id = 1; id <= session.exchanges; id += 60)
        yield [`mcp exchange ${id}`, (await tool.call({ id })).join("\n")];
  }
}

const ALL = { from: 0, count: Number.MAX_SAFE_INTEGER };
