import { sampleProblem } from "../../../engine/hub/probe.ts";
import { SHELLS, type Shell } from "../../../engine/quoting/shell.ts";
import { kept } from "../kept.ts";
import type { View } from "../mounted.ts";
import type { HubDependencies } from "./dependencies.ts";
import type { HubNow } from "./hub-model.ts";
import { blocksOf, type SnippetBlock } from "./snippet-block.ts";

/** What a block's buttons do; Snippets and Validate show blocks. */
export interface BlockActions {
  chooseVariant(block: SnippetBlock, id: string): void;
  chooseVersion(block: SnippetBlock, id: string): void;
  chooseShell(id: string): void;
  copyBlock(block: SnippetBlock): Promise<void>;
  copyUndo(block: SnippetBlock): void;
}

interface SnippetsView extends BlockActions {
  sample: string;
  sampleProblem: string;
  edited: boolean;
  guideOnly: boolean;
  blocks: readonly SnippetBlock[];
  stale: readonly SnippetBlock[];
  init(): void;
  destroy(): void;
  setSample(url: string): void;
  resetSample(): void;
  showSetup(): void;
}

/** The Snippets tab: the target's texts with live values and a sample URL of the person's choice. */
export function snippets(deps: HubDependencies): View<SnippetsView> {
  const { model } = deps;
  let unwatch = (): void => {};

  return {
    sample: "",
    sampleProblem: "",
    edited: false,
    guideOnly: false,
    blocks: Object.freeze([]),
    stale: Object.freeze([]),
    ...blockActions(deps),

    init() {
      unwatch = model.watch((now) => {
        const { target, hub } = now;
        const sample = sampleOf(now);
        this.sample = sample;
        this.edited = sample !== target.sample;
        this.guideOnly = target.variants.length === 0;
        this.sampleProblem = sampleProblem(sample) ?? "";
        const url = this.sampleProblem === "" ? sample : target.sample;
        this.blocks = kept(this.blocks, hub === null ? [] : blocksOf(now, hub, url, deps.now()));
        this.stale = kept(
          this.stale,
          this.blocks.filter(({ stale }) => stale !== ""),
        );
      });
    },

    destroy() {
      unwatch();
    },

    setSample(url) {
      const { target, samples } = model.now;
      model.set({ samples: { ...samples, [target.slug]: url.trim() } });
    },

    resetSample() {
      const { [model.now.target.slug]: _, ...samples } = model.now.samples;
      model.set({ samples });
    },

    showSetup() {
      model.set({ tab: "setup" });
    },
  };
}

export function blockActions(deps: HubDependencies): BlockActions {
  const { model, commands } = deps;
  return {
    chooseVariant: ({ variantKey }, id) => model.choose(variantKey, id),
    chooseVersion: ({ versionKey }, id) => model.choose(versionKey, id),

    chooseShell(id) {
      const shell = SHELLS.find((one: Shell) => one === id);
      if (shell !== undefined) model.set({ shell });
    },

    async copyBlock({ text, title, form }) {
      const { slug } = model.now.target;
      if (await deps.copy(text, `${title} is copied.`)) await commands.send({ type: "note-copy", slug, form });
    },

    copyUndo({ undo }) {
      void deps.copy(undo, "The undo line is copied.");
    },
  };
}

function sampleOf({ target, samples }: HubNow): string {
  return samples[target.slug] ?? target.sample;
}
