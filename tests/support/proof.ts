import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { matchesOutput, REFUSED, UNTRUSTED } from "../../src/engine/hub/known-errors.ts";
import { type Form, formKey, type Target, type Values } from "../../src/engine/hub/target.ts";
import { TARGETS } from "../../src/engine/hub/targets/index.ts";
import { validationVerdictOf } from "../../src/engine/hub/validation-verdict.ts";
import { type Watch, watch } from "../../src/engine/hub/watcher.ts";
import type { describe } from "./describe.ts";
import { type Ground, type Mode, onProvingGround } from "./proving-ground.ts";
import { runTool, type ToolOptions } from "./tool.ts";

type Test = Parameters<Parameters<typeof describe>[1]>[0];

/** The folder of a proof, and its texts. */
export interface Place extends Ground {
  readonly target: Target;
  /** The text shown by the hub. */
  readonly text: string;
  /** Another text of the hub with the same values. */
  readonly textOf: (form: string) => string;
  /** Writes a text to a file in the tool's folder, and returns the file's path. */
  readonly saved: (name: string, text: string) => string;
}

export interface Proof {
  /** `slug/variant`, then `@version` and `#shell` if the variant has several. */
  readonly form: string;
  /** Why this computer cannot run the proof; `null` if it can. */
  readonly skip: string | null;
  readonly run: (place: Place) => readonly string[];
  /** Steps before the proof, such as compiling, each with a longer time limit of its own. */
  readonly before?: (place: Place) => readonly (readonly string[])[];
  readonly env?: Readonly<Record<string, string>>;
  /** A command that prints the tool's version, which must match the label of the form. */
  readonly version?: readonly string[];
  /** Whether two failing cases also run; Troubleshooting must recognize their output. */
  readonly fails?: true;
  /** `null`: the probe goes to the built-in probe host, not to the local echo server. */
  readonly probeHost?: null;
  /** As in `GroundOptions`. */
  readonly passThrough?: true;
  readonly lan?: string;
  /** Whether the tool cannot use the echo server's response (git: not a repository) and reports an error. */
  readonly complains?: boolean;
  readonly limit?: number;
}

/** Milliseconds for a compiler's first run with all libraries on a busy computer. */
const BEFORE_LIMIT = 600_000;

const toolsRequired = process.env["WEIR_TESTS_REQUIRE_TOOLS"] === "1";

/** Runs the hub's text with the real tool through the real proxy; the watcher judges the outcome. */
export function prove(test: Test, proof: Proof): void {
  const { target, form } = found(proof.form);
  const options = { skip: proof.skip, limit: BEFORE_LIMIT + 30_000 };
  test(`${form.ran ?? "nothing"}: ${proof.form} is captured`, () => captured(proof, target, form), options);
  if (proof.fails === undefined) return;
  const so = "fails as documented, and Validate says so";
  test(`${proof.form} with another root ${so}`, () => rejected(proof, target, form), options);
  test(`${proof.form} with the proxy off ${so}`, () => refused(proof, target, form), options);
}

/**
 * A proof with a body of its own, for tools that do not exit. The version is compared with the label in the mode `ok`.
 */
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
    assert.is(state.state, "confirmed", `${validationVerdictOf(state, target).title}. The tool said: ${output}`);
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

/** How the client ended TLS: with an alert, or by closing the connection (Node.js, Bun, wget). */
const DISTRUSTED: Readonly<Record<string, string>> = {
  "certificate-rejected": "rejected the certificate",
  "closed-silently": "closed the connection after receiving Weir's certificate",
};

/** Asserts that the tool rejected a root that it was not given. */
export async function assertRejected(place: Place, output: string): Promise<void> {
  assertDocumented(place.target, UNTRUSTED, output);
  const state = await place.until((watch) => watch.state === "watching" && watch.sightings.length > 0);
  const kinds = state.state === "watching" ? state.sightings.map(({ kind }) => kind) : state.state;
  const [kind = "nothing", ...others] = Array.isArray(kinds) ? kinds : [];
  assert.equal(others, [], output);
  assert.match(lateTitle(state, place.target), DISTRUSTED[kind] ?? /^nothing/, output);
}

/** Asserts that the tool found nothing at the proxy's address. */
export function assertRefused({ target, watch }: Place, output: string): void {
  assertDocumented(target, REFUSED, output);
  assert.is(lateTitle(watch(), target), "No request was seen yet", output);
}

/** Asserts that the search in Troubleshooting explains the tool's output. */
function assertDocumented({ knownErrors: troubles }: Target, meaning: string, output: string): void {
  const told = troubles.filter((trouble) => matchesOutput(trouble, output));
  assert.ok(
    told.some((trouble) => trouble.meaning === meaning),
    `Troubleshooting does not know: ${output}`,
  );
}

/** The verdict of Validate after its time limit. */
function lateTitle(state: Watch, target: Target): string {
  const late = state.state === "watching" ? watch(state, { type: "tick", at: state.until }) : state;
  return validationVerdictOf(late, target).title;
}

async function ground(
  proof: Proof,
  target: Target,
  form: Form,
  mode: Mode,
  body: (place: Place, run: () => ReturnType<typeof runTool>) => Promise<void>,
): Promise<void> {
  const { lan = null, passThrough = false } = proof;
  const options = { target, mode, lan, passThrough, ...(proof.probeHost === null ? { probeHost: null } : {}) };
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
    const program = place.program();
    assert.ok(program === "" || (target.userAgents?.includes(program) ?? true), `the target lacks ${program}`);
  });
}

function toolOptions({ env, limit }: Proof): ToolOptions {
  return { ...(env === undefined ? {} : { env }), ...(limit === undefined ? {} : { limit }) };
}

/** The shell in a form's key. */
export function shellOf(form: string): string {
  return form.slice(form.lastIndexOf("#") + 1);
}

/** The keys of all forms: the target's slug, then the variant's key. */
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

/** The tool's version must be one that the label names. Outside CI, other versions may be installed. */
async function sameVersion({ version }: Proof, { ran }: Form, folder: string): Promise<void> {
  if (version === undefined || !toolsRequired) return;
  const { output } = await runTool(version, folder);
  const [number = "?"] = /\d+(?:\.\d+)*/.exec(output) ?? [];
  const labelled = ran?.match(/(?<= )\d+(?:\.\d+)*/g) ?? [];
  assert.ok(
    labelled.some((version) => `${number}.`.startsWith(`${version}.`)),
    `the label says ${ran}, the tool says ${output}`,
  );
}
