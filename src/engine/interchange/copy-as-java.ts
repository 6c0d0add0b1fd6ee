import { hostOf } from "../model/endpoint.ts";
import { success } from "../model/result.ts";
import { literal } from "../quoting/languages.ts";
import { decodeUtf8 } from "../quoting/utf8.ts";
import type { Copied, PlainRequest } from "./copied-request.ts";
import { holdsOtherThanAscii, isFraming, isOwnHost, OF_THE_CONNECTION, refused } from "./plain-request.ts";

/** The request as a Java program with java.net.http, which sets User-Agent and connection headers itself. */
export function javaCode(request: PlainRequest): Copied {
  const { method, origin, url, target, protocol, body } = request;
  if (!KEPT_BY_JAVA.test(target) || !/^(?:[A-Za-z0-9.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(hostOf(origin)))
    return refused("Java does not accept this URL.");
  if (holdsOtherThanAscii(request)) return refused("Java cannot send headers with characters outside ASCII.");
  const headers = request.headers.filter((field) => !isFraming(field) && !isOwnHost(field, request));
  const withheld = headers.find(({ name }) => name.toLowerCase() === "host" || name.toLowerCase() === "expect");
  if (withheld !== undefined) return refused(`Java does not let programs set the header ${withheld.name}.`);
  const sent = headers.filter(({ name }) => !OF_THE_CONNECTION.has(name.toLowerCase()));
  const isHttp2 = protocol === "h2" && origin.startsWith("https:");
  const lines = [
    "// Java 12 or newer: java Request.java",
    "import java.net.URI;",
    "import java.net.http.*;",
    "import java.util.Base64;",
    "",
    "class Request {",
    "    public static void main(String[] args) throws Exception {",
    "        HttpRequest request = HttpRequest.newBuilder()",
    `            .uri(URI.create(${string(url)}))`,
    ...(isHttp2 ? [] : ["            .version(HttpClient.Version.HTTP_1_1)"]),
    ...sent.map(({ name, value }) => `            .header(${string(name)}, ${string(value)})`),
    `            .method(${string(method)}, HttpRequest.BodyPublishers.${publisher(body)})`,
    "            .build();",
    "        HttpResponse<String> response = HttpClient.newHttpClient()",
    "            .send(request, HttpResponse.BodyHandlers.ofString());",
    "        System.out.println(response.statusCode());",
    "        System.out.println(response.body());",
    "    }",
    "}",
  ];
  return success(lines.filter((line) => body.length > 0 || !line.includes("Base64")).join("\n"));
}

/** Targets that `java.net.URI` accepts and sends unchanged (RFC 2396). */
const KEPT_BY_JAVA =
  /^\/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[\dA-Fa-f]{2})*(?:\?(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[\dA-Fa-f]{2})+)?$/;

/**
 * The most characters of a literal. A constant has at most 65,535 bytes (JVMS 4.4.7), and a character takes up to
 * three.
 */
const LONGEST_LITERAL = 20_000;

function publisher(body: Uint8Array): string {
  if (body.length === 0) return "noBody()";
  const text = decodeUtf8(body);
  if (text !== null) return `ofString(${string(text)})`;
  return `ofByteArray(Base64.getDecoder().decode(${string(body.toBase64())}))`;
}

function string(value: string): string {
  if (value.length <= LONGEST_LITERAL) return literal(value, "java");
  const pieces: string[] = [];
  for (let from = 0; from < value.length; from += LONGEST_LITERAL)
    pieces.push(literal(value.slice(from, from + LONGEST_LITERAL), "java"));
  return `String.join("", ${pieces.join(", ")})`;
}
