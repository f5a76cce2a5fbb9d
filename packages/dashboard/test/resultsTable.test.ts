/** The table of results without its drawing: columns, marks, corrections, summaries, and what is to check. */
import { assert, describe, it } from "vitest";
import {
  cellOf,
  columnsOf,
  compared,
  countToCheck,
  found,
  nextToCheck,
  summaryOf,
  textOf,
  typedValue,
  visibleColumns,
  withCorrections
} from "../src/screens/results/table.ts";
import { rowOf, SCHEMA } from "./ResultRows.ts";

describe("the table of results", () => {
  const columns = columnsOf(SCHEMA, []);

  it("has a column for each member of the schema, and of nested objects", () => {
    assert.deepStrictEqual(
      columns.map(({ name, pointer }) => [name, pointer]),
      [
        ["topic", "/topic"],
        ["price", "/price"],
        ["mail", "/mail"],
        ["venue.city", "/venue/city"]
      ]
    );
    assert.deepStrictEqual(
      columnsOf(undefined, [rowOf(1, { values: { a: 1 } }), rowOf(2, { values: { "b/c": 2 } })]).map(
        ({ pointer }) => pointer
      ),
      ["/a", "/b~1c"]
    );
  });

  it("marks a cell by its worst part, and by what a person made of it", () => {
    const row = rowOf(2, {
      values: { tags: ["x", "y"] },
      support: { "/tags/0": "quoted", "/tags/1": "unsupported" },
      evidence: {}
    });
    assert.strictEqual(cellOf(row, "/tags").mark, "unsupported");
    assert.strictEqual(cellOf({ ...row, corrections: { "/tags": ["x", "y"] } }, "/tags").mark, "accepted");
    const corrected = cellOf({ ...row, corrections: { "/tags/1": "z" } }, "/tags");
    assert.deepStrictEqual([corrected.mark, corrected.value], ["corrected", ["x", "z"]]);
    assert.strictEqual(cellOf({ ...row, corrections: { "/tags/0": "z" } }, "/tags").mark, "unsupported");
    const whole = cellOf({ ...row, corrections: { "/tags": ["z"] } }, "/tags/0");
    assert.deepStrictEqual([whole.mark, whole.value], ["corrected", "z"]);
    assert.strictEqual(cellOf(row, "/other").mark, "not_stated");
    assert.strictEqual(
      textOf([{ name: "flour", grams: 200, note: null }, { name: "salt" }]),
      "name: flour, grams: 200; name: salt"
    );
  });

  it("counts values to check as the service does, each part of a cell by itself", () => {
    const support = { "/tags/0": "unsupported", "/tags/1": "unsupported", "/tags/2": "quoted" } as const;
    const row = rowOf(1, { values: { tags: ["x", "y", "z"] }, support, evidence: {} });
    const [tags] = columnsOf(undefined, [row]);
    const count = (corrections: object) =>
      countToCheck(
        [rowOf(3, { ...row, corrections: { ...corrections } })],
        [tags ?? assert.fail("no column")]
      );
    assert.deepStrictEqual([{}, { "/tags/0": "x" }, { "/tags": [] }].map(count), [2, 1, 0]);
  });

  it("replaces only the corrections of one field", () => {
    const before = { "/tags/0": "a", "/tagsToo": "b" };
    assert.deepStrictEqual(withCorrections(before, "/tags", { "/tags": ["c"] }), {
      "/tagsToo": "b",
      "/tags": ["c"]
    });
    assert.deepStrictEqual(withCorrections(before, "/tags", {}), { "/tagsToo": "b" });
  });

  it("sums a column up, and compares numbers within texts", () => {
    const rows = [rowOf(1), rowOf(10), rowOf(2)];
    const of = (name: string) =>
      summaryOf(rows, columns.find((each) => each.name === name) ?? assert.fail(name));
    assert.deepStrictEqual(of("price"), { stated: 3, toCheck: 0, range: [1, 10] });
    assert.deepStrictEqual(of("mail"), { stated: 2, toCheck: 2, range: null });
    assert.deepStrictEqual(of("venue.city"), { stated: 0, toCheck: 0, range: null });
    assert.isBelow(compared("Topic 2", "Topic 10"), 0);
  });

  it("finds the next value to check from the top again", () => {
    const rows = [rowOf(1), rowOf(10), rowOf(2)];
    assert.deepStrictEqual(nextToCheck(rows, columns, { row: 0, column: 0 }), { row: 1, column: 3 });
    assert.deepStrictEqual(nextToCheck(rows, columns, { row: 1, column: 3 }), { row: 2, column: 3 });
    assert.deepStrictEqual(nextToCheck(rows, columns, { row: 2, column: 3 }), { row: 1, column: 3 });
    assert.isUndefined(nextToCheck([rowOf(1)], columns, { row: 0, column: 0 }));
    assert.lengthOf(found(rows, " TOPIC 10"), 1);
  });

  it("shows every column with a value to check in the review, and hidden ones nowhere else", () => {
    const hidden = ["/mail", "/venue/city"];
    const rows = [rowOf(1), rowOf(2)];
    const names = (isReview: boolean) =>
      visibleColumns(columns, hidden, rows, isReview).map(({ name }) => name);
    assert.deepStrictEqual(names(true), ["topic", "price", "mail"]);
    assert.deepStrictEqual(names(false), ["topic", "price"]);
  });

  it("reads what was typed as the schema wants it", () => {
    assert.strictEqual(typedValue("12", { type: "string" }, null), "12");
    assert.strictEqual(typedValue("12", { type: ["integer", "null"] }, null), 12);
    assert.strictEqual(typedValue("", { type: "integer" }, 3), null);
    assert.deepStrictEqual(typedValue('["a"]', { type: "array" }, []), ["a"]);
    assert.strictEqual(typedValue("dozen", { type: "integer" }, 12), "dozen");
  });
});
