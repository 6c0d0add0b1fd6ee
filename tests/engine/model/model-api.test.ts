import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { modelApiOf, modelStreamFormOf } from "../../../src/engine/model/model-api.ts";
import { describe } from "../../support/describe.ts";
import { MODEL_APIS, pathOfModel } from "../../support/model-streams.ts";

describe("the API of a path", (test) => {
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
