import * as assert from "uvu/assert";
import { NETWORK_LIMITS } from "../../../../extensions/proxy/data-thread/network/network-options.ts";
import { describe } from "../../../support/describe.ts";

describe("network limits", (test) => {
  test("given the default limits, has the figures of docs/security.md: L5, T1, R10", () => {
    const { clients, head, idle, connect, handshake, drain } = NETWORK_LIMITS;
    assert.equal({ clients, head, idle, handshake, drain }, L5_T1_R10);
    assert.ok(connect < 5_000, "what fails is answered within 5 s");
  });
});

const L5_T1_R10 = { clients: 1_000, head: 30_000, idle: 120_000, handshake: 15_000, drain: 3_000 };
