import * as assert from "uvu/assert";
import type { Command } from "../../../../src/engine/messages/messages.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import type { Commands, Reply } from "../../../../src/ui/state/commands.ts";
import type { Selection } from "../../../../src/ui/state/selection.ts";
import { editDialog } from "../../../../src/ui/views/shell/edit-request.ts";
import { describe } from "../../../support/describe.ts";

const REQUEST = { method: "POST", url: "http://a.test/x", headers: "authorization: secret", body: "a=1", bodySize: 3 };

/** The dialog, opened for a recorded request. */
async function opened(value: object = REQUEST) {
  const asked: Command[] = [];
  const replies: Reply[] = [{ ok: true, value }];
  const commands = {
    send: async (command: Command) => {
      asked.push(command);
      return replies.shift() ?? { ok: true, value: null };
    },
  } as unknown as Commands;
  let wish: (exchange: ExchangeId) => void = () => {};
  const view = Object.assign(
    editDialog({ commands, selection: { set: () => {} } as unknown as Selection }, (take) => {
      wish = take;
    }),
    { $root: { closest: () => ({ showModal: () => {}, close: () => {} }) } },
  );
  view.init();
  wish(1 as ExchangeId);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  await settled();
  return { view, asked, settled };
}

describe("dialog for editing and sending a request", (test) => {
  test("given a recorded request, shows it with its secrets, and sends nothing before Send", async () => {
    const { view, asked, settled } = await opened();
    assert.equal([view.method, view.url, view.headers, view.body], Object.values(REQUEST).slice(0, 4));
    assert.equal(asked, [{ type: "edit-request", exchange: 1 }]);
    view.url = "http://a.test/y";
    view.send();
    await settled();
    const { bodySize: _, ...fields } = REQUEST;
    assert.equal(asked[1], { type: "send-edited", exchange: 1, ...fields, url: "http://a.test/y", body: null });
    assert.match(view.sent, /^Sent\./);
    view.body = "a=2";
    view.send();
    assert.is((asked[2] as { body?: string }).body, "a=2");
  });

  test("given bad input, refuses it beside its field and sends nothing", async () => {
    const { view, asked } = await opened();
    Object.assign(view, { method: "", url: "x" });
    view.send();
    assert.equal([Object.keys(view.problems), asked.length], [["method", "url"], 1]);
    view.edit();
    assert.equal(view.problems, {});
  });

  test("given a body that is no text, sends it as recorded until it is replaced", async () => {
    const { view, asked } = await opened({ ...REQUEST, body: null });
    assert.ok(view.isBodyKept);
    view.send();
    assert.is((asked[1] as { body?: string | null }).body, null);
    view.replaceBody();
    view.send();
    assert.is((asked[2] as { body?: string | null }).body, "");
  });
});
