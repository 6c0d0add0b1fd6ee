import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { formKey } from "../../src/engine/hub/copies.ts";
import type { Form, Target, Values } from "../../src/engine/hub/target.ts";
import { TARGETS } from "../../src/engine/hub/targets/index.ts";
import { isToldBy, REFUSED, UNTRUSTED } from "../../src/engine/hub/troubles.ts";
import { verdictOf } from "../../src/engine/hub/verdict.ts";
import { type Watch, watch } from "../../src/engine/hub/watcher.ts";
import type { describe } from "./describe.ts";
import { type Ground, type Mode, onProvingGround } from "./proving-ground.ts";
import { runTool, type ToolOptions } from "./tool.ts";

type Test = Parameters<Parameters<typeof describe>[1]>[0];

/** The folder and texts that a proof runs with. */
export interface Place extends Ground {
  readonly target: Target;
  /** The very text that the hub shows. */
  readonly text: string;
  /** Another text of the hub, with the same values. */
  readonly textOf: (form: string) => string;
  /** Writes a text into the tool's folder, and gives its path. */
  readonly saved: (name: string, text: string) => string;
}

export interface Proof {
  /** `slug/variant`, then `@version` and `#shell` where the variant has several. */
  readonly form: string;
  /** Why this machine cannot run it; `null` when it can. */
  readonly skip: string | null;
  readonly run: (place: Place) => readonly string[];
  /** What must have run before it, such as a compiler; each with its own, longer limit. */
  readonly before?: (place: Place) => readonly (readonly string[])[];
  readonly env?: Readonly<Record<string, string>>;
  /** A command that prints the tool's version: it must be the one that the form's label names. */
  readonly version?: readonly string[];
  /** The two bad cases are run too: what the tool then prints must be found in Troubleshooting. */
  readonly fails?: true;
  /** `null`: the built-in probe host instead of the local echo server. */
  readonly probeHost?: null;
  /** See `GroundOptions`. */
  readonly lan?: string;
  /** The tool cannot use the echo's answer (git: no repository) and says so. */
  readonly complains?: boolean;
  readonly limit?: number;
}

/** Our choice: compilers and dev servers. */
const BEFORE_LIMIT = 180_000;

const toolsRequired = process.env["WEIR_TESTS_REQUIRE_TOOLS"] === "1";

/** Runs what the hub shows with the real tool through the real proxy, and lets the watcher judge. */
export function prove(test: Test, proof: Proof): void {
  const { target, form } = found(proof.form);
  const options = { skip: proof.skip, limit: BEFORE_LIMIT + 30_000 };
  test(`${form.ran ?? "nothing"}: ${proof.form} is captured`, () => captured(proof, target, form), options);
  if (proof.fails === undefined) return;
  const so = "fails as documented, and Validate says so";
  test(`${proof.form} with another root ${so}`, () => rejected(proof, target, form), options);
  test(`${proof.form} with the proxy off ${so}`, () => refused(proof, target, form), options);
}

/** A proof with a body of its own, for tools that do not end by themselves. The label's version is checked in mode `ok`. */
export function proveWith(
  test: Test,
  proof: Omit<Proof, "run">,
  mode: Mode,
  outcome: string,
  body: (place: Place) => Promise<void>,
): void {
  const { target, form } = found(proof.form);
  const whole: Proof = { ...proof, run: () => [] };
  const work = () =>
    ground(whole, target, form, mode, async (place) => {
      assert.ok(form.ran !== null, "the hub says that this form was not run");
      await body(place);
      if (mode === "ok") await sameVersion(whole, form, place.folder);
    });
  test(`${form.ran ?? "nothing"}: ${proof.form} ${outcome}`, work, { skip: proof.skip, limit: BEFORE_LIMIT + 30_000 });
}

async function captured(proof: Proof, target: Target, form: Form): Promise<void> {
  assert.ok(form.ran !== null, "the hub says that this form was not run");
  await ground(proof, target, form, "ok", async (place, run) => {
    const { code, output } = await run();
    const state = await place.until((watch) => watch.state === "confirmed");
    assert.is(state.state, "confirmed", `${verdictOf(state, target).title}. The tool said: ${output}`);
    if (proof.complains !== true) assert.is(code, 0, output);
    await sameVersion(proof, form, place.folder);
  });
}

async function rejected(proof: Proof, target: Target, form: Form): Promise<void> {
  await ground(proof, target, form, "wrong", async (place, run) => assertRejected(place, (await run()).output));
}

async function refused(proof: Proof, target: Target, form: Form): Promise<void> {
  await ground(proof, target, form, "off", async (place, run) => assertRefused(place, (await run()).output));
}

/** The tool met a root that it was not given. */
export async function assertRejected(place: Place, output: string): Promise<void> {
  assertDocumented(place.target, UNTRUSTED, output);
  const state = await place.until((watch) => watch.state === "watching" && watch.sightings.length > 0);
  const kinds = state.state === "watching" ? state.sightings.map(({ kind }) => kind) : state.state;
  assert.equal(kinds, ["certificate-rejected"], output);
  assert.match(lateTitle(state, place.target), "rejected the certificate");
}

/** The tool found nobody at the proxy's address. */
export function assertRefused({ target, watch }: Place, output: string): void {
  assertDocumented(target, REFUSED, output);
  assert.is(lateTitle(watch(), target), "No request was seen", output);
}

/** What the tool printed, pasted into the search of Troubleshooting, must find what it means. */
function assertDocumented({ troubles }: Target, meaning: string, output: string): void {
  const told = troubles.filter((trouble) => isToldBy(trouble, output));
  assert.ok(
    told.some((trouble) => trouble.meaning === meaning),
    `Troubleshooting does not know: ${output}`,
  );
}

/** The verdict of Validate when nothing more comes. */
function lateTitle(state: Watch, target: Target): string {
  const late = state.state === "watching" ? watch(state, { type: "tick", at: state.until }) : state;
  return verdictOf(late, target).title;
}

async function ground(
  proof: Proof,
  target: Target,
  form: Form,
  mode: Mode,
  body: (place: Place, run: () => ReturnType<typeof runTool>) => Promise<void>,
): Promise<void> {
  const { lan = null } = proof;
  const options = { target, mode, lan, ...(proof.probeHost === null ? { probeHost: null } : {}) };
  await onProvingGround(options, async (place) => {
    const all: Place = Object.freeze({
      ...place,
      target,
      text: form.text(place.values),
      textOf: (key: string) => textOf(key, place.values),
      saved: (name: string, text: string) => {
        const path = join(place.folder, name);
        writeFileSync(path, text);
        return path;
      },
    });
    for (const argv of proof.before?.(all) ?? []) {
      const { code, output } = await runTool(argv, place.folder, { ...toolOptions(proof), limit: BEFORE_LIMIT });
      assert.is(code, 0, `${argv.join(" ")}: ${output}`);
    }
    await body(all, () => runTool(proof.run(all), place.folder, toolOptions(proof)));
  });
}

function toolOptions({ env, limit }: Proof): ToolOptions {
  return { ...(env === undefined ? {} : { env }), ...(limit === undefined ? {} : { limit }) };
}

/** The shell that a form's key ends in. */
export function shellOf(form: string): string {
  return form.slice(form.lastIndexOf("#") + 1);
}

/** Every form's key: the target's slug, then the name that the hub has for it. */
export function formKeys(): ReadonlyMap<string, Form> {
  return new Map(
    TARGETS.flatMap(({ slug, variants }) =>
      variants.flatMap((variant) =>
        variant.forms.map((form): [string, Form] => [`${slug}/${formKey(variant, form)}`, form]),
      ),
    ),
  );
}

function found(key: string): { readonly target: Target; readonly form: Form } {
  const form = formKeys().get(key);
  const target = TARGETS.find(({ slug }) => key.startsWith(`${slug}/`));
  if (form === undefined || target === undefined) throw new Error(`the hub has no ${key}`);
  return { target, form };
}

function textOf(key: string, values: Values): string {
  return found(key).form.text(values);
}

/** The label's first number must begin the tool's. Elsewhere than in CI, other versions may be installed. */
async function sameVersion({ version }: Proof, { ran }: Form, folder: string): Promise<void> {
  if (version === undefined || !toolsRequired) return;
  const { output } = await runTool(version, folder);
  const [number = "?"] = /\d+(?:\.\d+)*/.exec(output) ?? [];
  const [, labelled = "!"] = / (\d+(?:\.\d+)*)/.exec(ran ?? "") ?? [];
  assert.ok(`${number}.`.startsWith(`${labelled}.`), `the label says ${ran}, the tool says ${output}`);
}
