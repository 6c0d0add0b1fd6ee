/*
 * What HAR 1.2 demands of each object: its fields, whether they are required, and their types. Names that start with
 * "_" are custom and unrestricted.
 */

type Check = (value: unknown, at: string) => void;

function fail(at: string, why: string): never {
  throw new Error(`${at}: ${why}`);
}

const string: Check = (value, at) => {
  if (typeof value !== "string") fail(at, `no string: ${JSON.stringify(value)}`);
};

const boolean: Check = (value, at) => {
  if (typeof value !== "boolean") fail(at, "no boolean");
};

/** -1 if the size or time does not apply, otherwise not negative. */
const measure: Check = (value, at) => {
  if (typeof value !== "number" || !Number.isFinite(value) || (value < 0 && value !== -1))
    fail(at, `no measure: ${value}`);
};

const notNegative: Check = (value, at) => {
  measure(value, at);
  if (value === -1) fail(at, "must not be negative");
};

const integer: Check = (value, at) => {
  if (!Number.isInteger(value)) fail(at, "no integer");
};

const dateTime: Check = (value, at) => {
  const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
  if (typeof value !== "string" || !iso.test(value) || Number.isNaN(Date.parse(value))) fail(at, `no date: ${value}`);
};

function list(item: Check): Check {
  return (value, at) => {
    if (!Array.isArray(value)) fail(at, "no list");
    for (const [index, each] of value.entries()) item(each, `${at}[${index}]`);
  };
}

/** A field whose name ends with `?` is optional. */
function object(fields: Readonly<Record<string, Check>>): Check {
  return (value, at) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) fail(at, "no object");
    const found = new Map(Object.entries(value));
    for (const [field, check] of Object.entries(fields)) {
      const name = field.replace(/\?$/, "");
      if (found.has(name)) check(found.get(name), `${at}.${name}`);
      else if (name === field) fail(`${at}.${name}`, "is missing");
      found.delete(name);
    }
    for (const name of found.keys()) if (!name.startsWith("_")) fail(`${at}.${name}`, "is no field of HAR 1.2");
  };
}

const pair = object({ name: string, value: string, "comment?": string });

const cookie = object({
  name: string,
  value: string,
  "path?": string,
  "domain?": string,
  "expires?": dateTime,
  "httpOnly?": boolean,
  "secure?": boolean,
  "sameSite?": string,
  "comment?": string,
});

const request = object({
  method: string,
  url: string,
  httpVersion: string,
  cookies: list(cookie),
  headers: list(pair),
  queryString: list(pair),
  "postData?": object({ mimeType: string, text: string, "comment?": string }),
  headersSize: measure,
  bodySize: measure,
  "comment?": string,
});

const response = object({
  status: integer,
  statusText: string,
  httpVersion: string,
  cookies: list(cookie),
  headers: list(pair),
  content: object({
    size: measure,
    "compression?": integer,
    mimeType: string,
    "text?": string,
    "encoding?": string,
    "comment?": string,
  }),
  redirectURL: string,
  headersSize: measure,
  bodySize: measure,
  "comment?": string,
});

const entry = object({
  "pageref?": string,
  startedDateTime: dateTime,
  time: notNegative,
  request,
  response,
  cache: object({}),
  timings: object({
    "blocked?": measure,
    "dns?": measure,
    "connect?": measure,
    "ssl?": measure,
    send: notNegative,
    wait: notNegative,
    receive: notNegative,
    "comment?": string,
  }),
  "serverIPAddress?": string,
  "connection?": string,
  "comment?": string,
});

const page = object({
  startedDateTime: dateTime,
  id: string,
  title: string,
  pageTimings: object({ "onContentLoad?": measure, "onLoad?": measure }),
});

const har = object({
  log: object({
    version: string,
    creator: object({ name: string, version: string, "comment?": string }),
    pages: list(page),
    entries: list(entry),
    "comment?": string,
  }),
});

/** Throws at the first violation of HAR 1.2 or of its rules between fields; the message names the path. */
export function checkHar(document: unknown): void {
  har(document, "har");
  const { entries } = (document as { log: { entries: { time: number; timings: Record<string, number> }[] } }).log;
  for (const [index, { time, timings }] of entries.entries()) {
    const { blocked = -1, dns = -1, connect = -1, ssl = -1, send = 0, wait = 0, receive = 0 } = timings;
    if (ssl > connect) fail(`entries[${index}]`, "ssl is not inside connect");
    const sum = [blocked, dns, connect, send, wait, receive].reduce((total, length) => total + Math.max(0, length), 0);
    if (Math.abs(sum - time) > 1e-6) fail(`entries[${index}]`, `time ${time} is not the sum ${sum}`);
  }
}
