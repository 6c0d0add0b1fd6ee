import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { multipartLinesOf } from "../../../../src/ui/views/inspector/multipart-lines.ts";
import { describe } from "../../../support/describe.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const linesIn = (text: string, type = "multipart/form-data; boundary=XX") => multipartLinesOf(bytesOf(text), type);
const headings = (lines: readonly string[] | null) => lines?.filter((line) => line.startsWith("Part "));

describe("multipart view of a body", (test) => {
  test("given a form, shows heading, head and text of each part, and says which bytes are not text", async () => {
    const form = new FormData();
    form.append("comment", "two\nlines");
    form.append("picture", new Blob([new Uint8Array([0xff, 0xd8, 0])], { type: "image/jpeg" }), 'a"é.jpg');
    const sent = new Response(form);
    const bytes = new Uint8Array(await sent.arrayBuffer());
    assert.equal(multipartLinesOf(bytes, sent.headers.get("content-type")), [
      'Part 1, field "comment", 10 B',
      '  Content-Disposition: form-data; name="comment"',
      "",
      "  two",
      "  lines",
      "",
      'Part 2, field "picture", file "a%22é.jpg", 3 B',
      '  Content-Disposition: form-data; name="picture"; filename="a%22é.jpg"',
      "  Content-Type: image/jpeg",
      "",
      "  Not text in UTF-8. Choose Hex to see the bytes.",
      "",
    ]);
  });

  test("given any field contents, shows one heading per part with its size", () => {
    const content = fc.oneof(fc.string(), fc.constantFrom("Part 9, 1 B", "--X", "--XX-", "--XXX\r\n", "\r\n\r\n--"));
    fc.assert(
      fc.property(fc.array(content, { minLength: 1, maxLength: 20 }), fc.constantFrom("\r\n", "\n"), (parts, end) => {
        const own = parts.map((part) => part.replaceAll("--XX", "--X "));
        const body = own.map((part) => `--XX${end}A: b${end}${end}${part}${end}`).join("");
        assert.equal(
          headings(linesIn(`preamble${end}${body}--XX--${end}epilogue`)),
          own.map((part, index) => `Part ${index + 1}, ${bytesOf(part).length} B`),
        );
      }),
    );
  });

  test("given lines like a delimiter, keeps them as content, reports a missing end, and rejects a body without parts", () => {
    assert.equal(headings(linesIn("--XX\r\n\r\na\r\n--XXY\r\nb\r\n--XX--")), ["Part 1, 11 B"]);
    assert.equal(headings(linesIn("--XX\r\n\r\nab")), ["Part 1, 2 B, its end is missing"]);
    for (const text of ["", "--YY\r\n\r\na\r\n--YY--", "x--XX\r\n", "--XX"]) assert.is(linesIn(text), null, text);
    assert.is(linesIn("--XX\r\n\r\na\r\n--XX--", "multipart/form-data"), null);
    assert.is(multipartLinesOf(bytesOf("--XX"), null), null);
  });

  test("given a head of any length, does show it as head up to 8 KB, else say that head and content are together", () => {
    fc.assert(
      fc.property(fc.integer({ min: 8_100, max: 8_300 }), (length) => {
        const head = `A: ${"b".repeat(length - 3)}`;
        const lines = linesIn(`--XX\r\n${head}\r\n\r\ntext\r\n--XX--`) ?? [];
        const isFound = length + 4 <= 8 * 1024;
        assert.match(lines[0] ?? "", isFound ? /^Part 1, 4 B$/ : /^Part 1, 8\.[01] KB$/);
        assert.is(
          lines.includes("The head does not end in the first 8.0 KB. Head and content are shown together."),
          !isFound,
        );
        assert.ok(lines.includes(`  ${head}`) && lines.includes("  text"));
      }),
    );
    assert.is(linesIn("--XX\r\nA: b\r\n--XX--")?.length, 4, "a short part has no such line");
  });

  test("given quoted, extended and escaped names, shows them decoded without forging a heading", () => {
    const named = (parameters: string) =>
      headings(linesIn(`--XX\r\nContent-Disposition: form-data; ${parameters}\r\n\r\n\r\n--XX--`))?.[0];
    assert.is(named('name="a\\"b"; filename=c.txt'), 'Part 1, field "a"b", file "c.txt", 0 B');
    assert.is(named("name=a; filename*=UTF-8''%c3%a9.txt; filename=e.txt"), 'Part 1, field "a", file "é.txt", 0 B');
    assert.is(named("name*=x; filename*=UTF-8''%0APart%202"), 'Part 1, file " Part 2", 0 B', "it forges no heading");
  });

  test("given hostile bodies of two megabytes, limits the length of the text", () => {
    const size = 2 * 1024 * 1024;
    const filled = (unit: string) => unit.repeat(Math.floor(size / unit.length));
    for (const text of [
      filled("--XX\r\n\r\n\r\n"),
      filled("--XX"),
      filled("\n--XX "),
      `--XX\r\n${filled("\r")}`,
      `--XX\r\n${filled(" ")}`,
      filled(`--XX\r\nContent-Disposition: ${';a="'.repeat(250)}\r\n\r\n`),
      `--XX\r\n\r\n${filled("\n")}`,
    ]) {
      // If the work grew with the square of the size, this would take minutes.
      const lines = linesIn(text) ?? [];
      assert.ok(lines.length < 20_000);
    }
    assert.is(linesIn(filled("--XX\r\n\r\n\r\n"))?.at(-1), "More than 100 parts. Choose Raw to see the others.");
  });
});
