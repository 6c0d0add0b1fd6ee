import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { ModelCallRecord } from "../../../src/engine/messages/exchange-messages.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { type ModelPlan, ModelService } from "../../support/model-service.ts";
import { FINISHED, MODEL_STREAMS, type ModelStream, pathOfModel, requestOfModel } from "../../support/model-streams.ts";
import { PageClient } from "../../support/page-client.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";
import { seeded } from "../../support/seeded.ts";

/** A call as the client made it: its id, and how long it took in all. */
interface Made {
  readonly id: string;
  readonly path: string;
  readonly lasted: number;
}

type Call = (path: string, plan: ModelPlan, system?: string) => Promise<Made>;

const random = seeded(fc.sample(fc.integer(), 1)[0] ?? 1);
const between = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));

function planOf(api: ModelStream, more: Partial<ModelPlan> = {}): ModelPlan {
  const words = Array.from({ length: between(40, 60) }, (_, index) => `w${index} `);
  const input = between(10, 5_000);
  const answer = { model: `model-${api}`, words, input, output: words.length, cached: 0, tools: ["look"] };
  return {
    api,
    answer,
    thinking: between(100, 400),
    gap: between(15, 30),
    batch: 1,
    stall: 0,
    refusals: 0,
    status: 429,
    error: null,
    ...more,
  };
}

describe("language model calls through the app", (test) => {
  test("given planted causes in streams of each shape, each is named, and the figures are the service's own", () =>
    withService(async (call, service, page, sentBy) => {
      const made = await Promise.all(MODEL_STREAMS.map((api) => plant(api, call)));
      const all = made.flat();
      const { found } = await page.value(
        { view: "findings", filter: "" },
        (value) => value.found?.exchanges === sentBy(),
      );
      const named = (found?.findings ?? []).filter(({ kind }) => kind !== "proxy-overhead");
      const summaryOf = (kind: string, path: string) =>
        named
          .filter((finding) => finding.kind === kind && finding.endpoint?.path === path)
          .map(({ summary }) => summary)
          .join("\n");
      for (const api of MODEL_STREAMS) {
        const [path = ""] = pathOfModel(api, "m").split("?");
        const slow = summaryOf("slow-streams", path);
        assert.match(slow, /the model thinks before 2 first tokens/, api);
        assert.match(slow, /the answer stalls in 2 calls/, api);
        assert.match(slow, /2 calls were retried after (?:429, 529|529, 429)/, api);
        for (const held of ["/held", "/held/short"])
          assert.match(summaryOf("slow-streams", held + path), /something between buffers 3 answers\.$/, api);
        const failed = /failed 4 times in 4 requests \(100 %\): overloaded_error in a 200 stream × 4/;
        assert.match(summaryOf("errors", `/broken${path}`), failed, api);
        if (api !== "ollama") assert.match(summaryOf("duplicate-requests", `/twins${path}`), /could be cached/, api);
      }
      const kinds = new Set(named.map(({ kind }) => kind));
      assert.equal([...kinds].sort(), ["duplicate-requests", "errors", "slow-streams"]);

      const records = await recordsOf(page, sentBy());
      for (const { id, lasted } of all) {
        const record = records.find(({ finish, model, output, input }) => {
          const answer = service.served.get(id)?.plan.answer;
          return finish !== null && model === answer?.model && output === answer.output && input === answer.input;
        });
        const served = service.served.get(id);
        if (served === undefined || record === undefined) throw new Error(`no record of ${id}`);
        assert.equal(record.tools, ["look"]);
        assert.is(record.finish, FINISHED[served.plan.api]);
        assert.ok((record.firstToken ?? 0) >= served.firstToken - 2, `${record.firstToken} ${served.firstToken}`);
        assert.ok((record.firstToken ?? 0) <= lasted + 2, `${record.firstToken} of ${lasted}`);
        if (served.plan.stall > 0) assert.is(record.stalls, 1);
      }
    }));

  test("given healthy calls, and streams that are none, nothing is named, and only calls are told as such", () =>
    withService(async (call, _service, page, sentBy, other) => {
      await Promise.all([
        ...MODEL_STREAMS.map(async (api) => {
          for (let time = 0; time < 6; time += 1) {
            await call(pathOfModel(api, "m"), planOf(api), `prompt ${between(0, 1e9)} `.repeat(between(2, 400)));
            await pause(400);
          }
        }),
        other("/notifications"),
        other("/progress"),
      ]);
      const { found } = await page.value(
        { view: "findings", filter: "" },
        (value) => value.found?.exchanges === sentBy(),
      );
      assert.equal(
        (found?.findings ?? []).filter(({ kind }) => kind !== "proxy-overhead").map(({ summary }) => summary),
        [],
      );
      assert.is((await recordsOf(page, sentBy())).length, sentBy() - 2);
    }));
});

/**
 * The calls of one API: two late ones, two with a stall, two refused ones, two quick ones, three held ones, three short
 * ones that are held, four that break off with an error, five twins.
 */
async function plant(api: ModelStream, call: Call): Promise<readonly Made[]> {
  const path = pathOfModel(api, "m");
  const plans = [
    ...[1, 2].map(() => planOf(api, { thinking: between(2_100, 2_900) })),
    ...[1, 2].map(() => planOf(api, { stall: between(1_500, 2_500) })),
    ...[429, 529].map((status) => planOf(api, { refusals: 1, status })),
    ...[1, 2].map(() => planOf(api)),
  ];
  const made: Made[] = [];
  for (const plan of plans) made.push(await call(path, plan));
  const words = Array.from({ length: 400 }, (_, index) => `w${index} `);
  for (let time = 0; time < 3; time += 1) {
    const plan = planOf(api, { batch: 20, gap: between(60, 80) });
    await call(`/held${path}`, { ...plan, answer: { ...plan.answer, words, output: words.length, tools: [] } });
    await pause(400);
  }
  for (let time = 0; time < 3; time += 1) {
    const short = planOf(api, { thinking: between(500, 600), gap: between(400, 450) });
    const few = words.slice(0, between(6, 9));
    await call(`/held/short${path}`, {
      ...short,
      answer: { ...short.answer, words: few, output: few.length, tools: [] },
    });
    await pause(400);
  }
  for (let time = 0; time < 4; time += 1) await call(`/broken${path}`, planOf(api, { error: "overloaded_error" }));
  const system = "Answer in one short sentence. ".repeat(400);
  for (let time = 0; time < 5; time += 1) {
    await call(`/twins${path}`, planOf(api, { thinking: between(1_200, 1_500) }), system);
    await pause(400);
  }
  return made;
}

/** All calls of the session as the inspector shows them. */
async function recordsOf(page: PageClient, exchanges: number): Promise<readonly ModelCallRecord[]> {
  const records: ModelCallRecord[] = [];
  for (let id = 1; id <= exchanges; id += 1) {
    const record = (await page.command({
      type: "read-model-call",
      exchange: id as ExchangeId,
    })) as ModelCallRecord | null;
    if (record !== null) records.push(record);
  }
  return records;
}

async function withService(
  act: (
    call: Call,
    service: ModelService,
    page: PageClient,
    sentBy: () => number,
    other: (path: string) => Promise<void>,
  ) => Promise<void>,
): Promise<void> {
  const service = await ModelService.start();
  const others = createServer((asked, response) => {
    const isLines = asked.url === "/progress";
    response.writeHead(200, { "Content-Type": isLines ? "application/x-ndjson" : "text/event-stream" });
    let sent = 0;
    const timer = setInterval(
      () => {
        response.write(isLines ? `{"progress":${sent}}\n` : `data: {"text":"hello ${sent}"}\n\n`);
        sent += 1;
        if (sent < (isLines ? 5 : 20)) return;
        clearInterval(timer);
        response.end();
        // Lines of JSON are a stream once a pause between them exceeded 1 s.
      },
      isLines ? 1_200 : 100,
    );
  });
  others.listen(0, "127.0.0.1");
  await once(others, "listening");
  const weir = await runningWeir([
    ...["--host-override", `models.test=127.0.0.1:${service.port}`],
    ...["--host-override", `chat.test=127.0.0.1:${(others.address() as AddressInfo).port}`],
  ]);
  // A connection of its own for each client, or one would use up those of the others.
  const agents = new Map<string, Agent>();
  const agentOf = (client: string): Agent => {
    const agent = agents.get(client) ?? new Agent({ keepAlive: true });
    agents.set(client, agent);
    return agent;
  };
  let sent = 0;
  const ask = async (path: string, id: string, plan: ModelPlan, body: string): Promise<number> => {
    sent += 1;
    const headers = {
      "User-Agent": `app-${plan.api}/1.0`,
      "Content-Type": "application/json",
      "x-id": id,
      "x-plan": JSON.stringify(plan),
      "Content-Length": Buffer.byteLength(body),
    };
    return statusOf(weir, agentOf(plan.api), "POST", `http://models.test${path}`, headers, body);
  };
  const call: Call = async (path, plan, system = `prompt ${sent} ${between(0, 1e9)}`) => {
    const id = `call-${sent}-${between(0, 1e9)}`;
    const body = requestOfModel(plan.api, plan.answer.model, system, `question ${id}`);
    for (;;) {
      const from = performance.now();
      const status = await ask(path, id, plan, body);
      if (status === 200) return { id, path, lasted: performance.now() - from };
      await pause(between(400, 700));
    }
  };
  const other = async (path: string): Promise<void> => {
    sent += 1;
    await statusOf(weir, agentOf("chat"), "GET", `http://chat.test${path}`, { "User-Agent": "chat/1.0" }, "");
  };
  const page = await PageClient.open(weir);
  try {
    await act(call, service, page, () => sent, other);
  } finally {
    page.close();
    for (const agent of agents.values()) agent.destroy();
    await weir.stop();
    service.close();
    others.closeAllConnections();
    others.close();
  }
}

async function statusOf(
  { proxy }: RunningWeir,
  agent: Agent,
  method: string,
  path: string,
  headers: Readonly<Record<string, string | number>>,
  body: string,
): Promise<number> {
  const { host } = new URL(path);
  const sent = request({
    host: proxy.host,
    port: proxy.port,
    agent,
    method,
    path,
    headers: { Host: host, ...headers },
  });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
  return response.statusCode ?? 0;
}
