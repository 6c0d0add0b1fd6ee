import type { Target } from "../target.ts";
import { androidDevice } from "./android-device.ts";
import { androidEmulator } from "./android-emulator.ts";
import { bruno } from "./bruno.ts";
import { bun } from "./bun.ts";
import { chromium } from "./chromium.ts";
import { curl } from "./curl.ts";
import { deno } from "./deno.ts";
import { docker } from "./docker.ts";
import { dotnet } from "./dotnet.ts";
import { electron } from "./electron.ts";
import { firefox } from "./firefox.ts";
import { flutter } from "./flutter.ts";
import { git } from "./git.ts";
import { go } from "./go.ts";
import { httpie } from "./httpie.ts";
import { insomnia } from "./insomnia.ts";
import { iosDevice } from "./ios-device.ts";
import { iosSimulator } from "./ios-simulator.ts";
import { java } from "./java.ts";
import { nextjs } from "./nextjs.ts";
import { nodejs } from "./nodejs.ts";
import { npm } from "./npm.ts";
import { phoneSocks } from "./phone-socks.ts";
import { php } from "./php.ts";
import { postman } from "./postman.ts";
import { proxybridge } from "./proxybridge.ts";
import { proxychains } from "./proxychains.ts";
import { python } from "./python.ts";
import { rapidapiMac } from "./rapidapi-mac.ts";
import { reactNative } from "./react-native.ts";
import { reverse } from "./reverse.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";
import { socks } from "./socks.ts";
import { terminal } from "./terminal.ts";
import { transparent } from "./transparent.ts";
import { tun2proxy } from "./tun2proxy.ts";
import { tvosWatchos } from "./tvos-watchos.ts";
import { visionos } from "./visionos.ts";
import { wget } from "./wget.ts";

/** All targets, by category, in the order of the source list. */
export const TARGETS: readonly Target[] = Object.freeze([
  python,
  nodejs,
  ruby,
  go,
  rust,
  java,
  php,
  dotnet,
  deno,
  bun,
  curl,
  terminal,
  wget,
  httpie,
  git,
  npm,
  firefox,
  chromium,
  postman,
  insomnia,
  rapidapiMac,
  bruno,
  nextjs,
  electron,
  docker,
  iosDevice,
  iosSimulator,
  androidDevice,
  androidEmulator,
  tvosWatchos,
  visionos,
  phoneSocks,
  flutter,
  reactNative,
  socks,
  reverse,
  transparent,
  proxychains,
  tun2proxy,
  proxybridge,
]);

/** The target with this slug; `null` if there is none. */
export function targetOf(slug: string): Target | null {
  return TARGETS.find((target) => target.slug === slug) ?? null;
}
