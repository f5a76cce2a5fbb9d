/** Results as CSV: what a spreadsheet could misread, and which columns there are. */
import { assert, describe, it } from "@effect/vitest";
import * as Schema from "effect/Schema";
import { csvHead, csvLine, fieldsOf } from "../../../src/routes/results/ResultCsv.ts";
import type { ResultRow } from "@winnow/core/domain/result/ResultRow";

const PLAIN = { quote: false, at: false, corrected: false, range: false };

const rowOf = (values: ResultRow["values"], row: Partial<ResultRow> = {}): ResultRow => ({
  extractionId: "ext_1",
  url: "https://example.com/",
  title: null,
  completedAtMs: 0,
  values,
  evidence: {},
  support: {},
  corrections: {},
  ...row
});

const properties = { text: { type: "string" } };
const cellOf = (text: string): string =>
  csvLine(rowOf({ text }), fieldsOf({ properties }), PLAIN).slice(
    "ext_1,https://example.com/,,1970-01-01T00:00:00.000Z,".length,
    -2
  );

describe("a cell", () => {
  it("is no formula, in whatever form a spreadsheet would run it", () => {
    for (const text of ["=1+1", "+49 170", "-2+3", "@SUM(A1)", " =1", "\u00A0=1", "\uFF1D1", "\uFF20SUM(1)"])
      assert.strictEqual(cellOf(text), `'${text}`);
    assert.strictEqual(cellOf('=A("x")'), `"'=A(""x"")"`);
  });

  it("is no formula for a spreadsheet that splits at semicolons, tabs, bars or line breaks alone", () => {
    for (const separator of [";", "\t", "|", "\n", "\r", "\r\n"]) {
      const text = ["a", "=1+1", " @x", '"=2', "-3", "+4 5", "\uFF1D6", "b"].join(separator);
      const safe = ["a", "'=1+1", "' @x", `'""=2`, "-3", "'+4 5", "'\uFF1D6", "b"].join(separator);
      assert.strictEqual(cellOf(text), `"${safe}"`);
    }
  });

  it.prop("has no formula in any piece, whatever the text", { text: Schema.String }, ({ text }) => {
    for (const piece of cellOf(`a;${text};=1\t=2|=3`)
      .slice(1, -1)
      .split(/[;|\t\r\n]/u)) {
      const isFormula = /^[\s"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u.test(piece);
      assert.isTrue(!isFormula || /^-\d/u.test(piece), piece);
    }
  });

  it("keeps numbers and harmless texts", () => {
    for (const text of ["-7", "-1.5e-9", "12", "a = b", "it's", "\u{1F600}", "  indented"])
      assert.strictEqual(cellOf(text), text);
  });

  it("is quoted where a spreadsheet might split it", () => {
    for (const text of ["a,b", "a;b", "a|b", "a\tb", "a\nb", "a\rb"])
      assert.strictEqual(cellOf(text), `"${text}"`);
    assert.strictEqual(cellOf('a"b'), '"a""b"');
  });

  it("is no formula in the title, the name of a field and a quote", () => {
    const fields = fieldsOf({ properties: { "=x": {} } });
    const columns = { ...PLAIN, quote: true };
    const evidence = { "/=x": [{ source: "page" as const, quote: "@evil" }] };
    assert.strictEqual(csvHead(fields, columns), "extractionId,url,title,completedAt,'=x,'=x_quote\r\n");
    assert.strictEqual(
      csvLine(rowOf({ "=x": 1 }, { title: "+t", evidence }), fields, columns),
      "ext_1,https://example.com/,'+t,1970-01-01T00:00:00.000Z,1,'@evil\r\n"
    );
  });
});

describe("columns", () => {
  const namesOf = (schema: unknown): ReadonlyArray<string> => fieldsOf(schema).map(({ name }) => name);

  it("are the members of the schema's object, wherever it names them", () => {
    const $defs = {
      talk: { properties: { topic: {} }, $ref: "#/$defs/more" },
      more: { properties: { year: {} } }
    };
    assert.deepStrictEqual(namesOf({ properties: { b: {}, a: {} } }), ["b", "a"]);
    assert.deepStrictEqual(namesOf({ $ref: "#/$defs/talk", $defs }), ["topic", "year"]);
    assert.deepStrictEqual(namesOf({ allOf: [{ properties: { a: {} } }, { $ref: "#/$defs/more" }], $defs }), [
      "a",
      "year"
    ]);
    assert.deepStrictEqual(
      namesOf({ anyOf: [{ properties: { a: {}, b: {} } }, { properties: { b: {} } }] }),
      ["a", "b"]
    );
    assert.deepStrictEqual(namesOf({ properties: { a: {} }, allOf: [{ $ref: "#" }] }), ["a"]);
  });

  it("tell on request which stretch was read, before the values, and nothing of the whole", () => {
    const fields = fieldsOf({ properties: { text: {} } });
    const columns = { ...PLAIN, range: true };
    const lineOf = (range?: ResultRow["range"]) =>
      csvLine(rowOf({ text: "a" }, range && { range }), fields, columns).split("Z,")[1];
    assert.match(csvHead(fields, columns), /,completedAt,range_startSec,range_endSec,text\r\n$/u);
    assert.strictEqual(lineOf({ startSec: 0, endSec: 9.5 }), "0,9.5,a\r\n");
    assert.strictEqual(lineOf({ startSec: 65.001 }), "65.001,,a\r\n");
    assert.strictEqual(lineOf(), ",,a\r\n");
  });

  it("are one with the whole value if the schema names no member", () => {
    const fields = fieldsOf({ type: "object", additionalProperties: { type: "number" } });
    assert.match(csvHead(fields, PLAIN), /,value\r\n$/u);
    assert.include(csvLine(rowOf({ tea: 3 }), fields, PLAIN), ',"{""tea"":3}"\r\n');
  });
});
