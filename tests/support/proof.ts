import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { formKey } from "../../src/engine/hub/copies.ts";
import type { Form, Target, Values } from "../../src/engine/hub/target.ts";
import { TARGETS } from "../../src/engine/hub/targets/index.ts";
import { sightingVerdict, verdictOf } from "../../src/engine/hub/verdict.ts";
import type { describe } from "./describe.ts";
import { type Ground, type Mode, onProvingGround } from "./proving-ground.ts";
import { runTool, type ToolOptions } from "./tool.ts";

type Test = Parameters<Parameters<typeof describe>[1]>[0];

/** The folder and texts that a proof runs with. */
export interface Place extends Ground {
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
  /** The texts that Troubleshooting documents. Where they are given, the two bad cases are run too. */
  readonly errors?: { readonly wrong: RegExp; readonly off: RegExp };
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
  const { errors } = proof;
  if (errors === undefined) return;
  test(
    `${proof.form} with another root fails as documented, and Validate says so`,
    () => rejected(proof, target, form, errors.wrong),
    options,
  );
  test(`${proof.form} with the proxy off fails as documented`, () => refused(proof, target, form, errors.off), options);
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

async function rejected(proof: Proof, target: Target, form: Form, error: RegExp): Promise<void> {
  await ground(proof, target, form, "wrong", async (place, run) => {
    const { output } = await run();
    assert.match(output, error);
    const state = await place.until((watch) => watch.state === "watching" && watch.sightings.length > 0);
    const [sighting] = state.state === "watching" ? state.sightings : [];
    assert.is(sighting?.kind, "certificate-rejected", output);
    if (sighting !== undefined) assert.match(sightingVerdict(sighting).title, "rejected the certificate");
  });
}

async function refused(proof: Proof, target: Target, form: Form, error: RegExp): Promise<void> {
  await ground(proof, target, form, "off", async (place, run) => {
    const { output } = await run();
    assert.match(output, error);
    const state = place.watch();
    assert.is(state.state, "watching");
    assert.equal(state.state === "watching" ? state.sightings : null, []);
  });
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
