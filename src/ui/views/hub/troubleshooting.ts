import { explain, type Finding } from "../../../engine/hub/doctor.ts";
import { doctorCommand } from "../../../engine/hub/doctor-command.ts";
import { highlightsOf } from "../../../engine/hub/search.ts";
import { SHELL_NAMES, type Target, type Trouble } from "../../../engine/hub/target.ts";
import { isToldBy } from "../../../engine/hub/troubles.ts";
import { wordsOf } from "../../../engine/model/words.ts";
import { SHELLS } from "../../../engine/quoting/shell.ts";
import { kept } from "../kept.ts";
import type { View } from "../mounted.ts";
import type { HubDependencies } from "./dependencies.ts";
import { shellOf, valuesWith } from "./hub-model.ts";
import { drawMarked } from "./marked-text.ts";
import { type Part, partsOf } from "./marks.ts";
import type { Choice } from "./snippet-block.ts";
import type { MarkName } from "./status-panel.ts";

interface TroubleRow {
  readonly key: string;
  readonly text: readonly Part[];
  readonly meaning: readonly Part[];
  readonly fix: readonly Part[];
}

interface FindingRow {
  readonly key: number;
  readonly text: string;
  readonly mark: MarkName;
}

interface TroubleshootingView {
  search: string;
  troubles: readonly TroubleRow[];
  count: string;
  /** The terminal can be looked at: the target has texts for a shell. */
  hasTerminal: boolean;
  shells: readonly Choice[];
  command: string;
  output: string;
  findings: readonly FindingRow[];
  readonly drawMarked: typeof drawMarked;
  init(): void;
  destroy(): void;
  searchFor(text: string): void;
  chooseShell(id: string): void;
  copyCommand(): void;
  read(output: string): void;
}

const MARKS: Readonly<Record<Finding["tone"], MarkName>> = { good: "check", bad: "error", note: "info" };

/** The Troubleshooting tab: the errors that tools really print, searchable, and a look at a terminal. */
export function troubleshooting(deps: HubDependencies): View<TroubleshootingView> {
  const { model } = deps;
  let unwatch = (): void => {};
  let draw = (): void => {};

  return {
    search: "",
    troubles: Object.freeze([]),
    count: "",
    hasTerminal: false,
    shells: Object.freeze([]),
    command: "",
    output: "",
    findings: Object.freeze([]),
    drawMarked,

    init() {
      draw = () => {
        const { target, hub } = model.now;
        const shell = shellOf(model.now);
        this.troubles = kept(this.troubles, troublesOf(target, this.search));
        this.count = this.search === "" ? "" : `${this.troubles.length} of ${target.troubles.length}`;
        this.hasTerminal = target.variants.some(({ forms }) => forms.some((form) => form.shell !== null));
        this.shells = kept(
          this.shells,
          SHELLS.map((id) => ({ id, label: SHELL_NAMES[id], chosen: id === shell })),
        );
        this.command = doctorCommand(shell);
        if (hub === null || this.output.trim() === "") this.findings = Object.freeze([]);
        else
          this.findings = kept(this.findings, findingsOf(explain(this.output, valuesWith(hub, target.sample), shell)));
      };
      unwatch = model.watch(draw);
    },

    destroy() {
      unwatch();
    },

    searchFor(text) {
      this.search = text;
      draw();
    },

    chooseShell(id) {
      const shell = SHELLS.find((one) => one === id);
      if (shell !== undefined) model.set({ shell });
    },

    copyCommand() {
      void deps.copy(this.command, "The command is copied.");
    },

    read(output) {
      const had = this.findings.length > 0;
      this.output = output;
      draw();
      // They stand below what was pasted, which is at the window's lower edge.
      if (!had && this.findings.length > 0)
        this.$nextTick(() => this.$refs["findings"]?.scrollIntoView({ block: "nearest" }));
    },
  };
}

/** Troubles that a pasted error tells of, else those in which every word of the search stands; what was found is marked. */
export function troublesOf({ troubles }: Pick<Target, "troubles">, search: string): readonly TroubleRow[] {
  const told = troubles.filter((trouble) => isToldBy(trouble, search));
  if (told.length > 0)
    return told.map((trouble) => rowOf(trouble, (part) => [{ text: part, marked: part === trouble.text }]));
  const words = wordsOf(search);
  return troubles.flatMap((trouble) => {
    const all = [trouble.text, trouble.meaning, trouble.fix].join("\n").toLowerCase();
    if (!words.every((word) => all.includes(word))) return [];
    return [rowOf(trouble, (part) => partsOf(part, highlightsOf(part, words)))];
  });
}

function rowOf({ text, meaning, fix }: Trouble, marked: (part: string) => readonly Part[]): TroubleRow {
  return Object.freeze({ key: text, text: marked(text), meaning: marked(meaning), fix: marked(fix) });
}

function findingsOf(findings: readonly Finding[]): readonly FindingRow[] {
  return findings.map(({ tone, text }, key) => Object.freeze({ key, text, mark: MARKS[tone] }));
}
