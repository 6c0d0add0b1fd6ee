import { targetOf } from "../../../../src/engine/hub/targets/index.ts";
import { IDLE } from "../../../../src/engine/hub/watcher.ts";
import type { HubState, TargetState } from "../../../../src/engine/messages/hub-messages.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import type { HubNow } from "../../../../src/ui/views/hub/hub-model.ts";

/** Half past noon, local time. */
export const NOON = new Date(2026, 10, 20, 12, 30).getTime() as Instant;

/** The engine's state without a problem. */
export const HUB: HubState = {
  values: {
    host: "127.0.0.1",
    port: 8686,
    lan: null,
    ca: "/weir/weir-ca.pem",
    bundle: "/weir/weir-ca-bundle.pem",
    der: "/weir/weir-ca.cer",
    keyHash: "hash=",
  },
  conditions: {
    platform: "linux",
    proxy: { running: true, address: "127.0.0.1", port: 8686 },
    lan: null,
    recording: true,
    certificate: { fingerprint: "7C:41:9B:0E:01:02:D2:9E:5F:02", trustedBySystem: false, exportProblem: null },
    probeHost: "probe.weir.test",
    probeHostPassedThrough: false,
    probeHostExcluded: false,
  },
  reversePorts: [],
  transparentPorts: [],
  folder: "/weir",
  exportedAt: NOON,
  trustReadAt: NOON,
  validTo: "Nov 20 12:30:00 2031 GMT",
  endWarning: null,
  captured: 1_396,
  sample: null,
  waiting: [],
  confirmed: [],
};

export const UNTESTED: TargetState = {
  watch: IDLE,
  secondsLeft: 0,
  confirmedAt: null,
  exchange: null,
  seen: null,
  unanswered: null,
  copies: [],
};

/** The hub's page for a target. */
export function hubNow(slug: string, change: Partial<HubNow> = {}): HubNow {
  const target = targetOf(slug);
  if (target === null) throw new Error(`no target ${slug}`);
  return {
    target,
    tab: "overview",
    shell: null,
    choices: {},
    sample: null,
    copied: {},
    refused: false,
    hub: HUB,
    state: UNTESTED,
    problem: null,
    ...change,
  };
}
