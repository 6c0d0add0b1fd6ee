import type { MarkedChangeRecord } from "../../../engine/messages/compare-messages.ts";
import type { ChangeMark } from "../../../engine/model/experiment.ts";
import { endpointTextsOf } from "../../format/endpoint.ts";
import type { ValueSubscription } from "../../state/subscription-store.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../view.ts";

const HOW = "Press A, or run “weir mark A”, before your program runs as A. Do the same for B, then again, in turns.";
const NOTHING_YET = "No page load has ended since the first mark, and no walk that occurred three times.";

/** Page loads or walks of A and B. */
export type MarkedChangeRow = ReturnType<typeof markedChangeRowOf>;

/** Marks what runs as A or B, and compares them. */
export function markedChanges({
  windows,
  commands,
  announce,
  undo,
}: Pick<ViewDependencies, "windows" | "commands" | "announce" | "undo">) {
  let marked: ValueSubscription<"marked-changes">;
  let shown: ValueSubscription<"shown">;
  return view({
    /** A stored session is shown only if it has marks. */
    visible: false,
    /** Whether the session is being recorded, so that it can be marked. */
    recorded: false,
    mark: null as ChangeMark | null,
    /** What to do, or why there is no comparison; "" if there is one. */
    hint: "",
    rows: Object.freeze([]) as readonly MarkedChangeRow[],

    init(): void {
      const draw = (): void => {
        const { value, problem } = marked;
        this.recorded = shown.value?.kind === "current";
        this.mark = value?.mark ?? null;
        this.visible = this.recorded || this.mark !== null;
        this.rows = Object.freeze((value?.changes ?? []).map(markedChangeRowOf));
        if (problem !== null) this.hint = problem;
        else if (this.mark === null) this.hint = HOW;
        else if (value?.changes === null) this.hint = "Comparing…";
        else this.hint = this.rows.length === 0 ? NOTHING_YET : "";
      };
      marked = windows.value({ view: "marked-changes" }, draw);
      shown = windows.value({ view: "shown" }, draw);
    },

    destroy(): void {
      marked.close();
      shown.close();
    },

    async setMark(mark: ChangeMark): Promise<void> {
      const before = this.mark;
      const step = { offer: "", undo: () => markAgain(commands, before, mark) };
      const reply = await undo.pushReplied(commands.send({ type: "mark-change", mark }), () =>
        mark === before ? null : step,
      );
      announce(reply.ok ? `Marked ${mark}: requests that start from now on count to ${mark}.` : reply.problem);
    },
  });
}

/** Undoes a mark. The recording has it already, so only later requests count to the mark before it. */
async function markAgain(
  commands: ViewDependencies["commands"],
  before: ChangeMark | null,
  undone: ChangeMark,
): Promise<string> {
  if (before === null) return "The first mark cannot be undone. Start a new session to record without marks.";
  const reply = await commands.send({ type: "mark-change", mark: before });
  return reply.ok ? `Marked ${before} again. Requests until now count to ${undone}.` : reply.problem;
}

function markedChangeRowOf(record: MarkedChangeRecord) {
  const { unit, turns, texts, endpoints } = record;
  const { method, path, host, title } = endpointTextsOf(record);
  return Object.freeze({
    key: `${unit} ${title}`,
    name: `${method} ${host}${path}`,
    title,
    /** "page loads, 4 turns" */
    what: `${unit === "load" ? "page loads" : "walks from here"}, ${turns} ${turns === 1 ? "turn" : "turns"}`,
    text: texts.join(" "),
    endpoints: Object.freeze(
      endpoints.map((one) => {
        const names = endpointTextsOf(one);
        return Object.freeze({ key: names.title, name: `${names.method} ${names.path}`, text: one.text });
      }),
    ),
  });
}
