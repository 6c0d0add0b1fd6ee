import { mock } from "node:test";
import * as assert from "uvu/assert";
import type { Command } from "../../../../src/engine/messages/messages.ts";
import type { SessionRecord, Shown } from "../../../../src/engine/messages/session-messages.ts";
import { Selection } from "../../../../src/ui/state/selection.ts";
import type { ViewDependencies } from "../../../../src/ui/views/dependencies.ts";
import { endedSession } from "../../../../src/ui/views/sessions/ended-session.ts";
import { describe } from "../../../support/describe.ts";

/** The notice, and the engine's messages in both directions. */
function stage() {
  const sent: Command[] = [];
  const selection = new Selection();
  let draw = (): void => {};
  let sessions: readonly Partial<SessionRecord>[] = [];
  let shown: Shown = { kind: "current" };
  let end = (_session: string): void => {};
  const deps = {
    windows: {
      value: ({ view }: { readonly view: string }, changed: () => void) => {
        draw = changed;
        return {
          get value() {
            return view === "shown" ? shown : { sessions };
          },
        };
      },
    },
    commands: {
      send: async (command: Command) => {
        sent.push(command);
        return { ok: true, value: null };
      },
    },
    announce: () => {},
    selection,
  };
  const notice = endedSession(deps as unknown as ViewDependencies, (listener) => {
    end = listener;
  });
  notice.init();
  const tell = (...told: readonly Partial<SessionRecord>[]): void => {
    sessions = told;
    draw();
  };
  const show = (told: Shown): void => {
    shown = told;
    draw();
  };
  return { notice, sent, selection, tell, show, end: (session: string) => end(session) };
}

const ENDED = {
  id: "s-1",
  state: "completed",
  name: "",
  title: "",
  notes: "slow",
  exchanges: 12,
  startedAt: 0,
} as SessionRecord;

/** With a clock that only the test moves. */
const timed = (body: () => void) => (): void => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    body();
  } finally {
    mock.timers.reset();
  }
};

describe("notice of an ended session", (test) => {
  test(
    "given the end of a session, names the session once the list confirms the end, until it is deleted",
    timed(() => {
      const early = stage();
      early.end("s-1");
      early.tell({ ...ENDED, state: "current" });
      assert.is(early.notice.text, "", "it has not ended yet");
      early.tell(ENDED);
      assert.match(early.notice.text, /^Session of .+ is kept with 12 exchanges\.$/);
      const late = stage();
      late.tell(ENDED);
      assert.is(late.notice.text, "", "nobody asked for a new session");
      late.end("s-1");
      assert.is(late.notice.text, early.notice.text);
      late.tell();
      assert.is(late.notice.text, "", "it was deleted");
    }),
  );

  test(
    "given a labelled session, offers its label for change and keeps typed text while the list changes",
    timed(() => {
      const { notice, tell, end } = stage();
      tell({ ...ENDED, name: "Before" });
      end("s-1");
      assert.equal([notice.text, notice.label], ["Before is kept with 12 exchanges.", "Before"]);
      notice.label = "Before the ca";
      tell({ ...ENDED, name: "Before", size: 7 });
      assert.is(notice.label, "Before the ca");
    }),
  );

  test(
    "given another session on display, hides the notice, and shows it again with the typed text",
    timed(() => {
      const { notice, tell, show, end } = stage();
      tell({ ...ENDED, name: "Before" });
      end("s-1");
      notice.label = "Before the ca";
      show({ kind: "opening", session: "s-0", progress: 0 });
      assert.is(notice.text, "");
      show({ kind: "current" });
      assert.equal([notice.text, notice.label], ["Before is kept with 12 exchanges.", "Before the ca"]);
    }),
  );

  test(
    "given a minute or another view, ends, unless a label is being typed",
    timed(() => {
      Object.assign(globalThis, { document: { activeElement: null } });
      try {
        for (const typed of [false, true])
          for (const change of ["view", "time"] as const) {
            const { notice, selection, tell, end } = stage();
            tell({ ...ENDED, name: "Before" });
            end("s-1");
            mock.timers.tick(59_999);
            assert.not.equal(notice.text, "");
            if (typed) notice.label = "Before the ca";
            if (change === "view") selection.set({ view: "settings" });
            else mock.timers.tick(1);
            assert.is(notice.text, typed ? "Before is kept with 12 exchanges." : "", `${change}, ${typed}`);
            notice.close();
          }
      } finally {
        Reflect.deleteProperty(globalThis, "document");
      }
    }),
  );
});
