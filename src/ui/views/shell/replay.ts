import { MOST_AT_ONCE, MOST_REPLAYS, USUAL_REPLAYS } from "../../../engine/messages/replay-messages.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { countPhrase } from "../../format/count.ts";
import { isSafeMethod } from "../../format/method.ts";
import { hostBeside } from "../../format/request-address.ts";
import type { Replays } from "../../state/replays.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../view.ts";
import { type ReplayTexts, replayTextsOf } from "./replay-result.ts";

export interface ReplaySubject {
  readonly method: string;
  readonly changes: boolean;
  readonly path: string;
  readonly host: string;
}

const FRESH = {
  timesProblem: "",
  atOnceProblem: "",
  /** What the user must confirm before the run; empty if nothing. */
  question: "",
  problem: "",
  /** The text that assistive technology reads. */
  announcement: "",
  running: false,
  result: null as ReplayTexts | null,
};

/** The dialog that replays a request and compares the replays with recorded requests. */
export function replayDialog(
  { windows, selection }: Pick<ViewDependencies, "windows" | "selection">,
  replays: Replays,
  onWish: (listener: (exchange: ExchangeId) => void) => void,
) {
  let exchange: ExchangeId | null = null;
  let filter = "";
  let run: ReturnType<Replays["start"]> | null = null;
  let detail: { close(): void } | null = null;

  return view({
    subject: null as ReplaySubject | null,
    /** The number of replays, as typed. */
    times: String(USUAL_REPLAYS),
    atOnce: "1",
    ...FRESH,

    get startText(): string {
      const { method = "" } = this.subject ?? {};
      return this.question === "" ? "Start" : `Repeat ${method}`;
    },

    init(): void {
      onWish((wanted) => {
        exchange = wanted;
        Object.assign(this, FRESH, { subject: null });
        const subscription = windows.value({ view: "exchange", exchange: wanted }, () => {
          const { exchange: shown } = subscription.value ?? {};
          if (shown === undefined) return;
          const { method, target: path, endpoint } = shown;
          this.subject = Object.freeze({ method, changes: !isSafeMethod(method), path, host: hostBeside(shown) });
          filter = `tag:resent endpoint:"${endpoint}"`;
        });
        detail = subscription;
        this.$root.closest("dialog")?.showModal();
      });
    },

    /** Called when the user changes a field. */
    edit(): void {
      Object.assign(this, { timesProblem: "", atOnceProblem: "", question: "", problem: "" });
    },

    start(): void {
      const times = wholeIn(this.times, MOST_REPLAYS);
      const atOnce = wholeIn(this.atOnce, MOST_AT_ONCE);
      this.timesProblem = times === null ? `Enter a whole number from 1 to ${MOST_REPLAYS}.` : "";
      this.atOnceProblem = atOnce === null ? `Enter a whole number from 1 to ${MOST_AT_ONCE}.` : "";
      if (times === null || atOnce === null || exchange === null || this.subject === null) return;
      const { method, changes } = this.subject;
      if (changes && this.question === "") {
        this.question = `${method} may change data on the server. Repeat the request ${countPhrase(times, "time", "times")}?`;
        return;
      }
      Object.assign(this, FRESH, { running: true });
      // Moves the focus, because the element in focus is disabled or hidden now.
      this.$nextTick(() => this.$refs["stop"]?.focus());
      const end = (): void => {
        const { stop, start } = this.$refs;
        if (stop?.matches(":focus")) this.$nextTick(() => start?.focus());
        this.running = false;
      };
      run = replays.start({ type: "replay", exchange, times, atOnce, confirmed: changes }, (report) => {
        if (report.kind === "failed") {
          this.problem = report.problem;
          return end();
        }
        const { result, done, problem } = report.progress;
        this.result = replayTextsOf(result);
        this.problem = problem ?? "";
        if (!done) return;
        this.announcement = `${this.result.title}. ${this.result.reason}`;
        end();
      });
    },

    stop(): void {
      run?.stop();
    },

    /** For the dialog's @close, after a button or Escape. */
    onClose(): void {
      run?.drop();
      run = null;
      detail?.close();
      detail = null;
      this.running = false;
    },

    showReplays(): void {
      this.$root.closest("dialog")?.close();
      selection.set({ view: "traffic", filter, exchange: null });
    },
  });
}

/** The number in the text; `null` if the text is not a whole number from 1 to `most`. */
function wholeIn(text: string, most: number): number | null {
  const value = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  return value >= 1 && value <= most ? value : null;
}
