import * as assert from "uvu/assert";
import type { PathBranch } from "../../../../src/engine/messages/traffic-messages.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { reuseRows } from "../../../../src/ui/views/reuse-rows.ts";
import { absenceOf, filterUnder, hostRowsOf, keyShownBy } from "../../../../src/ui/views/shell/host-rows.ts";
import { describe } from "../../../support/describe.ts";

const HOSTS = {
  hosts: [
    { host: "api.test", exchanges: 1_313 },
    { host: "cdn.test:81", exchanges: 2 },
  ],
  hostCount: 2,
};

const branch = (path: string, ...children: readonly (readonly [string, number, boolean])[]): PathBranch => ({
  host: "api.test",
  path,
  children: children.map(([child, exchanges, isLeaf]) => ({ path: child, exchanges, isLeaf })),
  more: 0,
});

const shown = (open: readonly string[], branches: readonly PathBranch[], hosts = HOSTS) =>
  hostRowsOf(hosts, new Set(open), branches).map(
    ({ level, label, exchanges, expanded }) => `${level} ${label} ${exchanges} ${expanded}`,
  );

describe("host tree rows", (test) => {
  test("given closed hosts, shows each as a row with its count", () => {
    assert.equal(shown([], [branch("", ["/v1", 3, false])]), ["1 api.test 1,313 false", "1 cdn.test:81 2 false"]);
  });

  test("given no hosts, says why in one row, but shows none while loading", () => {
    const none = { hosts: [], sessionEnd: null, ofHiddenHosts: 0 };
    for (const [value, problem, wanted] of [
      [undefined, null, ""],
      [undefined, "Weir is reconnecting.", "Weir does not respond"],
      [none, null, "None until the first request"],
      [none, "Weir is reconnecting.", "None until the first request"],
      [{ hosts: [], sessionEnd: 5 as Instant, ofHiddenHosts: 0 }, null, "None in this session"],
      [{ ...HOSTS, sessionEnd: null, ofHiddenHosts: 0 }, null, ""],
    ] as const)
      assert.is(absenceOf({ value, problem }), wanted);
  });

  test("given open places, indents their segments below, and offers no opening where nothing is below", () => {
    const branches = [branch("", ["/v1", 1_312, false], ["/", 1, true]), branch("/v1", ["/v1/users", 1_300, true])];
    assert.equal(shown(["api.test", "api.test/v1"], branches), [
      "1 api.test 1,313 true",
      "2 /v1 1,312 true",
      "3 /users 1,300 null",
      "2 / 1 null",
      "1 cdn.test:81 2 false",
    ]);
  });

  test("given an open place without an answer yet, shows it open and empty", () => {
    assert.equal(shown(["api.test"], [])[0], "1 api.test 1,313 true");
  });

  test("given more places than are listed, shows their number in a row that is no place", () => {
    const rows = hostRowsOf({ ...HOSTS, hostCount: 1_204 }, new Set(["api.test"]), [{ ...branch(""), more: 5 }]);
    assert.equal(
      rows.filter(({ node: place }) => place === null).map(({ label, level }) => [label, level]),
      [
        ["5 more", 2],
        ["1,202 more", 1],
      ],
    );
    assert.is(new Set(rows.map(({ key }) => key)).size, rows.length);
  });

  test("given an unchanged row, reuses the same object", () => {
    const before = hostRowsOf(HOSTS, new Set(), []);
    const hosts = [
      { host: "cdn.test:81", exchanges: 2 },
      { host: "api.test", exchanges: 1_314 },
    ];
    const after = reuseRows(before, hostRowsOf({ hosts, hostCount: 2 }, new Set(["cdn.test:81"]), []));
    assert.equal(
      after.map(({ expanded, exchanges }) => [expanded, exchanges]),
      [
        ["true", "2"],
        ["false", "1,314"],
      ],
    );
    assert.ok(after.every((row) => !before.includes(row)));
    const again = reuseRows(after, hostRowsOf({ hosts, hostCount: 2 }, new Set(["cdn.test:81"]), []));
    assert.ok(again.every((row, index) => row === after[index]));
  });

  test("given a place, provides a filter for it, and recognizes the place from such a filter", () => {
    assert.is(filterUnder({ host: "api.test", path: "/v1" }), "under:api.test/v1");
    assert.is(filterUnder({ host: "api.test", path: "/a b" }), 'under:"api.test/a b"');
    for (const path of ["", "/v1", "/a b"]) assert.is(keyShownBy(filterUnder({ host: "a:81", path })), `a:81${path}`);
    for (const filter of ["", "c", "under:", "under:a.test b", "host:a.test under:a.test"])
      assert.is(keyShownBy(filter), "");
  });
});
