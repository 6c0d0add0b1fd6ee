import type { Http2Session, Http2Stream } from "node:http2";
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as assert from "uvu/assert";
import { outlives } from "../../../../../extensions/proxy/data-thread/network/http2/session-lifetime.ts";
import { describe } from "../../../../support/describe.ts";

/** The most collections after which an unreachable object must be gone. */
const COLLECTIONS = 20;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");
const KEY = Symbol("kHandle");

/** A session that nothing refers to but the function under test; its native object, and a stream's. */
function madeSession(): { readonly session: WeakRef<object>; stream: object | null } {
  const [session, stream] = [{}, {}];
  outlives({ [KEY]: session } as unknown as Http2Session, { [KEY]: stream } as unknown as Http2Stream);
  return { session: new WeakRef(session), stream };
}

async function collected(): Promise<void> {
  await turn();
  collect();
  await turn();
}

describe("the lifetime of an HTTP/2 session", (test) => {
  test("given a stream that is not freed yet, its session's native object stays; afterwards it goes", async () => {
    const made = madeSession();
    for (let round = 0; round < 3; round += 1) await collected();
    assert.is.not(made.session.deref(), undefined);
    assert.is.not(made.stream, null);
    made.stream = null;
    for (let round = 0; round < COLLECTIONS && made.session.deref() !== undefined; round += 1) await collected();
    assert.is(made.session.deref(), undefined);
  });

  test("given objects without a native one, does nothing", () => outlives({} as Http2Session, {} as Http2Stream));
});
