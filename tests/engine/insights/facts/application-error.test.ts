import * as assert from "uvu/assert";
import { isApplicationError } from "../../../../src/engine/insights/facts/application-error.ts";
import { describe } from "../../../support/describe.ts";

describe("errors that a body tells", (test) => {
  test("given GraphQL errors, in one answer or in a batch, sees them; an empty list is none", () => {
    assert.ok(isApplicationError("graphql", [], '{"data":null,"errors":[{"message":"no"}]}'));
    assert.ok(isApplicationError("graphql", [], '[{"data":{}},{"errors":[{"message":"no"}]}]'));
    assert.not.ok(isApplicationError("graphql", [], '{"data":{},"errors":[]}'));
    assert.not.ok(isApplicationError(null, [], '{"errors":[{"message":"no"}]}'));
  });

  test("given JSON-RPC, sees its error; a null one is none", () => {
    assert.ok(isApplicationError("json-rpc", [], '{"jsonrpc":"2.0","error":{"code":-32600}}'));
    assert.not.ok(isApplicationError("json-rpc", [], '{"jsonrpc":"2.0","result":1,"error":null}'));
  });

  test("given a grpc-status, sees all but 0 as errors", () => {
    const status = (value: string) => isApplicationError(null, [{ name: "grpc-status", value }], "");
    assert.equal([status("0"), status("14")], [false, true]);
  });
});
