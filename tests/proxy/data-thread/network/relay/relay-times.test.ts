import * as assert from "uvu/assert";
import { latencyOf, phasesOf, waitOf } from "../../../../../src/engine/model/phases.ts";
import { get } from "../../../../support/absolute-form.ts";
import { describe } from "../../../../support/describe.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

describe("relay times", (test) => {
  test("given new and reused connections, the head's arrival, phases, waiting and Weir's time add up to the latency", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering(() => ok("body")));
      const client = await RawPeer.to(proxy.port);
      for (let round = 0; round < 6; round += 1) {
        client.send(get(server.port));
        await client.head();
        await client.bytes(4);
      }
      await proxy.traffic.row(5);
      for (const [round, { ended }] of proxy.traffic.rows.entries()) {
        const { instants, at, waitedFor } = ended;
        const wait = waitOf({ instants, endTime: at, waitedFor });
        const phases = phasesOf(instants, wait);
        const head = (instants.headReceived ?? Number.NaN) - instants.startTime;
        const sum = Object.values(phases).reduce<number>((all, length) => all + (length ?? 0), head);
        const waited = wait === null ? 0 : wait.to - wait.from;
        assert.ok(Math.abs(sum + waited - (latencyOf(instants) ?? Number.NaN)) < 0.001, `${sum} and ${waited}`);
        assert.ok(phases.weir !== null && phases.weir > 0, String(phases.weir));
        assert.is(phases.connect !== null, round === 0);
      }
      client.close();
    }));
});
