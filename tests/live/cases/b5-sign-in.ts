import { pbkdf2, pbkdf2Sync } from "node:crypto";
import { promisify } from "node:util";
import { liveCase, now } from "../contract.ts";
import { bodyOf, sendJson } from "../http.ts";
import { answersOrdinary, arrivals } from "../ordinary.ts";

/**
 * A service in Node checks passwords with `pbkdf2Sync`, which holds its only thread: all other requests stand still
 * meanwhile. The truth is the pair of sessions, since the service cannot see what waits in its sockets; without the
 * cause, the same hash is made on the thread pool.
 */
export const live = liveCase({
  story: "Each sign-in hashes the password on the service's only thread, and all other requests wait for it.",
  draw: (draw) => {
    const [signIn = "", ...others] = draw.words(4);
    return {
      signIn,
      others,
      hash: draw.int(170, 260),
      signIns: draw.int(13, 15),
      users: draw.int(4, 5),
      requests: draw.int(44, 50),
    };
  },
  causes: ({ signIn, others }) => [
    {
      name: "hash",
      unlogged: true,
      accepts: [{ kind: "slow-when", attribute: `while:POST /${signIn}` }, { kind: "server-pauses" }],
      at: ["api", ...others.map((name) => `GET /${name}/*`)],
    },
  ],
  // A hash that resists guessing takes its time on any thread.
  admits: ({ signIn }) => [{ accepts: [{ kind: "slow-server" }], at: [`POST /${signIn}`] }],
  service: async ({ others, hash }, run) => {
    const hashed = (rounds: number): Buffer => pbkdf2Sync("a password", "a salt", rounds, 32, "sha512");
    const times = Array.from({ length: 8 }, () => {
      const since = now();
      hashed(10_000);
      return now() - since;
    });
    const rounds = Math.round((hash * 10_000) / Math.min(...times));
    await run.serve("api", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const { user, password } = JSON.parse((await bodyOf(request)).toString());
      const made = run.isOn("hash")
        ? pbkdf2Sync(password, user, rounds, 32, "sha512")
        : await promisify(pbkdf2)(password, user, rounds, 32, "sha512");
      sendJson(response, { session: made.toString("hex") });
    });
  },
  client: async ({ signIn, others, signIns, users, requests }, run) => {
    const shop = (name: string, index: number): Promise<void> => {
      const app = run.actor(name, { userAgent: `shop-app/5.1 (${name})`, address: `127.0.0.${21 + index}` });
      const paths = Array.from(
        { length: requests },
        () => `/${run.random.pick(others)}/${run.random.int(1_000, 9_999)}`,
      );
      return arrivals(run.random, requests, 230, (at) => app.ask("GET", "api", paths[at] ?? ""));
    };
    const portal = run.actor("portal", { userAgent: "portal/2.2", address: "127.0.0.15" });
    const entering = arrivals(run.random, signIns, 780, (at) =>
      portal.ask("POST", "api", `/${signIn}`, {
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ user: `user-${at}-${run.random.text(6)}`, password: run.random.text(12) }),
      }),
    );
    await Promise.all([...run.random.words(users).map(shop), entering]);
  },
});
