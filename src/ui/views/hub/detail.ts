import { phonePageUrl } from "../../../engine/hub/device.ts";
import { type Check, type Preflight, preflight } from "../../../engine/hub/preflight.ts";
import { probeOf } from "../../../engine/hub/probe.ts";
import { setupOf, type Target } from "../../../engine/hub/target.ts";
import type { HubState } from "../../../engine/messages/hub-messages.ts";
import { reuseIfEqual } from "../reuse-rows.ts";
import { view } from "../view.ts";
import type { HubDependencies } from "./dependencies.ts";
import { HUB_TABS, type HubNow, type HubTab, tabOf, valuesWith } from "./hub-model.ts";
import { type QrCode, shownQrCode } from "./qr-code.ts";
import { sendingBlocksOf } from "./snippet-block.ts";

export type Fact = ReturnType<typeof factsOf>[number];

export type StepRow = ReturnType<typeof stepsOf>[number];

const LABELS: Readonly<Record<HubTab, string>> = {
  overview: "Overview",
  setup: "Setup",
  snippets: "Snippets",
  validate: "Validate",
  troubleshooting: "Troubleshooting",
};

/** The middle pane of the hub: the name of the target, the tabs, and the content of Overview and Setup. */
export function detail(deps: HubDependencies) {
  const { model } = deps;

  return view({
    tabs: Object.freeze(HUB_TABS.map((id) => Object.freeze({ id, label: LABELS[id] }))),
    tab: tabOf(model.now),
    name: "",
    summary: "",
    support: "",
    proven: false,
    facts: Object.freeze([]) as readonly Fact[],
    steps: Object.freeze([]) as readonly StepRow[],
    phone: null as QrCode | null,
    /** Whether a test is running; until it ends, no other test can start. */
    testing: false,

    init(): void {
      const showCode = shownQrCode((code) => {
        this.phone = code;
      });
      model.watch((now) => {
        const { target, hub, state } = now;
        const tab = tabOf(now);
        const changed = this.name !== "" && (this.name !== target.name || this.tab !== tab);
        this.tab = tab;
        this.name = target.name;
        this.summary = target.summary;
        this.proven = target.support.startsWith("Proven");
        this.support = this.proven ? `${target.support}: ${provenText(target)}` : target.support;
        this.facts = reuseIfEqual(this.facts, factsOf(target));
        showCode(hub === null || hub.values.lan === null ? "" : phonePageUrl(hub.values));
        this.steps = reuseIfEqual(this.steps, hub === null ? [] : stepsOf(target, hub));
        this.testing = state?.watch.state === "watching";
        if (changed) this.$refs["page"]?.scrollTo(0, 0);
      });
    },

    show(tab: HubTab): void {
      model.set({ tab });
    },

    onTabKey(event: KeyboardEvent): void {
      const step = { ArrowRight: 1, ArrowLeft: HUB_TABS.length - 1 }[event.key];
      const end = { Home: 0, End: HUB_TABS.length - 1 }[event.key];
      if (step === undefined && end === undefined) return;
      event.preventDefault();
      const tab = HUB_TABS[end ?? (HUB_TABS.indexOf(this.tab) + (step ?? 0)) % HUB_TABS.length] ?? "overview";
      this.show(tab);
      document.getElementById(`hub-tab-${tab}`)?.focus();
    },

    async runTest() {
      const blocking = (): Check | null => {
        const { hub } = model.now;
        return hub === null ? null : preflightOf(model.now, hub, deps.now()).blocking;
      };
      // The check `reach` depends on the chosen variant, which the engine does not know. If `reach` fails, no command
      // is sent.
      const isElsewhere = blocking()?.name === "reach";
      const reply = isElsewhere ? null : await deps.commands.send({ type: "run-test", slug: model.now.target.slug });
      model.set({ refused: reply?.ok !== true });
      // Scrolls to the result, which is at the top.
      this.$refs["page"]?.scrollTo(0, 0);
      if (reply?.ok === false && blocking() === null) deps.announce(reply.problem);
    },

    copyCode(code: string): void {
      void deps.copy(code, "Copied.");
    },
  });
}

/** The checks before a test of the selected target, the check that blocks the test, and warnings. */
export function preflightOf(now: HubNow, hub: HubState, today: number): Preflight {
  const { target, state } = now;
  const conditions = { ...hub.conditions, copied: state?.copies.at(-1) ?? null };
  const blocks = target.remote === "partly" ? sendingBlocksOf(now, hub, probeUrlOf(target, hub), today) : [];
  return preflight(target, conditions, target.remote === "always" || blocks.some((block) => block.lacksAddress));
}

/** The URL for which Validate expects a request. */
export function probeUrlOf(target: Target, hub: HubState): string {
  return probeOf(target, hub.conditions.probeHost, hub.conditions.proxy.port).url;
}

/** How many of the target's snippets our tests ran: "6 of 9 snippets". */
function provenText({ variants }: Target): string {
  const forms = variants.flatMap((variant) => variant.forms);
  return `${forms.filter(({ ran }) => ran !== null).length} of ${forms.length} snippets`;
}

function factsOf({ overview }: Target) {
  return [
    { name: "What Weir does today", text: overview.today },
    { name: "What remains manual", text: overview.manual },
    { name: "What the steps change", text: overview.changes },
    { name: "How to undo it", text: overview.undo },
    { name: "What must be installed", text: overview.needs },
  ];
}

function stepsOf(target: Target, hub: HubState) {
  return setupOf(target, valuesWith(hub, probeUrlOf(target, hub))).map(({ text, code }, index) => ({
    number: String(index + 1),
    text,
    code: code ?? "",
    /** Whether the step's code is the address of the page that a phone opens. */
    isPhonePage: hub.values.lan !== null && code === phonePageUrl(hub.values),
    /** Whether the step speaks of a snippet, which another tab has. */
    hasSnippet: target.variants.length > 0 && /\bsnippets?\b/i.test(text),
  }));
}
