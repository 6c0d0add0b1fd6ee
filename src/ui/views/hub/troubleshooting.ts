import { type Diagnosis, explain } from "../../../engine/hub/doctor.ts";
import { doctorCommand } from "../../../engine/hub/doctor-command.ts";
import { matchesOutput } from "../../../engine/hub/known-errors.ts";
import { highlightsOf } from "../../../engine/hub/search.ts";
import { type KnownError, SAMPLE, SHELL_NAMES, type Target } from "../../../engine/hub/target.ts";
import { wordsOf } from "../../../engine/model/words.ts";
import { SHELLS } from "../../../engine/quoting/shell.ts";
import { reuseIfEqual } from "../reuse-rows.ts";
import { view } from "../view.ts";
import type { HubDependencies } from "./dependencies.ts";
import { shellOf, valuesWith } from "./hub-model.ts";
import { drawMarked } from "./marked-text.ts";
import { type Part, partsOf } from "./marks.ts";
import type { Choice } from "./snippet-block.ts";
import type { MarkName } from "./status-panel.ts";

export interface KnownErrorRow {
  readonly key: string;
  readonly text: readonly Part[];
  readonly meaning: readonly Part[];
  readonly fix: readonly Part[];
}

export interface DiagnosisRow {
  readonly key: number;
  readonly text: string;
  readonly mark: MarkName;
}

const MARKS: Readonly<Record<Diagnosis["tone"], MarkName>> = { good: "check", bad: "error", note: "info" };

/** The tab Troubleshooting: errors that tools are known to report, with a search, and a check of the terminal. */
export function troubleshooting(deps: HubDependencies) {
  const { model } = deps;
  let unwatch = (): void => {};
  let draw = (): void => {};

  return view({
    search: "",
    knownErrors: Object.freeze([]) as readonly KnownErrorRow[],
    count: "",
    /** Whether the terminal can be checked: the target has texts for a shell. */
    hasTerminal: false,
    shells: Object.freeze([]) as readonly Choice[],
    command: "",
    output: "",
    diagnoses: Object.freeze([]) as readonly DiagnosisRow[],
    drawMarked,

    init(): void {
      draw = () => {
        const { target, hub } = model.now;
        const shell = shellOf(model.now);
        this.knownErrors = reuseIfEqual(this.knownErrors, knownErrorRowsOf(target, this.search));
        this.count = this.search === "" ? "" : `${this.knownErrors.length} of ${target.knownErrors.length}`;
        this.hasTerminal = target.variants.some(({ forms }) => forms.some((form) => form.shell !== null));
        this.shells = reuseIfEqual(
          this.shells,
          SHELLS.map((id) => ({ id, label: SHELL_NAMES[id], chosen: id === shell })),
        );
        this.command = doctorCommand(shell);
        if (hub === null || this.output.trim() === "") this.diagnoses = Object.freeze([]);
        else
          this.diagnoses = reuseIfEqual(
            this.diagnoses,
            diagnosisRowsOf(explain(this.output, valuesWith(hub, target.sample ?? SAMPLE), shell)),
          );
      };
      unwatch = model.watch(draw);
    },

    destroy(): void {
      unwatch();
    },

    searchFor(text: string): void {
      this.search = text;
      draw();
    },

    chooseShell(id: string): void {
      const shell = SHELLS.find((one) => one === id);
      if (shell !== undefined) model.set({ shell });
    },

    copyCommand(): void {
      void deps.copy(this.command, "Command copied.");
    },

    read(output: string): void {
      const had = this.diagnoses.length > 0;
      this.output = output;
      draw();
      // Scrolls to the diagnoses, which appear below the pasted text and outside the visible area.
      if (!had && this.diagnoses.length > 0)
        this.$nextTick(() => this.$refs["diagnoses"]?.scrollIntoView({ block: "nearest" }));
    },
  });
}

/**
 * The known errors that match the search, with matches marked. If the search is a pasted error message, these are the
 * errors in it; else the errors that contain every word.
 */
export function knownErrorRowsOf(
  { knownErrors }: Pick<Target, "knownErrors">,
  search: string,
): readonly KnownErrorRow[] {
  const matched = knownErrors.filter((error) => matchesOutput(error, search));
  if (matched.length > 0)
    return matched.map((error) => rowOf(error, (part) => [{ text: part, marked: part === error.text }]));
  const words = wordsOf(search);
  return knownErrors.flatMap((error) => {
    const all = [error.text, error.meaning, error.fix].join("\n").toLowerCase();
    if (!words.every((word) => all.includes(word))) return [];
    return [rowOf(error, (part) => partsOf(part, highlightsOf(part, words)))];
  });
}

function rowOf({ text, meaning, fix }: KnownError, marked: (part: string) => readonly Part[]): KnownErrorRow {
  return Object.freeze({ key: text, text: marked(text), meaning: marked(meaning), fix: marked(fix) });
}

function diagnosisRowsOf(diagnoses: readonly Diagnosis[]): readonly DiagnosisRow[] {
  return diagnoses.map(({ tone, text }, key) => Object.freeze({ key, text, mark: MARKS[tone] }));
}
