import * as assert from "uvu/assert";
import type { ExchangeDetail } from "../../../../src/engine/messages/exchange-messages.ts";
import type { Command } from "../../../../src/engine/messages/messages.ts";
import { type Annotation, NO_ANNOTATION } from "../../../../src/engine/model/annotation.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import type { Reply } from "../../../../src/ui/state/commands.ts";
import { Selection } from "../../../../src/ui/state/selection.ts";
import { UndoStack } from "../../../../src/ui/state/undo.ts";
import type { ViewDependencies } from "../../../../src/ui/views/dependencies.ts";
import { annotationForm } from "../../../../src/ui/views/inspector/annotation.ts";
import { describe } from "../../../support/describe.ts";
import { checkout } from "./detail.ts";

const DONE: Reply = { ok: true, value: 1 };

/** The form of exchange 1, with an engine that replies as the test says. */
function mounted(reply: Reply = DONE) {
  const sent: Command[] = [];
  const said: string[] = [];
  const selection = new Selection();
  selection.set({ exchange: 1 as ExchangeId });
  let detail: ExchangeDetail | undefined;
  let changed: () => void = () => {};
  const details = {
    close: () => {},
    update: () => {},
    get value() {
      return detail;
    },
  };
  const undo = new UndoStack();
  const form = annotationForm({
    selection,
    windows: {
      value: (_: unknown, onChange: () => void) => {
        changed = onChange;
        return details;
      },
    },
    commands: {
      send: async (command: Command) => {
        sent.push(command);
        return reply;
      },
    },
    announce: (text: string) => void said.push(text),
    copy: async () => {},
    undo,
  } as unknown as ViewDependencies);
  form.init();
  return {
    form,
    sent,
    said,
    undo,
    selection,
    know: (id: number, annotation: Annotation) => {
      detail = checkout({ annotation }, { id: id as ExchangeId });
      changed();
    },
  };
}

describe("mark and comment in the inspector", (test) => {
  test("given a mark and a comment that were saved, undoes the comment, then the mark", async () => {
    const page = mounted({ ok: true, value: { count: 1, change: 7 } });
    page.form.setMark("star");
    await null;
    await null;
    page.form.type("slow");
    await page.form.save();
    assert.equal([await page.undo.undo(), await page.undo.undo()], ["Comment undone.", "Mark undone."]);
    assert.equal(page.sent.at(-1), { type: "undo-annotations", change: 7 });
    assert.is(await page.undo.undo(), "There is nothing to undo.");
  });

  test("given an annotated exchange, the form shows its mark and comment", () => {
    const { form, know } = mounted();
    know(1, { mark: "flag", comment: "look" });
    assert.equal(
      form.marks.filter(({ chosen }) => chosen).map(({ name }) => name),
      ["Flag"],
    );
    assert.equal([form.markName, form.comment], ["Flag", "look"]);
    know(1, NO_ANNOTATION);
    assert.equal([form.markName, form.comment], ["No mark", ""]);
  });

  test("given a comment being typed, keeps it when an older comment arrives, and saves it", async () => {
    const { form, sent, know } = mounted();
    know(1, { mark: null, comment: "old" });
    form.type("new");
    know(1, { mark: "star", comment: "old" });
    assert.equal([form.comment, form.markName], ["new", "Star"]);
    await form.save();
    assert.equal(sent, [{ type: "comment-exchange", exchange: 1 as ExchangeId, comment: "new" }]);
    know(1, { mark: "star", comment: "from another window" });
    assert.is(form.comment, "from another window");
    form.destroy();
  });

  test("given a draft, saves it to its own exchange before another is shown or the form closes", () => {
    const { form, sent, selection, know } = mounted();
    know(1, NO_ANNOTATION);
    form.type("of one");
    selection.set({ exchange: 2 as ExchangeId });
    know(1, { mark: "star", comment: "late" });
    assert.is(form.markName, "No mark");
    know(2, { mark: null, comment: "two" });
    assert.is(form.comment, "two");
    form.type("of two");
    form.destroy();
    assert.equal(
      sent.map((command) => command.type === "comment-exchange" && [command.exchange, command.comment]),
      [
        [1, "of one"],
        [2, "of two"],
      ],
    );
  });

  test("given a comment that cannot be saved, says so and keeps the text for another attempt", async () => {
    const { form, sent, said, know } = mounted({ ok: false, problem: "Weir is reconnecting." });
    know(1, NO_ANNOTATION);
    form.type("x");
    await form.save();
    know(1, NO_ANNOTATION);
    assert.equal([form.comment, said.length], ["x", 1]);
    await form.save();
    assert.is(sent.length, 2);
  });
});
