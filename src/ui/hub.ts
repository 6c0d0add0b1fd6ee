import { TARGETS, targetOf } from "../engine/hub/targets/index.ts";
import { Alpine } from "./alpine.ts";
import { hostChannel } from "./channel/host.ts";
import { focusOpener, takeTarget } from "./channel/hub-window.ts";
import { readGlobals } from "./globals.ts";
import { copier } from "./parts/clipboard.ts";
import { createChannel } from "./parts/event-channel.ts";
import { Commands } from "./state/commands.ts";
import { engineClock } from "./state/engine-clock.ts";
import { oncePerFrame } from "./state/frame.ts";
import { SubscriptionStore } from "./state/subscription-store.ts";
import { certificateDialog } from "./views/hub/certificate.ts";
import type { HubDependencies } from "./views/hub/dependencies.ts";
import { detail } from "./views/hub/detail.ts";
import { hubFrame } from "./views/hub/hub.ts";
import { HubModel } from "./views/hub/hub-model.ts";
import { snippets } from "./views/hub/snippets.ts";
import { statusPane } from "./views/hub/status.ts";
import { targetList } from "./views/hub/target-list.ts";
import { troubleshooting } from "./views/hub/troubleshooting.ts";
import { validate } from "./views/hub/validate.ts";

const [first] = TARGETS;
if (first === undefined) throw new Error("a hub without targets");
const wished = targetOf(takeTarget() ?? "");
const channel = await hostChannel();
const windows = new SubscriptionStore(channel, oncePerFrame);
const announcements = createChannel<string>();
const certificate = createChannel<void>();

const deps: HubDependencies = {
  model: new HubModel(windows, wished ?? first),
  channel,
  windows,
  commands: new Commands(channel),
  now: engineClock(channel),
  announce: announcements.emit,
  onAnnounce: announcements.listen,
  copy: copier(announcements.emit),
  showCertificate: certificate.emit,
  onShowCertificate: certificate.listen,
  focusMain: focusOpener,
};

const views = {
  hubFrame: () => hubFrame({ ...deps, wishedTarget: takeTarget }),
  targetList: () => targetList(deps),
  detail: () => detail(deps),
  snippets: () => snippets(deps),
  validate: () => validate(deps),
  troubleshooting: () => troubleshooting(deps),
  statusPane: () => statusPane(deps),
  certificateDialog: () => certificateDialog(deps),
};
/** The components of the templates. */
export type Views = typeof views;
for (const [name, view] of Object.entries<() => object>(views)) Alpine.data(name, view);
Alpine.start();
channel.connect();
void readGlobals();
