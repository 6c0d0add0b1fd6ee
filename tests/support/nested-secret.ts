import * as fc from "fast-check";

/** A secret that each kind of escaping changes. */
const CANARY = "cAn4ry/8817+secret";

/** Nested text: JSON, forms, URLs, parts, markup, base64. */
type Wrap = (inner: string) => string;

const inBase64: Wrap = (inner) => {
  const json = inner.startsWith("{") ? inner : JSON.stringify({ inner });
  return `{"kept":"neighbour7","data":"${Buffer.from(json).toString("base64")}"}`;
};

/** Base64 as in a basic authentication, a cookie or a stored state: in either alphabet, with or without padding. */
const asBase64 =
  (alphabet: "base64" | "base64url"): Wrap =>
  (inner) =>
    Buffer.from(inner).toString(alphabet);

const asBytesOf16Bits: Wrap = (inner) => Buffer.from(inner, "utf16le").toString("base64");

/** Lines of base64 (RFC 2045, 6.8). */
const inLines: Wrap = (inner) => Buffer.from(inner).toString("base64").replaceAll(/.{76}/g, "$&\r\n");

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&#62;").replaceAll('"', "&quot;");
}

const part = (inner: string): string =>
  [
    `--b${inner.length}\r\nContent-Disposition: form-data; name=other\r\n\r\nneighbour6\r\n`,
    `--b${inner.length}\r\nContent-Disposition: form-data; name="inner"\r\n\r\n${inner}\r\n`,
    `--b${inner.length}--\r\n`,
  ].join("");

const layers: fc.Arbitrary<readonly Wrap[]> = fc.array(
  fc.constantFrom<Wrap>(
    (inner) => JSON.stringify({ kept: "neighbour1", inner }),
    (inner) => JSON.stringify(["neighbour2", inner, 3]),
    (inner) => `{"\\u0061":{"b":[{"c":${JSON.stringify(inner)}}]},"kept":"neighbour3"}`,
    (inner) => `a=neighbour4&next=${encodeURIComponent(inner)}&z=1`,
    (inner) => `https://a.test/neighbour5;p=1/x?flag&next=${encodeURIComponent(inner)}#top`,
    part,
    (inner) => `<p id="neighbour8" data-state="${escaped(inner)}">text</p>`,
    (inner) => `<?xml version="1.0"?>\n<a><b>neighbour9</b><c>${escaped(inner)}</c></a>`,
    ...[inBase64, asBase64("base64"), asBase64("base64url"), asBytesOf16Bits, inLines],
  ),
  { maxLength: 5 },
);

const secretName = fc.constantFrom(
  "token",
  "access_token",
  "apiKey",
  "Password",
  "client_secret",
  "X-Api-Key",
  "tokens",
  "PHPSESSID",
  "jwt",
);

/** A named secret, which is at the innermost level. */
const secret: fc.Arbitrary<string> = fc
  .tuple(
    secretName,
    fc.constantFrom<(name: string) => string>(
      (name) => `{"${name}":"${CANARY}","kept":"neighbour0"}`,
      (name) => `{"kept":"neighbour0","${name}":["${CANARY}",{"a":"${CANARY}"}]}`,
      (name) => `{"kept":"neighbour0","${name}":"${CANARY}","${name}":""}`,
      (name) => `neighbour0=1&${name}=${encodeURIComponent(CANARY)}`,
      (name) => `/neighbour0;${name}=${encodeURIComponent(CANARY)}/b`,
      (name) => `[{"name":"${name}","value":"${CANARY}"},{"name":"page","value":"neighbour0"}]`,
      (name) => `{"list":[{"v":{"a":["${CANARY}"]},"k":"${name}"},{"k":"page","v":"neighbour0"}]}`,
      (name) => `[["page","neighbour0"],["${name}","${CANARY}"]]`,
      (name) => `<a><b>neighbour0</b><${name}>${CANARY}</${name}></a>`,
      (name) => `<a><x:${name}><y z="1">${CANARY}</y><![CDATA[${CANARY}]]></x:${name}><b>neighbour0</b></a>`,
      (name) => `<a b="neighbour0" ${name}='${CANARY}'/>`,
      (name) => `<e><value>${CANARY}</value><name>${name}</name></e><e><name>page</name><value>neighbour0</value></e>`,
      (name) => `<set><entry key="page">neighbour0</entry><entry key="${name}">${CANARY}</entry></set>`,
      (name) => `[main]\npage = neighbour0\n${name} = ${CANARY}\n`,
      (name) => `page=neighbour0\n${name}=${CANARY}\n`,
    ),
  )
  .map(([name, form]) => form(name));

/** Text with a secret in up to five layers. */
export const nestedSecret: fc.Arbitrary<{ readonly text: string }> = fc
  .tuple(secret, layers)
  .map(([inner, wraps]) => ({ text: wraps.reduce((within, wrap) => wrap(within), inner) }));

/** The escaped forms of the secret that a text contains. */
export function leaksIn(text: string): readonly string[] {
  const bytes = Buffer.from(CANARY);
  // The ends are left out, because they depend on the text beside them.
  const base64s = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .slice(4, -4),
  );
  const plain = [CANARY, JSON.stringify(CANARY).slice(1, -1), ...base64s];
  const wide = Buffer.from(CANARY, "utf16le").toString("base64").slice(4, -4);
  return [...plain, wide, ...plain.map(encodeURIComponent)].filter((form) => text.includes(form));
}
