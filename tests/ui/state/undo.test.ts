import { mock } from "node:test";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Reply } from "../../../src/ui/state/commands.ts";
import { UndoStack } from "../../../src/ui/state/undo.ts";
import { describe } from "../../support/describe.ts";

describe("undo stack", (test) => {
  test("given changes and undos in any order, undoes the latest change first, and says when there is none", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.nat(), fc.constant("undo" as const)), { maxLength: 40 }), async (steps) => {
        const stack = new UndoStack();
        const expected: number[] = [];
        for (const step of steps) {
          if (step === "undo") {
            const latest = expected.pop();
            assert.is(await stack.undo(), latest === undefined ? "There is nothing to undo." : `Undone: ${latest}`);
          } else {
            expected.push(step);
            stack.push({ offer: "", undo: async () => `Undone: ${step}` });
          }
        }
      }),
    ));

  test("given commands whose replies come late, each undo waits for its own; of one that changed nothing, it undoes nothing", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ kind: fc.constantFrom("pushed", "changed", "same", "refused"), turns: fc.nat(9) }), {
          maxLength: 12,
        }),
        async (all) => {
          const stack = new UndoStack();
          const offers: string[] = [];
          stack.onOffer((text) => void offers.push(text));
          const replies = all.map(async ({ kind, turns }, index) => {
            const step = { offer: `Offer ${index}`, undo: () => `Undone: ${index}` };
            if (kind === "pushed") return void stack.push(step);
            const sent = (async (): Promise<Reply> => {
              for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
              return kind === "refused" ? { ok: false, problem: "No." } : { ok: true, value: kind };
            })();
            const reply = await stack.pushReplied(sent, (value) => (value === "changed" ? step : null));
            assert.is(reply, await sent);
          });
          const asked = all.map(() => stack.undo());
          const texts = all.map(({ kind }, index) =>
            kind === "pushed" || kind === "changed" ? `Undone: ${index}` : "There is nothing to undo.",
          );
          assert.equal(await Promise.all(asked), texts.toReversed());
          await Promise.all(replies);
          // A change that was undone before its reply offers no Undo.
          assert.is(offers.at(-1) ?? "", "");
        },
      ),
    ));

  test("given a command, offers to undo it once it is answered, unless a later change is there", async () => {
    const stack = new UndoStack();
    const offers: string[] = [];
    stack.onOffer((text) => void offers.push(text));
    const step = (offer: string) => ({ offer, undo: () => offer });
    await stack.pushReplied(Promise.resolve({ ok: true, value: "Gone." }), (value) => step(String(value)));
    assert.equal(offers, ["Gone."]);
    const late = stack.pushReplied(Promise.resolve({ ok: true, value: "Late." }), (value) => step(String(value)));
    stack.push(step("Later."));
    await late;
    assert.equal(offers, ["Gone.", "Later."]);
    assert.equal([await stack.undo(), await stack.undo(), await stack.undo()], ["Later.", "Late.", "Gone."]);
    stack.push(step("Earlier."));
    await stack.pushReplied(Promise.resolve({ ok: false, problem: "No." }), () => step("Refused."));
    assert.is(await stack.undo(), "Earlier.", "a refused command is no change");
    stack.withdrawOffer();
  });

  test("given more than 100 changes, forgets the oldest", async () => {
    const stack = new UndoStack();
    for (let count = 1; count <= 103; count += 1) stack.push({ offer: "", undo: () => String(count) });
    const said: string[] = [];
    for (let count = 0; count < 101; count += 1) said.push(await stack.undo());
    assert.equal([said[0], said.at(-2), said.at(-1)], ["103", "4", "There is nothing to undo."]);
  });

  test("given undos that take any time and may fail, runs and answers them in the order they were asked for", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ turns: fc.nat(9), fails: fc.boolean() }), { maxLength: 9 }),
        async (all) => {
          const stack = new UndoStack();
          let running = 0;
          for (const [index, { turns, fails }] of all.entries()) {
            const undo = async () => {
              running += 1;
              assert.is(running, 1);
              for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
              running -= 1;
              if (fails) throw new Error(String(index));
              return String(index);
            };
            stack.push({ offer: "", undo });
          }
          const said: string[] = [];
          const answers = [...all, null].map(() =>
            stack.undo().then(
              (text) => void said.push(text),
              ({ message }: Error) => void said.push(message),
            ),
          );
          await Promise.all(answers);
          assert.equal(said, [...all.keys()].map(String).toReversed().concat("There is nothing to undo."));
        },
      ),
    ));

  test("given an offer, withdraws it after a while, when it is undone, or at another change; the change stays", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const stack = new UndoStack();
      const offers: string[] = [];
      stack.onOffer((text) => void offers.push(text));
      stack.push({ offer: "Gone.", undo: () => "Back." });
      mock.timers.tick(59_999);
      assert.equal(offers, ["Gone."]);
      mock.timers.tick(1);
      assert.equal(offers, ["Gone.", ""]);
      assert.is(await stack.undo(), "Back.");
      stack.push({ offer: "Gone again.", undo: () => "" });
      stack.push({ offer: "", undo: () => "" });
      assert.is(offers.at(-1), "");
    } finally {
      mock.timers.reset();
    }
  });
});
