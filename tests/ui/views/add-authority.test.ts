import * as assert from "uvu/assert";
import type { Status } from "../../../src/engine/messages/status-messages.ts";
import { addAuthority, certificatesIn } from "../../../src/ui/views/add-authority.ts";
import { describe } from "../../support/describe.ts";

const PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";
const KEY = "-----BEGIN PRIVATE KEY-----\nSECRET\n-----END PRIVATE KEY-----";
const status = { settings: { hostAuthorities: [{ host: "old.test", file: "old.pem", certificates: PEM }] } };

describe("added CA file for a host", (test) => {
  test("given a file with a key, sends its certificates alone, and announces where to undo it", async () => {
    const page = adding({ ok: true, value: null });
    assert.is(await page.add(new File([`${KEY}\n${PEM}\n${PEM}`], "ca.pem")), "");
    assert.equal(page.sent[0], {
      type: "set-setting",
      key: "hostAuthorities",
      value: [...status.settings.hostAuthorities, { host: "a.test", file: "ca.pem", certificates: `${PEM}\n${PEM}\n` }],
    });
    assert.match(page.said[0] ?? "", /verified by ca\.pem.*Settings, Certificate/);
  });

  test("given a refusal, or a file that is too large, resolves to the reason", async () => {
    const page = adding({ ok: false, problem: "x.pem contains no certificate." });
    assert.is(await page.add(new File(["x"], "x.pem")), "x.pem contains no certificate.");
    assert.match(await page.add(new File([new Uint8Array(1024 * 1024)], "x.iso")), /too large/);
    assert.equal([page.sent.length, page.said], [1, []]);
  });

  test("given DER, makes PEM of it", () => {
    assert.is(
      certificatesIn(new Uint8Array([48, 130, 1])),
      "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
    );
  });
});

function adding(reply: object) {
  const page = { sent: [] as unknown[], said: [] as string[] };
  const deps = {
    commands: {
      send: async (command: unknown) => {
        page.sent.push(command);
        return reply;
      },
    },
    announce: (text: string) => void page.said.push(text),
  } as unknown as Parameters<typeof addAuthority>[0];
  return Object.assign(page, { add: (file: File) => addAuthority(deps, status as unknown as Status, "a.test", file) });
}
