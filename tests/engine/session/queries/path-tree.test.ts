import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { PathTemplates } from "../../../../src/engine/insights/path-templates.ts";
import { pathOf } from "../../../../src/engine/model/endpoint.ts";
import { PathTree } from "../../../../src/engine/session/queries/path-tree.ts";
import { QueryRunner } from "../../../../src/engine/session/queries/query-runner.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { contextOf, recorded } from "../../../support/recorded.ts";
import { rounds } from "../../../support/rounds.ts";

const anyPath = fc
  .array(fc.constantFrom("", "a", "b", "users", "a b"), { maxLength: 4 })
  .map((segments) => `/${segments.join("/")}`);

const anyTraffic = fc
  .array(
    fc.record({ host: fc.constantFrom("a.test", "b.test:81"), path: anyPath, query: fc.constantFrom("", "?x=/a/b") }),
    {
      maxLength: 60,
    },
  )
  .map((sketches) =>
    sketches.map(({ host, path, query }, index) =>
      exchange({ id: index + 1, start: index, origin: `http://${host}`, target: path + query }),
    ),
  );

function targetsOf(session: Session, filter: string): number {
  const answer = new QueryRunner({
    view: "traffic",
    filter,
    sort: { column: "startTime", descending: false },
    range: { from: 0, count: 1 },
  }).answer(contextOf(session));
  return answer.kind === "list" ? answer.rows.matched : -1;
}

describe("host and path tree", (test) => {
  test("given any paths, a branch counts the exchanges at and below it, each in exactly one of its children", () => {
    fc.assert(
      fc.property(anyTraffic, fc.constantFrom("a.test", "b.test:81"), (exchanges, host) => {
        const tree = new PathTree(recorded(exchanges));
        const paths = exchanges.filter(({ origin }) => origin === `http://${host}`).map(({ target }) => pathOf(target));
        const look = (path: string): void => {
          const [branch] = tree.branches([{ host, path }]);
          const below = paths.filter((each) => path === "" || each.startsWith(`${path}/`));
          const told = branch?.children.reduce((sum, { exchanges: count }) => sum + count, 0);
          assert.is(told, below.length);
          assert.is(branch?.more, 0);
          for (const child of branch?.children ?? []) {
            assert.ok(child.path.startsWith(`${path}/`));
            assert.not(child.path.slice(path.length + 1).includes("/"));
            const deeper = paths.filter((each) => each.startsWith(`${child.path}/`));
            assert.is(child.exchanges, deeper.length + paths.filter((each) => each === child.path).length);
            assert.is(child.isLeaf, deeper.length === 0);
            look(child.path);
          }
        };
        look("");
      }),
    );
  });

  test("given a host or path of the tree, the filter by it matches as many exchanges as the tree counts", () => {
    fc.assert(
      fc.property(anyTraffic, (exchanges) => {
        const session = recorded(exchanges);
        const tree = new PathTree(session);
        for (const host of ["a.test", "b.test:81"]) {
          const [branch] = tree.branches([{ host, path: "" }]);
          assert.is(
            targetsOf(session, `under:${host}`),
            exchanges.filter(({ origin }) => origin.endsWith(host)).length,
          );
          for (const { path, exchanges: count } of branch?.children ?? []) {
            assert.is(targetsOf(session, `under:"${host}${path}"`), count);
          }
        }
      }),
      { numRuns: rounds(40) },
    );
  });

  test("given later and evicted rows, counts the former and not the latter", () => {
    const made = ["/a/1", "/a/2", "/b", "/a/1"].map((target, index) =>
      exchange({ id: index + 1, start: index, target }),
    );
    const session = recorded(made.slice(0, 2), 3);
    const tree = new PathTree(session);
    const told = () =>
      tree.branches([{ host: "api.test", path: "" }])[0]?.children.map(({ path, exchanges }) => `${path} ${exchanges}`);
    assert.equal(told(), ["/a 2"]);
    for (const one of made.slice(2)) session.apply(eventsOf(one));
    assert.equal(told(), ["/a 2", "/b 1"]);
    assert.equal(tree.branches([{ host: "nobody.test", path: "" }])[0]?.children, []);
  });

  test("given more than 100 children, returns the most frequent 100 and the number of others", () => {
    const made = Array.from({ length: 130 }, (_, index) =>
      exchange({ id: index + 1, start: index, target: `/p${index}` }),
    );
    const busy = exchange({ id: 131, start: 131, target: "/p129" });
    const [branch] = new PathTree(recorded([...made, busy])).branches([{ host: "api.test", path: "" }]);
    assert.equal([branch?.children.length, branch?.more], [100, 30]);
    assert.equal(branch?.children[0], { path: "/p129", exchanges: 2, isLeaf: true });
  });

  test("given endpoints that are grouped later, the same query answers the grouped paths", () => {
    const made = ["/users/1", "/users/22", "/users/333"].map((target, index) =>
      exchange({ id: index + 1, start: index, target }),
    );
    const session = recorded(made);
    const question = new QueryRunner({ view: "paths", open: [{ host: "api.test", path: "/users" }] });
    const children = () => {
      const answer = question.answer(contextOf(session));
      return answer.kind === "value"
        ? (answer.value as readonly { children: readonly { path: string }[] }[])[0]?.children
        : [];
    };
    assert.is(children()?.length, 3);
    session.regroup(new PathTemplates());
    assert.is(children()?.length, 1);
  });
});
