// Simulates HTTP traffic: clients, connection pools and servers on one virtual clock, written as HAR 1.2. Flows are
// async functions that await requests and pauses. One seed gives one file, byte for byte.
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { Client, round } from "./client.mjs";

export { Random } from "./random.mjs";

const HOST_WORDS = "birch cobalt delta ember fjord harbor indigo juniper kestrel linden".split(" ");

/** The clock, the servers, the clients and the recorded entries. */
export class World {
  now = 0;
  #queue = [];
  #serials = {};
  #failure = null;
  #origins = new Map();
  #recorded = [];

  constructor(rng, { minutes = 6, hostWords = HOST_WORDS } = {}) {
    Object.assign(this, { rng, hostWords, end: minutes * 60_000 });
    this.epoch = Date.UTC(2026, rng.int(0, 11), rng.int(1, 28), rng.int(6, 20), rng.int(0, 59));
  }

  serial(name) {
    this.#serials[name] = (this.#serials[name] ?? 0) + 1;
    return this.#serials[name];
  }

  sleep(ms) {
    const at = round(this.now + Math.max(0, ms));
    return new Promise((wake) => {
      let index = this.#queue.length;
      while (index > 0 && this.#queue[index - 1].at > at) index -= 1;
      this.#queue.splice(index, 0, { at, wake });
    });
  }

  /** Starts a flow `after` ms from now. */
  spawn(flow, after = 0) {
    this.sleep(after)
      .then(flow)
      .catch((error) => (this.#failure ??= error));
  }

  /** Runs `step` until the session's end, with pauses between `low` and `high` ms. */
  repeat([low, high], step, first = this.rng.between(0, high)) {
    this.spawn(async () => {
      for (; this.now < this.end; await this.sleep(this.rng.between(low, high))) await step();
    }, first);
  }

  async run() {
    for (;;) {
      await new Promise(setImmediate); // Continues after everything scheduled for this instant.
      if (this.#failure) throw this.#failure;
      const next = this.#queue.shift();
      if (next === undefined) return;
      this.now = next.at;
      next.wake();
    }
  }

  /** A server time: log-normal, and occasionally several times as long for no visible reason. */
  latency(median, sigma = 0.3) {
    return this.rng.lognormal(median, sigma) * (this.rng.chance(0.006) ? this.rng.between(3, 5) : 1);
  }

  domain() {
    return `${this.rng.pick(this.hostWords)}-${this.rng.int(10, 99)}${this.serial("domain")}.test`;
  }

  /** A server at https://ROLE.DOMAIN. */
  origin(role, { scheme = "https", domain = this.domain(), ...options } = {}) {
    const origin = new Origin(this, `${scheme}://${role}.${domain}`, options);
    this.#origins.set(origin.name, origin);
    return origin;
  }

  originOf(url) {
    return this.#origins.get(`${url.protocol.replace("ws", "http")}//${url.host}`);
  }

  client(kind = "browser", options = {}) {
    return new Client(this, kind, options);
  }

  record(start, entry) {
    this.#recorded.push({ start, entry });
  }

  har() {
    const entries = this.#recorded.sort((one, other) => one.start - other.start).map(({ entry }) => entry);
    return { log: { version: "1.2", creator: { name: "diagnosis", version: "1" }, entries } };
  }

  iso(at) {
    const whole = Math.floor(at);
    const micros = String(Math.round((at - whole) * 1_000)).padStart(3, "0");
    return new Date(this.epoch + whole).toISOString().replace("Z", `${micros}Z`);
  }
}

/**
 * A server: `dns`, `rtt` and `tls` are the ms to reach it, `rate` its bytes per ms, `keepAlive` (ms) and `mostRequests`
 * its limits per connection, `balancer` the name of a cookie that changes with each response. Routes return `{ status,
 * wait, json | text | size, type, headers, etag, receive, stream, error }`: `wait` is the ms to the first byte; `size`
 * counts bytes whose content is not kept; `etag: true` lets clients revalidate; `stream` is `[{ after, data, type }]`
 * of an event stream or a WebSocket; `error` is an `_errorType` instead of a response.
 */
class Origin {
  running = 0;
  lastActive = -Infinity;
  #routes = [];

  constructor(world, name, options) {
    const times = { dns: 5, dnsTtl: 600_000, rtt: 5, tls: 8, keepAlive: 180_000 };
    const rest = {
      protocol: "h2",
      addresses: [`203.0.113.${world.rng.int(2, 250)}`],
      mostRequests: Infinity,
      headers: {},
      gzip: true,
    };
    Object.assign(this, { world, name, ...times, rate: 10_000, ...rest, ...options });
    this.isMultiplexed = this.protocol === "h2";
  }

  /** `on('GET /items/*', request => reply)`; a star stands for one segment. */
  on(route, reply) {
    const [method, path] = route.split(" ");
    const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replaceAll("*", "[^/]+")}$`);
    this.#routes.push({ method, pattern, reply });
    return this;
  }

  url(path, query = {}) {
    const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined)).toString();
    return this.name + path + (text === "" ? "" : `?${text}`);
  }

  answer(request) {
    const route = this.#routes.find(({ method, pattern }) => method === request.method && pattern.test(request.path));
    if (route === undefined) throw new Error(`no route for ${request.method} ${request.url}`);
    const reply = { status: 200, headers: {}, wait: this.world.latency(25), ...route.reply(request) };
    if (reply.error) reply.status = 0;
    if (reply.json !== undefined) reply.text = JSON.stringify(reply.json);
    if (reply.stream && reply.status === 200) reply.text = reply.stream.map(({ data }) => `data: ${data}\n\n`).join("");
    const etag = reply.etag ? `"${createHash("sha1").update(reply.text).digest("hex").slice(0, 20)}"` : null;
    if (etag !== null && request.headers["if-none-match"] === etag) Object.assign(reply, { status: 304, text: "" });
    const type =
      reply.type ?? (reply.json === undefined ? "text/plain; charset=utf-8" : "application/json; charset=utf-8");
    const size = reply.size ?? Buffer.byteLength(reply.text ?? "");
    const isText = reply.size === undefined && /json|text|javascript|xml/.test(type) && !/event-stream/.test(type);
    const isCoded = this.gzip && isText && size > 300 && /gzip/.test(request.headers["accept-encoding"]);
    const encoded = isCoded ? gzipSync(reply.text).length : size;
    const headers = {
      date: new Date(this.world.epoch + this.world.now).toUTCString(),
      server: "nginx",
      ...(encoded > 0 ? { "content-type": type } : {}),
      ...(reply.stream || [204, 304].includes(reply.status) ? {} : { "content-length": String(encoded) }),
      ...(isCoded ? { "content-encoding": "gzip", vary: "accept-encoding" } : {}),
      ...(etag === null ? {} : { etag, "cache-control": "no-cache" }),
      "x-request-id": request.headers["x-request-id"] ?? this.world.rng.uuid(),
      ...(this.balancer ? { "set-cookie": [`${this.balancer}=${this.world.rng.token(44)}; Path=/`] } : {}),
      ...this.headers,
      ...reply.headers,
    };
    return { ...reply, type: encoded > 0 ? type : "", size, encoded, isCoded, headers };
  }
}
