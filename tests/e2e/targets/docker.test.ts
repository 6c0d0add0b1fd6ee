import { chmodSync, mkdirSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import type { Place } from "../../support/proof.ts";
import { assertRefused, assertRejected, proveWith } from "../../support/proof.ts";
import { runTool, type ToolRun } from "../../support/tool.ts";
import { needs, which } from "../../support/which.ts";

const HOST_NETWORK = "docker/run@Linux, host network#sh";
const HOST_ADDRESS = "docker/run@Host IPv4 address#sh";

/**
 * The two ends of a virtual cable between this machine and the container's network. TEST-NET-2 (RFC 5737) is reserved.
 */
const HOST_IPV4 = "198.51.100.1";
const CONTAINER_IPV4 = "198.51.100.2";

const skip =
  needs("buildah", "curl", "ldd") ?? (process.getuid?.() === 0 ? null : "needs root for buildah's chroot isolation");

/**
 * No container engine runs in the tests, so a program called `docker` passes the hub's command to buildah. It supports
 * only the options that the hub writes.
 */
const DOCKER = (buildah: string) => `#!/bin/sh
[ "$1 $2" = "run --rm" ] || exit 64
shift 2
while :; do
  case "$1" in
    --network) [ "$2" = host ] || exit 64; shift 2 ;;
    -v) mount="$2"; shift 2 ;;
    curlimages/curl) shift; break ;;
    *) exit 64 ;;
  esac
done
exec ${buildah} run --isolation chroot --network host -v "$mount" probe -- curl "$@"
`;

/**
 * Builds an image with curl and its libraries, and the program `docker` that runs it; `within` precedes buildah's
 * command.
 */
async function engine({ folder, saved }: Place, within: string): Promise<void> {
  const curl = which("curl") ?? "curl";
  const { output } = await runTool(["ldd", curl], folder);
  for (const file of [curl, ...(output.match(/\/\S+(?= \()/g) ?? [])]) {
    mkdirSync(join(folder, "tree", dirname(file)), { recursive: true });
    await copyFile(file, join(folder, "tree", file));
  }
  for (const name of ["etc", "tmp"]) mkdirSync(join(folder, "tree", name), { recursive: true });
  const storage = `buildah --storage-driver vfs --root ${join(folder, "storage")} --runroot ${join(folder, "run")}`;
  for (const step of ["from --name probe scratch", "copy -q probe tree /"]) {
    const made = await runSealed(["sh", "-c", `${storage} ${step}`], folder);
    assert.is(made.code, 0, made.output);
  }
  mkdirSync(join(folder, "bin"));
  chmodSync(saved("bin/docker", DOCKER(`${within} ${storage}`)), 0o755);
}

const run = (place: Place) => runSealed(["sh", "-c", `PATH="$HOME/bin:$PATH"\n${place.text}`], place.folder);

/**
 * buildah starts by sealing a copy of itself in memory, which a busy kernel may refuse for a moment (EBUSY, fcntl(2)
 * F_SEAL_WRITE). Nothing has run by then, so buildah can be started again.
 */
async function runSealed(argv: readonly string[], folder: string): Promise<ToolRun> {
  let ran = await runTool(argv, folder);
  for (let again = 0; again < 5 && ran.output.includes("sealing memfd copy"); again++)
    ran = await runTool(argv, folder);
  return ran;
}

/** Creates a network for the body, joined to this machine by a virtual cable; both are removed when the body ends. */
async function withNetwork(folder: string, body: (name: string) => Promise<void>): Promise<void> {
  const name = `weir-${process.pid}`;
  const [here, there] = [`wh${process.pid}`, `wc${process.pid}`];
  const setUp = [
    `ip netns add ${name}`,
    `ip link add ${here} type veth peer name ${there} netns ${name}`,
    `ip addr add ${HOST_IPV4}/30 dev ${here}`,
    `ip link set ${here} up`,
    `ip -n ${name} addr add ${CONTAINER_IPV4}/30 dev ${there}`,
    `ip -n ${name} link set ${there} up`,
  ];
  try {
    const made = await runTool(["sh", "-c", setUp.join(" && ")], folder);
    assert.is(made.code, 0, made.output);
    await body(name);
  } finally {
    await runTool(["sh", "-c", `ip netns del ${name}; ip link del ${here}`], folder);
  }
}

describe("a container, by buildah in place of Docker", (test) => {
  const version = ["buildah", "--version"];

  proveWith(test, { form: HOST_NETWORK, skip, version }, "ok", "is captured", async (place) => {
    await engine(place, "");
    const { output } = await run(place);
    assert.is((await place.until((watch) => watch.state === "confirmed")).state, "confirmed", output);
  });

  proveWith(test, { form: HOST_NETWORK, skip }, "wrong", "with another root fails as documented", async (place) => {
    await engine(place, "");
    await assertRejected(place, (await run(place)).output);
  });

  proveWith(test, { form: HOST_NETWORK, skip }, "off", "with the proxy off fails as documented", async (place) => {
    await engine(place, "");
    assertRefused(place, (await run(place)).output);
  });

  const cable = skip ?? needs("ip");
  proveWith(
    test,
    { form: HOST_ADDRESS, skip: cable, version, lan: HOST_IPV4 },
    "ok",
    "is captured from a network of its own",
    async (place) => {
      await withNetwork(place.folder, async (name) => {
        await engine(place, `ip netns exec ${name}`);
        const { output } = await run(place);
        assert.is((await place.until((watch) => watch.state === "confirmed")).state, "confirmed", output);
      });
    },
  );
});
