import { OPEN_TO_NETWORK } from "../../../engine/hub/preflight.ts";
import { sampleProblem } from "../../../engine/hub/probe.ts";
import { SAMPLE } from "../../../engine/hub/target.ts";
import { SHELLS, type Shell } from "../../../engine/quoting/shell.ts";
import { reuseIfEqual } from "../reuse-rows.ts";
import { view } from "../view.ts";
import type { HubDependencies } from "./dependencies.ts";
import { blocksOf, type SnippetBlock } from "./snippet-block.ts";

/** What the buttons of a block do, in Snippets and in Validate. */
export interface BlockActions {
  readonly openLabel: string;
  chooseVariant(block: SnippetBlock, id: string): void;
  chooseVersion(block: SnippetBlock, id: string): void;
  chooseShell(id: string): void;
  copyBlock(block: SnippetBlock): Promise<void>;
  copyInstall(block: SnippetBlock): void;
  copyUndo(block: SnippetBlock): void;
  openToNetwork(): Promise<void>;
}

/** The tab Snippets: the target's texts with current values, and a sample URL that the user can edit. */
export function snippets(deps: HubDependencies) {
  const { model } = deps;
  let unwatch = (): void => {};

  return view({
    sample: "",
    sampleProblem: "",
    edited: false,
    guideOnly: false,
    /** Whether a snippet requests the sample URL. */
    sends: false,
    blocks: Object.freeze([]) as readonly SnippetBlock[],
    stale: Object.freeze([]) as readonly SnippetBlock[],
    ...blockActions(deps),

    init(): void {
      unwatch = model.watch((now) => {
        const { target, hub } = now;
        const usual = target.sample ?? SAMPLE;
        const sample = now.sample ?? usual;
        this.sample = sample;
        this.edited = sample !== usual;
        this.guideOnly = target.variants.length === 0;
        this.sampleProblem = sampleProblem(sample) ?? "";
        const url = this.sampleProblem === "" ? sample : usual;
        this.blocks = reuseIfEqual(this.blocks, hub === null ? [] : blocksOf(now, hub, url, deps.now()));
        this.sends = this.blocks.some(({ text }) => text.includes(url));
        this.stale = reuseIfEqual(
          this.stale,
          this.blocks.filter(({ stale }) => stale !== ""),
        );
      });
    },

    destroy(): void {
      unwatch();
    },

    setSample(url: string): void {
      model.set({ sample: url.trim() });
    },

    resetSample(): void {
      model.set({ sample: null });
    },

    showValidate(): void {
      model.set({ tab: "validate" });
    },

    showSetup(): void {
      model.set({ tab: "setup" });
    },
  });
}

export function blockActions(deps: HubDependencies): BlockActions {
  const { model, commands } = deps;
  return {
    openLabel: OPEN_TO_NETWORK.label,

    chooseVariant: ({ variantKey }, id) => model.choose(variantKey, id),
    chooseVersion: ({ versionKey }, id) => model.choose(versionKey, id),

    chooseShell(id) {
      const shell = SHELLS.find((one: Shell) => one === id);
      if (shell !== undefined) model.set({ shell });
    },

    async copyBlock({ text, title, form }) {
      const { slug } = model.now.target;
      if (!(await deps.copy(text, `${title} copied.`))) return;
      model.set({ copied: { ...model.now.copied, [`${slug}/${form}`]: text } });
      await commands.send({ type: "note-copy", slug, form });
    },

    copyInstall({ install }) {
      void deps.copy(install, "Install line copied.");
    },

    copyUndo({ undo }) {
      void deps.copy(undo, "Undo line copied.");
    },

    async openToNetwork() {
      const reply = await commands.send({ type: "set-reach", lan: true });
      deps.announce(reply.ok ? "Reachable from the local network until Weir exits." : reply.problem);
    },
  };
}
