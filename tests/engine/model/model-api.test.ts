import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { isJsonLines, modelApiOf } from "../../../src/engine/model/model-api.ts";
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

  test("given a media type, only a JSON text on each line is told by it", () => {
    for (const type of ["application/x-ndjson", "application/NDJSON; charset=utf-8", "application/jsonl"])
      assert.ok(isJsonLines(type), type);
    for (const type of [null, "", "application/json", "application/x-ndjson-like"]) assert.not(isJsonLines(type));
  });
});
