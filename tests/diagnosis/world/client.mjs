// Clients: connection pools, cookies and caches, and the HAR entry of each request.

const AGENTS = {
  browser: [
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
  ],
  app: ["okhttp/4.12.0", "Reader/812 CFNetwork/1568.200 Darwin/24.1.0", "Dart/3.9 (dart:io)"],
  service: ["undici", "python-requests/2.32.4", "Go-http-client/1.1", "Java-http-client/21.0.4", "Faraday v2.13.1"],
};

/** The resolution of the clock: a microsecond. */
export const round = (ms) => Math.round(ms * 1_000) / 1_000;

/**
 * A client: a browser (cookies, cache, six connections per HTTP/1.1 origin), an app or a service. `reuse: false` opens
 * a connection per request; `upload` is bytes per ms.
 */
export class Client {
  #pools = new Map();
  #resolved = new Map();
  #cookies = new Map();
  #cache = new Map();

  constructor(world, kind, options) {
    const number = world.serial("client");
    const defaults = { connections: kind === "service" ? 8 : 6, reuse: true, headers: {}, upload: 4_000 };
    const agent = AGENTS[kind][number % AGENTS[kind].length];
    Object.assign(this, { world, kind, agent, address: `10.20.${number}.${world.rng.int(2, 250)}` }, defaults, options);
  }

  get(url, options) {
    return this.request("GET", url, options);
  }

  post(url, json, options) {
    return this.request("POST", url, { json, ...options });
  }

  /** A cross-origin request of a page, preceded by its preflight. */
  async crossOrigin(page, method, url, options) {
    const headers = { origin: page.name, "sec-fetch-mode": "cors", "sec-fetch-site": "cross-site" };
    const asked = { "access-control-request-method": method, "access-control-request-headers": "content-type" };
    const preflight = await this.request("OPTIONS", url, { headers: { ...headers, ...asked } });
    await this.world.sleep(0.4);
    return { preflight, response: await this.request(method, url, { headers, ...options }) };
  }

  /** Follows redirects and returns all responses, the final one last. */
  async follow(url, options) {
    const responses = [await this.get(url, options)];
    for (let last = responses[0]; last.headers.location; last = responses.at(-1)) {
      await this.world.sleep(this.world.rng.between(0.3, 1));
      responses.push(await this.get(new URL(last.headers.location, last.url).href, options));
    }
    return responses;
  }

  /**
   * `size` is the size of a body whose content is not kept. `onFirstByte` is called with the response once its head has
   * arrived, which for a stream is long before its end.
   */
  async request(method, target, { headers: extra = {}, json, body: text, size, type, onFirstByte } = {}) {
    const { world } = this;
    const url = new URL(target);
    const origin = world.originOf(url);
    const cached = method === "GET" && !extra.range ? this.#cache.get(target) : undefined;
    if (cached && world.now < cached.until) return cached.response;
    const start = world.now;
    const idle = start - origin.lastActive;
    origin.running += 1;
    origin.lastActive = start;
    const { connection, isNew } = await this.#acquire(origin);
    const blocked = round(world.now - start);
    const setup = isNew ? await this.#open(connection, origin) : { dns: -1, connect: -1, ssl: -1 };

    const body = json === undefined ? (text ?? "") : JSON.stringify(json);
    const length = size ?? Buffer.byteLength(body);
    const cookie = [...(this.#cookies.get(origin) ?? [])].map((pair) => pair.join("=")).join("; ");
    const headers = {
      ...(origin.isMultiplexed ? {} : { host: url.host }),
      "user-agent": this.agent,
      accept: json === undefined ? "*/*" : "application/json",
      "accept-encoding": "gzip",
      ...(this.kind === "browser" ? { "accept-language": "en-US,en;q=0.8" } : { "x-request-id": world.rng.uuid() }),
      ...(cookie === "" ? {} : { cookie }),
      ...(cached?.etag ? { "if-none-match": cached.etag } : {}),
      ...(length === 0 ? {} : { "content-type": type ?? "application/json", "content-length": String(length) }),
      ...this.headers,
      ...extra,
    };
    const send = round(0.05 + length / this.upload);
    await world.sleep(send);
    const request = {
      method,
      url: target,
      path: url.pathname,
      query: url.searchParams,
      headers,
      body: json ?? body,
      client: this,
    };
    const reply = origin.answer({ ...request, isNew, idle, address: connection.address, inFlight: origin.running });
    const wait = round(reply.wait);
    await world.sleep(wait);
    const response = {
      url: target,
      status: reply.status,
      headers: reply.headers,
      json: reply.json,
      text: reply.text,
      entry: {},
    };
    onFirstByte?.(response);
    const streamed = (reply.stream ?? []).reduce((sum, { after }) => sum + after, 0);
    const receive = reply.error
      ? 0
      : round(reply.receive ?? streamed + world.rng.between(0.1, 0.4) + reply.encoded / origin.rate);
    const answered = world.now;
    await world.sleep(receive);

    this.#release(connection, origin, reply);
    this.#keep(origin, target, method, reply, response);
    origin.running -= 1;
    origin.lastActive = world.now;
    const timings = { blocked, ...setup, send, wait, receive };
    Object.assign(
      response.entry,
      this.#entryOf({ start, url, origin, connection, isNew, request, body, length, reply, timings, answered }),
    );
    world.record(start, response.entry);
    return reply.status === 304 ? { ...cached.response, status: 304, entry: response.entry } : response;
  }

  #entryOf({ start, url, origin, connection, isNew, request, body, length, reply, timings, answered }) {
    const httpVersion = origin.isMultiplexed ? "h2" : origin.protocol;
    const { ssl, ...phases } = timings;
    const isSocket = reply.status === 101;
    const messages = messagesOf(reply.stream ?? [], isSocket, (this.world.epoch + answered) / 1_000);
    return {
      startedDateTime: this.world.iso(start),
      time: round(Object.values(phases).reduce((sum, length) => sum + Math.max(0, length), 0)), // `connect` includes `ssl`
      request: {
        method: request.method,
        url: isSocket ? request.url.replace(/^http/, "ws") : request.url,
        httpVersion,
        cookies: [],
        headers: fieldsOf(request.headers),
        queryString: [...url.searchParams].map(([name, value]) => ({ name, value })),
        ...(length === 0
          ? {}
          : { postData: { mimeType: request.headers["content-type"], ...(body === "" ? {} : { text: body }) } }),
        headersSize: -1,
        bodySize: length,
      },
      response: reply.error
        ? NO_RESPONSE
        : {
            status: reply.status,
            statusText: "",
            httpVersion,
            cookies: [],
            headers: fieldsOf(reply.headers),
            content: {
              size: reply.size,
              mimeType: reply.type || "x-unknown",
              ...(reply.isCoded ? { compression: reply.size - reply.encoded } : {}),
              ...(reply.text ? { text: reply.text } : {}),
            },
            redirectURL: reply.headers.location ?? "",
            headersSize: -1,
            bodySize: reply.encoded,
          },
      cache: {},
      timings,
      serverIPAddress: connection.address,
      connection: String(connection.id),
      ...(reply.error ? { _errorType: reply.error, _error: reply.error } : {}),
      ...(isSocket ? { _resourceType: "websocket", _webSocketMessages: messages } : {}),
      ...(reply.stream && !isSocket ? { _resourceType: "eventsource", _eventSourceMessages: messages } : {}),
      ...(timings.blocked > 0 ? { _waitedFor: origin.isMultiplexed ? "connection" : "unsaid" } : {}),
      _client: this.address,
      _clientConnection: connection.clientConnection,
      _program: this.kind === "browser" ? "browser" : this.agent.split(/[/ ]/)[0],
      _reused: !isNew,
    };
  }

  async #acquire(origin) {
    if (!this.#pools.has(origin)) this.#pools.set(origin, { open: [], waiting: [], slots: [] });
    const pool = this.#pools.get(origin);
    for (;;) {
      const isOpen = (one) => one.busy > 0 || (one.isAlive && this.world.now - one.idleSince <= origin.keepAlive);
      pool.open = pool.open.filter(isOpen);
      const free = pool.open.find((one) => one.isReady && one.isAlive && (origin.isMultiplexed || one.busy === 0));
      if (free) return { connection: Object.assign(free, { busy: free.busy + 1 }), isNew: false };
      if (pool.open.length < (origin.isMultiplexed ? 1 : this.connections)) break;
      await new Promise((wake) => pool.waiting.push(wake));
    }
    const slot = pool.open.reduce((free, one) => (one.slot === free ? free + 1 : free), 0);
    const id = this.world.serial("connection");
    if (!this.reuse || pool.slots[slot] === undefined) pool.slots[slot] = this.world.serial("client connection");
    const connection = {
      id,
      slot,
      clientConnection: pool.slots[slot],
      address: this.world.rng.pick(origin.addresses),
      busy: 1,
      served: 0,
    };
    pool.open = [...pool.open, connection].sort((one, other) => one.slot - other.slot);
    return { connection, isNew: true };
  }

  async #open(connection, origin) {
    const { rng, now } = this.world;
    const dns =
      now - (this.#resolved.get(origin) ?? -Infinity) < origin.dnsTtl ? -1 : round(rng.lognormal(origin.dns, 0.2));
    const ssl = origin.name.startsWith("https") ? round(rng.lognormal(origin.tls, 0.15)) : -1;
    const connect = round(rng.lognormal(origin.rtt, 0.1) + Math.max(0, ssl));
    await this.world.sleep(Math.max(0, dns) + connect);
    this.#resolved.set(origin, this.world.now);
    Object.assign(connection, { isReady: true, isAlive: true });
    if (origin.isMultiplexed) this.#wake(origin);
    return { dns, connect, ssl };
  }

  #release(connection, origin, reply) {
    connection.served += 1;
    connection.busy -= 1;
    connection.idleSince = this.world.now;
    const isClosed = reply.error || reply.status === 101 || /close/i.test(reply.headers.connection ?? "");
    if (isClosed || !this.reuse || connection.served >= origin.mostRequests) connection.isAlive = false;
    this.#wake(origin);
  }

  #wake(origin) {
    for (const wake of this.#pools.get(origin).waiting.splice(0)) wake();
  }

  /** Stores cookies (except for services) and a browser's cache entries. */
  #keep(origin, target, method, { status, headers }, response) {
    if (this.kind !== "service")
      for (const line of headers["set-cookie"] ?? []) {
        if (!this.#cookies.has(origin)) this.#cookies.set(origin, new Map());
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
        this.#cookies.get(origin).set(name, value);
      }
    if (this.kind !== "browser" || method !== "GET" || ![200, 304].includes(status)) return;
    const age = Number(/max-age=(\d+)/.exec(headers["cache-control"] ?? "")?.[1] ?? 0) * 1_000;
    const kept = status === 304 ? this.#cache.get(target).response : response;
    if (headers.etag || age > 0)
      this.#cache.set(target, { until: this.world.now + age, etag: headers.etag, response: kept });
  }
}

const NO_RESPONSE = Object.freeze({
  status: 0,
  statusText: "",
  httpVersion: "",
  cookies: [],
  headers: [],
  content: { size: 0, mimeType: "x-unknown" },
  redirectURL: "",
  headersSize: -1,
  bodySize: -1,
});

const fieldsOf = (headers) =>
  Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => ({ name, value: String(one) })));

/** Messages as Chrome exports them for a WebSocket or an event stream: `time` in epoch seconds. */
function messagesOf(stream, isSocket, start) {
  let time = start;
  return stream.map(({ after, data, type = "receive" }, index) => {
    time += after / 1_000;
    return isSocket
      ? { type, time, opcode: 1, data }
      : { time, eventName: "message", eventId: String(index + 1), data };
  });
}
