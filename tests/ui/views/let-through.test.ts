import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Status } from "../../../src/engine/messages/status-messages.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import type { ViewDependencies } from "../../../src/ui/views/dependencies.ts";
import { acceptUnverified, letThrough } from "../../../src/ui/views/let-through.ts";
import { describe } from "../../support/describe.ts";

const hosts = fc.uniqueArray(fc.domain(), { maxLength: 4 });

describe("pass-through and trust actions for a host", (test) => {
  for (const [key, add] of [
    ["passThrough", letThrough],
    ["tlsExceptions", acceptUnverified],
  ] as const) {
    test(`given a click, adds the host to ${key} once, and announces it or why not`, () =>
      fc.assert(
        fc.asyncProperty(hosts, fc.domain(), fc.boolean(), async (known, host, isAccepted) => {
          const sent: unknown[] = [];
          const announced: string[] = [];
          const deps = {
            commands: {
              send: (command: unknown) => {
                sent.push(command);
                return Promise.resolve(isAccepted ? { ok: true, value: null } : { ok: false, problem: "No." });
              },
            },
            announce: (text: string) => announced.push(text),
          } as unknown as ViewDependencies;
          const status = { settings: { ...DEFAULT_SETTINGS, [key]: known } } as unknown as Status;
          await add(deps, null, host);
          assert.equal(sent, []);
          await add(deps, status, host);
          assert.equal(sent, [{ type: "set-setting", key, value: [...new Set([...known, host])] }]);
          assert.is(announced.length, 1);
          assert.ok(isAccepted ? announced[0]?.includes(host) : announced[0] === "No.");
        }),
      ));
  }
});
