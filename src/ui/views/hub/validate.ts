import type { ActionKind, Check } from "../../../engine/hub/preflight.ts";
import { BUILT_IN_PROBE_HOST } from "../../../engine/hub/target.ts";
import { isSeenLate } from "../../../engine/hub/validation-verdict.ts";
import type { TargetState } from "../../../engine/messages/hub-messages.ts";
import type { Command } from "../../../engine/messages/messages.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { clockText } from "../../format/clock.ts";
import { reuseIfEqual } from "../reuse-rows.ts";
import { view } from "../view.ts";
import type { HubDependencies } from "./dependencies.ts";
import { preflightOf, probeUrlOf } from "./detail.ts";
import { sampleSeen, type TargetSample } from "./hub-model.ts";
import { isOpened, type SnippetBlock, sendingBlocksOf } from "./snippet-block.ts";
import { blockActions } from "./snippets.ts";
import type { MarkName } from "./status-panel.ts";
import { RING_LENGTH, type TestBox, testBoxOf } from "./test-lines.ts";

export interface CheckRow {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly mark: MarkName;
}

const CHECK_MARKS = { passed: "check", note: "info", blocked: "error" } as const;

/** The tab Validate: the checks, the request to send, and the events of the test. */
export function validate(deps: HubDependencies) {
  const { model, commands } = deps;
  let unwatch = (): void => {};

  const send = async (command: Command): Promise<string> => {
    const reply = await commands.send(command);
    if (!reply.ok) deps.announce(reply.problem);
    return reply.ok ? "" : reply.problem;
  };
  const slug = (): string => model.now.target.slug;

  return view({
    ring: RING_LENGTH,
    box: null as TestBox | null,
    /**
     * The first failed check, if it is shown; else `null`. The check `reach` is always shown, any other check only
     * after a test was refused.
     */
    blocking: null as Check | null,
    blockingTitle: "",
    /** What Run Test does, and how the user sends the request that it waits for. */
    intro: "",
    url: "",
    /** Whether the user must open the URL, because no text requests it. */
    opensUrl: false,
    blocks: Object.freeze([]) as readonly SnippetBlock[],
    checks: Object.freeze([]) as readonly CheckRow[],
    warnings: Object.freeze([]) as readonly string[],
    probeHost: "",
    probeHostProblem: "",
    builtIn: true,
    /** The captured exchange of the test, or the probe that came after it; `null` if Traffic has none. */
    shown: null as ExchangeId | null,
    /**
     * When a sample request was seen, and from whom, as a sentence; "" if none was, if another program sent it, or if
     * the test passed.
     */
    sampleText: "",
    sampleMark: "check" as MarkName,
    /** The sample request in Traffic; `null` if Traffic has none. */
    sample: null as ExchangeId | null,
    ...blockActions(deps),

    init(): void {
      unwatch = model.watch((now) => {
        const { hub, state, target, refused } = now;
        if (hub === null) return;
        const { checks, blocking, warnings } = preflightOf(now, hub, deps.now());
        const { how, limit } = target.probe;
        this.intro = `Run Test waits ${limit / 1_000} s for a request that you send; Weir sends none. ${how}`;
        this.url = probeUrlOf(target, hub);
        this.blocks = reuseIfEqual(this.blocks, sendingBlocksOf(now, hub, this.url, deps.now()));
        this.opensUrl = isOpened(now, hub, this.url);
        this.checks = reuseIfEqual(
          this.checks,
          checks.map((check) => ({ ...check, mark: CHECK_MARKS[check.state] })),
        );
        this.warnings = reuseIfEqual(this.warnings, warnings);
        this.blocking = reuseIfEqual(this.blocking, refused || blocking?.name === "reach" ? blocking : null);
        this.blockingTitle = refused ? "The test did not start." : "The test cannot start yet.";
        this.box = reuseIfEqual(this.box, state === null ? null : testBoxOf(state, target));
        this.shown = shownOf(state);
        const sample = state?.watch.state === "confirmed" ? null : sampleSeen(now);
        this.sampleText =
          sample === null || sample.sender === "other" ? "" : sampleTextOf(sample, this.box?.waiting ?? false);
        this.sampleMark = sample?.sender === "target" ? "check" : "info";
        this.sample = sample?.exchange ?? null;
        if (this.probeHostProblem === "") this.probeHost = hub.conditions.probeHost;
        this.builtIn = hub.conditions.probeHost === BUILT_IN_PROBE_HOST;
      });
    },

    destroy(): void {
      unwatch();
    },

    act(kind: ActionKind): void {
      switch (kind) {
        case "start-proxy":
          return void send({ type: "start-proxy" });
        case "resume-recording":
          return void send({ type: "set-recording", on: true });
        case "show-trust-steps":
          return model.set({ tab: "setup" });
        case "export-certificate":
          return deps.showCertificate();
        case "open-to-network":
          return void this.openToNetwork();
      }
    },

    extend(): void {
      void send({ type: "extend-test", slug: slug() });
    },

    cancel(): void {
      void send({ type: "cancel-test", slug: slug() });
    },

    showTraffic(exchange: ExchangeId | null): void {
      if (exchange !== null) void showInTraffic(deps, exchange);
    },

    showFix(): void {
      model.set({ tab: "troubleshooting" });
    },

    copyUrl(): void {
      void deps.copy(this.url, "Probe URL copied.");
    },

    async setProbeHost(host: string): Promise<void> {
      this.probeHost = host.trim();
      const reply = await commands.send({ type: "set-setting", key: "probeHost", value: this.probeHost });
      this.probeHostProblem = reply.ok ? "" : reply.problem;
      if (reply.ok) deps.announce("Saved.");
    },
  });
}

/** Names who sent it: all targets request the same sample URL. */
function sampleTextOf({ at, client }: TargetSample, isWaiting: boolean): string {
  return `A sample request arrived at ${clockText(at)} from ${client}. The test waits for the probe URL instead: ${isWaiting ? "" : "press Run Test, then "}run the lines below.`;
}

function shownOf(state: TargetState | null): ExchangeId | null {
  if (state === null || state.watch.state !== "timed-out") return state?.exchange ?? null;
  const { seen, watch } = state;
  return seen !== null && isSeenLate(watch, seen.at) ? seen.exchange : null;
}

/** Shows an exchange in the main window. */
export async function showInTraffic(
  { commands, focusMain, announce }: HubDependencies,
  exchange: ExchangeId,
): Promise<void> {
  const isForward = focusMain();
  const reply = await commands.send({ type: "show-exchange", exchange });
  if (!reply.ok) announce(reply.problem);
  else if (!isForward) announce("The request is selected in Weir's main window.");
}
