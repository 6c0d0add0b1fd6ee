import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { clientOf } from "../../../src/engine/capture/exchange-folder.ts";
import {
  abbreviatedTarget,
  isAbbreviated,
  LONGEST_TARGET,
  modelApiOf,
  modelStreamFormOf,
} from "../../../src/engine/model/endpoint.ts";
import { anyPath } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";
import { MODEL_APIS, pathOfModel } from "../../support/model-streams.ts";

const short = fc
  .string({ maxLength: LONGEST_TARGET, unit: "grapheme" })
  .filter((text) => text.length <= LONGEST_TARGET);
const part = fc.string({ unit: "binary-ascii", maxLength: 8 }).map((text) => text.replaceAll("?", "_"));
/** A path and a query, of which one at least is long. */
const long = fc
  .tuple(part, part, fc.integer({ min: LONGEST_TARGET, max: 60_000 }), fc.boolean())
  .map(([path, query, length, inPath]) => {
    const filler = "é😀x".repeat(length / 4).slice(0, length);
    return inPath ? `/${filler}${path}?${query}` : `/${path}?${query}${filler}`;
  });

describe("abbreviated long targets", (test) => {
  test("given a short target, leaves it as it is", () =>
    fc.assert(fc.property(short, (target) => assert.is(abbreviatedTarget(target), target))));

  test("given a long target, keeps at most the limit, its path apart from its query, and says so", () =>
    fc.assert(
      fc.property(long, (target) => {
        const kept = abbreviatedTarget(target);
        assert.ok(kept.length <= LONGEST_TARGET);
        assert.ok(isAbbreviated(kept));
        assert.is(kept.includes("?"), target.includes("?"));
        assert.is(abbreviatedTarget(kept), kept);
        assert.not.match(kept, /[\ud800-\udbff](?![\udc00-\udfff])/);
      }),
    ));

  test("given two long targets that differ anywhere, keeps them apart, and equal ones equal", () =>
    fc.assert(
      fc.property(long, fc.nat(), (target, seed) => {
        const at = 1 + (seed % (target.length - 1));
        const other = `${target.slice(0, at)}${target[at] === "y" ? "z" : "y"}${target.slice(at + 1)}`;
        assert.is(abbreviatedTarget(target) === abbreviatedTarget(other), target === other);
        assert.is(abbreviatedTarget(target), abbreviatedTarget(`${target} `.slice(0, -1)));
      }),
    ));

  test("given a long target in Latin-1, keeps Latin-1, which takes one byte for each character", () => {
    const latin1 = fc.constantFrom("a", "?", "%20", "é", "ÿ");
    fc.assert(
      fc.property(fc.array(latin1, { minLength: LONGEST_TARGET + 1, maxLength: 4_000, size: "max" }), (pieces) => {
        const kept = abbreviatedTarget(`/${pieces.join("")}`);
        assert.ok(isAbbreviated(kept));
        assert.is(Buffer.from(kept, "latin1").toString("latin1"), kept);
      }),
    );
  });

  test("given the same path with different long queries, keeps one path", () =>
    fc.assert(
      fc.property(fc.string({ minLength: 3_000, maxLength: 5_000 }), anyPath, (filler, query) => {
        const path = `/${filler.replaceAll("?", "_")}`;
        const pathOf = (target: string) => target.split("?")[0];
        assert.is(pathOf(abbreviatedTarget(`${path}?${query}`)), pathOf(abbreviatedTarget(path)));
      }),
    ));

  test(
    "given 200 targets of 60 KB, the abbreviated ones and their clients hold no whole one",
    () => {
      setFlagsFromString("--expose-gc");
      const collect: () => void = runInNewContext("gc");
      const heapUsed = () => {
        collect();
        return process.memoryUsage().heapUsed;
      };
      for (const before of ["/search?q=", "/"]) {
        const kept: string[] = [];
        const start = heapUsed();
        for (let index = 0; index < 200; index += 1) {
          const target = Buffer.alloc(60_000, `${before}${index}`).toString("latin1");
          kept.push(
            abbreviatedTarget(target),
            clientOf("127.0.0.1", `GET ${target} HTTP/1.1\nUser-Agent: client of ${index}`),
          );
        }
        assert.ok((heapUsed() - start) / 200 < 10_000);
        assert.is(kept.length, 400);
      }
    },
    { isLong: true },
  );
});

describe("language model API of a path", (test) => {
  test("given any prefix, model and query, it is that of the path's end", () => {
    const name = fc.stringMatching(/^[a-z0-9.-]{1,20}$/);
    fc.assert(
      fc.property(fc.constantFrom(...MODEL_APIS), name, name, (api, prefix, model) => {
        const [path = ""] = pathOfModel(api, model).split("?");
        assert.is(modelApiOf(`/${prefix}${path}?a=${model}#x`), api);
        assert.is(modelApiOf(`${path}/${prefix}`), null);
      }),
    );
  });

  test("given the paths of Azure, Vertex and old completions, they are known; chats of people are not Ollama's", () => {
    assert.is(modelApiOf("/openai/deployments/a/chat/completions?api-version=1"), "openai-chat");
    assert.is(modelApiOf("/v1/completions"), "openai-chat");
    assert.is(modelApiOf("/v1/projects/p/publishers/anthropic/models/claude:streamRawPredict"), "anthropic");
    assert.is(modelApiOf("/v1/models/gemini:generateContent"), "gemini");
    for (const target of ["/chat", "/rooms/chat", "/", "*", "/completions-list", "/v1/embeddings"])
      assert.is(modelApiOf(target), null, target);
  });

  test("given a path and a media type, tells streams of lines and of a list's elements, and no others", () => {
    for (const type of ["application/x-ndjson", "application/NDJSON; charset=utf-8", "application/jsonl"]) {
      assert.is(modelStreamFormOf("/api/chat", type), "lines", type);
      assert.is(modelStreamFormOf("/rooms", type), null, type);
    }
    for (const type of [null, "", "application/json", "application/x-ndjson-like"])
      assert.is(modelStreamFormOf("/api/chat", type), null, String(type));
    const list = "/v1beta/models/m:streamGenerateContent";
    for (const type of ["application/json", "Application/JSON; charset=UTF-8"])
      for (const query of ["", "?key=a", "?alt=json#x"])
        assert.is(modelStreamFormOf(list + query, type), "elements", type + query);
    for (const [target, type] of [
      [list, "application/json-seq"],
      [list, "text/event-stream"],
      [list.replace("streamG", "g"), "application/json"],
      ["/v1/messages?a=:streamGenerateContent", "application/json"],
    ] as const)
      assert.is(modelStreamFormOf(target, type), null, `${target} ${type}`);
  });
});
