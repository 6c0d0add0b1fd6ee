import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { CopiedRequest } from "../../../src/engine/interchange/copied-request.ts";
import { type CopyForm, copyAs } from "../../../src/engine/interchange/copy-as.ts";
import { fieldsOf } from "../../../src/engine/model/head.ts";
import { hostileRequest } from "../../support/copied-request.ts";
import { rounds } from "../../support/rounds.ts";

/** Requests crafted to break out of a command line, the same ones in every run. */
export const requests = fc.sample(hostileRequest, { numRuns: rounds(300), seed: 3 });

/** What curl would send, derived from its arguments by its manual. */
export interface CurlRequest {
  method: string;
  origin: string;
  target: string;
  /** `name: value`, bytes as latin1. */
  headers: string[];
  body: string | null;
  protocol: string;
}

export function textOf(request: CopiedRequest, form: CopyForm): string {
  const copied = copyAs(request, form);
  return copied.ok ? copied.value : (assert.unreachable(copied.problem) ?? "");
}

/** The request in the same form, without the headers that curl adds by itself. */
export function wanted(request: CopiedRequest): CurlRequest {
  const host = request.origin.replace(/^https?:\/\//, "");
  const hosts = fieldsOf(request.head).filter(({ name }) => /^host$/i.test(name));
  const headers = fieldsOf(request.head)
    .filter(
      ({ name, value }) =>
        !/^content-length$/i.test(name) && !(/^host$/i.test(name) && hosts.length === 1 && value === host),
    )
    .map(({ name, value }) => `${name}: ${value}`);
  const announced = /^content-length:/im.test(request.head);
  const body = announced || request.body.length > 0 ? Buffer.from(request.body).toString("latin1") : null;
  return {
    method: request.method,
    origin: request.origin,
    target: request.target,
    headers,
    body,
    protocol: request.protocol,
  };
}

/** What curl sends for these arguments and this standard input. Strings are latin1: one character per byte. */
export function curlRequestOf(args: readonly string[], input: string): CurlRequest {
  const told: CurlRequest = { method: "", origin: "", target: "", headers: [], body: null, protocol: "http/1.1" };
  let url = "";
  let asIs = false;
  let globs = true;
  const removed: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const value = args[at + 1] ?? "";
    switch (args[at]) {
      case "--globoff":
        globs = false;
        continue;
      case "--path-as-is":
        asIs = true;
        continue;
      case "--http1.0":
        told.protocol = "http/1.0";
        continue;
      case "--http1.1":
      case "--compressed":
        continue;
      case "--head":
        told.method = "HEAD";
        continue;
      case "--request":
        told.method = value;
        break;
      case "--request-target":
        told.target = value;
        break;
      case "--url":
        url = value;
        break;
      case "--header":
        assert.not(value.startsWith("@"));
        if (/^[^:]+;$/.test(value)) told.headers.push(`${value.slice(0, -1)}: `);
        else if (/^[^:]+:$/.test(value)) removed.push(value.slice(0, -1));
        else told.headers.push(value);
        break;
      case "--data-raw":
        told.body = value;
        break;
      case "--data-binary":
        assert.is(value, "@-");
        told.body = input;
        break;
      default:
        assert.unreachable(`curl knows no ${args[at]}`);
    }
    at += 1;
  }
  const [, origin = "", path = ""] = /^(https?:\/\/[^/]+)(\/.*)$/s.exec(url) ?? [];
  if (globs) assert.not.match(url, /[[\]{}]/);
  if (!asIs) assert.not.match(path, /\/\.|%2e/i);
  told.origin = origin;
  if (told.target === "") told.target = path;
  // `--request HEAD` would wait for a body that never comes, and curl accepts no data with `--head`.
  const asksForHead = args.includes("--head");
  assert.is(asksForHead, told.method === "HEAD" && told.body === null);
  if (told.method === "") told.method = told.body === null ? "GET" : "POST";
  const asksForCoding = told.headers.some((line) => /^accept-encoding:.*\b(?:gzip|deflate|br|zstd)\b/i.test(line));
  assert.is(args.includes("--compressed"), asksForCoding);
  // A header that curl adds by itself must be switched off if, and only if, the request had no such header.
  for (const name of ["user-agent", "accept"])
    assert.is(has(told, name) !== removed.some((other) => other.toLowerCase() === name), true);
  if (told.body !== null && !has(told, "content-type")) assert.ok(removed.includes("Content-Type"));
  return told;
}

function has(told: CurlRequest, name: string): boolean {
  return told.headers.some((line) => line.toLowerCase().startsWith(`${name}:`));
}
