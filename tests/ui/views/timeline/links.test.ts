import * as assert from "uvu/assert";
import type { TimelineRecord } from "../../../../src/engine/messages/timeline-messages.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { type BarRow, bandsOf, groupLabelOf, groupsOf, linksOf } from "../../../../src/ui/views/timeline/links.ts";
import { describe } from "../../../support/describe.ts";
import { timelineRecord } from "./record.ts";

const scale = { range: { from: 0 as Instant, to: 1_000 as Instant }, width: 1_000 };
const id = (number: number) => number as ExchangeId;
const barRow = (change: Partial<TimelineRecord> & { start: number; end: number }): BarRow => ({
  record: timelineRecord(change),
  bar: { start: change.start, end: change.end, spans: [], wait: null, slowed: [] },
});

describe("chains and groups in Timeline", (test) => {
  test("given links, draws proven ones solid, sequential ones dashed, and an arrow before each following bar", () => {
    const rows = [
      barRow({ id: id(1), start: 0, end: 100 }),
      barRow({ id: id(2), start: 130, end: 200, follows: { from: id(1), kind: "proven", gap: 30 } }),
      barRow({ id: id(3), start: 210, end: 300, follows: { from: id(2), kind: "sequential", gap: 10 } }),
    ];
    const loaded = (exchange: ExchangeId) => {
      const row = rows.findIndex(({ record }) => record.id === exchange);
      const found = rows[row];
      return found === undefined ? null : { row, bar: found.bar };
    };
    const links = linksOf(rows, loaded, scale);
    assert.is(links.proven, "M100 14H130V42");
    assert.is(links.sequential, "M200 42H210V70");
    assert.is(links.arrows.split("z").length - 1, 2);
  });

  test("given a link from a row that is not loaded or to a bar out of range, draws nothing", () => {
    const follower = barRow({ id: id(2), start: 130, end: 200, follows: { from: id(1), kind: "proven", gap: 30 } });
    assert.is(linksOf([follower], () => null, scale).arrows, "");
    const away = barRow({ id: id(3), start: 1_500, end: 1_600, follows: { from: id(2), kind: "proven", gap: 0 } });
    assert.is(linksOf([away], () => ({ row: 0, bar: follower.bar }), scale).proven, "");
  });

  test("given a group, spans its first start to its last end without tinting other rows between", () => {
    const rows = [
      barRow({ id: id(1), group: id(1), start: 100, end: 200 }),
      barRow({ id: id(2), group: null, start: 110, end: 120 }),
      barRow({ id: id(3), group: id(1), start: 150, end: 300 }),
    ];
    const groups = groupsOf(rows, 0, false, false);
    assert.equal(
      [...groups.values()],
      [{ id: id(1), start: 100, end: 300, members: 2, more: false, first: 0, last: 2 }],
    );
    const { tint, brackets } = bandsOf(rows, groups, scale);
    assert.is(tint, "M95 0H305V28H95zM95 56H305V84H95z");
    assert.is(brackets, "M98 1.5H95V28M95 56V82.5h3");
  });

  test("given a group, labels it with its size, and with a plus where there may be more", () => {
    const rows = [
      barRow({ id: id(1), group: id(1), start: 200, end: 300 }),
      barRow({ id: id(2), group: id(1), start: 210, end: 300 }),
    ];
    const named = (before: boolean) =>
      [...groupsOf(rows, 0, before, false).values()].map((band) => groupLabelOf(band, scale)?.text);
    assert.equal(named(false), ["2 in parallel"]);
    assert.equal(named(true), ["2+ in parallel"]);
  });

  test("given other text left of a group's bar, moves the group's name further left if there is room", () => {
    const rows = [
      barRow({ id: id(1), group: id(1), start: 200, end: 300 }),
      barRow({ id: id(2), group: id(1), start: 210, end: 300 }),
    ];
    const [band] = groupsOf(rows, 0, false, false).values();
    assert.ok(band !== undefined);
    const [alone, beside] = [groupLabelOf(band, scale), groupLabelOf(band, scale, 64)];
    assert.is((beside?.right ?? 0) - (alone?.right ?? 0), 64);
    assert.is(groupLabelOf(band, scale, 150), null);
  });

  test("given a group without room at its left, shows no name", () => {
    const rows = [
      barRow({ id: id(1), group: id(1), start: 10, end: 300 }),
      barRow({ id: id(2), group: id(1), start: 20, end: 300 }),
    ];
    assert.equal(
      [...groupsOf(rows, 0, false, false).values()].map((band) => groupLabelOf(band, scale)),
      [null],
    );
  });
});
