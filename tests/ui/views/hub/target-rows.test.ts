import * as assert from "uvu/assert";
import { TARGETS } from "../../../../src/engine/hub/targets/index.ts";
import type { Part } from "../../../../src/ui/views/hub/marks.ts";
import { targetListOf } from "../../../../src/ui/views/hub/target-rows.ts";
import { describe } from "../../../support/describe.ts";

const textOf = (parts: readonly Part[]): string => parts.map(({ text }) => text).join("");
const marksOf = (parts: readonly Part[]): readonly string[] =>
  parts.filter((part) => part.marked).map(({ text }) => text);

describe("source list of the Setup Hub", (test) => {
  const all = targetListOf(TARGETS, "", null);
  const rowOf = (filter: string, slug: string) => {
    const row = targetListOf(TARGETS, filter, all)
      .groups.flatMap(({ rows }) => rows)
      .find((one) => one.slug === slug);
    if (row === undefined) throw new Error("no such row");
    return row;
  };

  test("given no filter, shows every target in its group with the group's count", () => {
    assert.is(all.slugs.length, TARGETS.length);
    assert.is(all.count, "");
    for (const { shown, count, rows } of all.groups) assert.equal([shown, count], [true, String(rows.length)]);
  });

  test("given a filter for a tool without a page, explains it above the terminal's row, which Enter opens", () => {
    const { note, slugs, best } = targetListOf(TARGETS, "terraform", all);
    assert.equal([slugs, best], [["terminal"], "terminal"]);
    assert.match(note, /SSL_CERT_FILE on Linux/);
  });

  test("given a filter, counts the matches in each group and hides groups without any", () => {
    const { groups, count, slugs } = targetListOf(TARGETS, "emulator", all);
    assert.equal(slugs, [
      "ios-device",
      "ios-simulator",
      "android-device",
      "android-emulator",
      "tvos-watchos",
      "visionos",
      "phone-socks",
    ]);
    assert.is(count, `7 of ${TARGETS.length}`);
    assert.equal(
      groups.filter(({ shown }) => shown).map((group) => [group.category, group.count, marksOf(group.title)]),
      [["Devices and emulators", "7 of 7", ["emulator"]]],
    );
  });

  test("given an error that any target with a certificate can cause, says so in a note", () => {
    const note = (filter: string) => targetListOf(TARGETS, filter, all).note;
    assert.match(note("certificate has expired"), /^Many clients can get this error/);
    for (const filter of ["", "e", "curl", "net::ERR_CERT_AUTHORITY_INVALID", "zzz"])
      assert.is(note(filter), "", filter);
  });

  test("given a filter, shows a summary in full with marks where it matches, and otherwise in short", () => {
    assert.is(textOf(rowOf("", "python").summary), "requests, httpx, aiohttp, urllib3.");
    const { summary, whole } = rowOf("program", "python");
    assert.ok(whole);
    assert.match(textOf(summary), /^Send a Python program/);
    assert.equal(marksOf(summary), ["program"]);
  });

  test("given a filter that matches a label, shows the whole label", () => {
    assert.equal(rowOf("", "firefox").support, []);
    assert.equal(marksOf(rowOf("tool present", "firefox").support), ["tool", "present"]);
  });

  test("given an unchanged row, reuses the same object", () => {
    const again = targetListOf(TARGETS, "", all);
    for (const [index, { rows }] of all.groups.entries())
      for (const [at, row] of rows.entries()) assert.is(again.groups[index]?.rows[at], row);
  });

  test("given a filter, Enter opens the target whose name matches best", () => {
    const best = (filter: string) => targetListOf(TARGETS, filter, all).best;
    assert.is(best("curl"), "curl");
    assert.is(best("Go"), "go");
    assert.is(best("node"), "nodejs");
    assert.is(best("store"), "java");
    assert.is(best("curl: (60) SSL certificate problem: self-signed certificate in certificate chain"), "curl");
    assert.is(best("zzz"), "");
  });
});
