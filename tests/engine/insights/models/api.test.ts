import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { modelApiOf } from "../../../../src/engine/insights/models/api.ts";
import { describe } from "../../../support/describe.ts";
import { MODEL_APIS, pathOfModel } from "../../../support/model-streams.ts";

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
});
